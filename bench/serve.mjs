// The web app's figures, against the program named by POSTMORTEM. Beside each stands a peer or the aim.
//   POSTMORTEM=build/bench/postmortem node bench/serve.mjs [SECONDS]
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { launch } from '../web/test/browser.mjs';
import { Server } from '../web/test/server.mjs';

const streams = 2000;
const rate = 50; // requests a second
const seconds = Number(process.argv[2] ?? 60);
const here = fileURLToPath(import.meta.url);
const opera = readFileSync(join(dirname(here), '..', 'samples', 'opera.pgn'), 'utf8');

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const part = (values, p) => values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))];

// The peer: Node's own server, which sends the same bytes and keeps the same streams open.
if (process.argv[2] === 'peer') {
  const body = readFileSync(0);
  http
    .createServer((request, response) => {
      const stream = request.url.endsWith('/events');
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
      if (stream) response.write('retry: 1000\n\n');
      else response.end(body);
    })
    .listen(0, '127.0.0.1', function () {
      process.send(this.address().port);
    });
} else {
  const server = new Server();
  await server.start();
  try {
    await pageSize(server);
    await interactive(server);
    const id = await frames(server);
    await held(server, id);
  } finally {
    await server.close();
  }
}

async function pageSize(server) {
  let bytes = 0;
  for (const name of ['', 'app.js', 'app.css', 'sample.json', 'icon.svg']) {
    bytes += await new Promise((resolve, reject) => {
      http
        .get(server.address + name, { headers: { 'accept-encoding': 'gzip' } }, response => {
          let size = 0;
          response.on('data', data => (size += data.length)).on('end', () => resolve(size));
        })
        .on('error', reject);
    });
  }
  console.log(`first page: ${(bytes / 1000).toFixed(1)} KB compressed, aim 120 KB, ratio ${(120_000 / bytes).toFixed(1)}`);
}

async function interactive(server) {
  const browser = await launch();
  const times = [];
  for (let i = 0; i < 7; i++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.address, { waitUntil: 'commit' });
    await page.waitForSelector('button.primary:enabled', { polling: 'raf' });
    times.push(await page.evaluate(() => performance.now()));
    await context.close();
  }
  await browser.close();
  console.log(`interactive after ${part(times, 0.5).toFixed(0)} ms (median of 7, slowest ${Math.max(...times).toFixed(0)} ms), aim 1000 ms`);
}

// Steps through a game, sixteen moves a second, while it is analysed; counts frames.
async function frames(server) {
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(server.address);
  await page.fill('.depth input', '26');
  await page.fill('#game', opera);
  await page.click('form button.primary');
  await page.waitForSelector('text=first verdicts, being refined', { timeout: 60_000 });
  const measure = () =>
    page.evaluate(async () => {
      const times = [];
      let going = true;
      const frame = now => {
        times.push(now);
        if (going) requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
      for (let i = 0; i < 160; i++) {
        const key = Math.floor(i / 30) % 2 === 0 ? 'ArrowRight' : 'ArrowLeft';
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        await new Promise(resolve => setTimeout(resolve, 62));
      }
      going = false;
      const perSecond = [];
      for (let from = times[0]; from + 1000 <= times.at(-1); from += 250) perSecond.push(times.filter(t => t >= from && t < from + 1000).length);
      return { worst: Math.min(...perSecond), mean: (1000 * (times.length - 1)) / (times.at(-1) - times[0]) };
    });
  const runs = [];
  for (let i = 0; i < 5; i++) runs.push(await measure());
  const busy = { mean: part(runs.map(run => run.mean), 0.5), worst: part(runs.map(run => run.worst), 0.5) };
  const id = /review\/(\w+)/.exec(page.url())[1];
  await page.click('.progress button');
  await page.waitForSelector('text=Stopped');
  const idle = await measure();
  console.log(
    `stepping while analysis runs, medians of five runs of ten seconds: ${busy.mean.toFixed(1)} frames/s, worst second ${busy.worst}, aim 55 ` +
      `(worst seconds ${runs.map(run => run.worst).join(', ')}); ` +
      `the same page with no analysis ${idle.mean.toFixed(1)}, worst ${idle.worst}, ratio ${(busy.mean / idle.mean).toFixed(2)}`,
  );
  await browser.close();
  return id;
}

// Many idle streams, and requests at a steady rate beside them.
async function load(address, idle, asked) {
  const agent = new http.Agent({ keepAlive: true });
  const open = [];
  let errors = 0;
  const get = (path, options, take) =>
    new Promise(resolve => {
      const begin = performance.now();
      const failed = () => {
        errors += 1;
        resolve(undefined);
      };
      const request = http.get(address + path, options, response => {
        if (response.statusCode !== 200) failed();
        take(response, () => resolve(performance.now() - begin), failed);
      });
      request.on('error', failed);
      open.push(request);
    });
  for (let i = 0; i < streams; i += 100) {
    await Promise.all(Array.from({ length: 100 }, () => get(idle, { agent: false }, (response, done) => response.once('data', done).resume())));
  }
  const begun = performance.now();
  const times = [];
  for (let i = 0; i < rate * seconds; i++) {
    const wait = begun + (1000 * i) / rate - performance.now();
    if (wait > 0) await sleep(wait);
    void get(asked, { agent }, (response, done, failed) => response.on('end', done).on('error', failed).resume()).then(time => time !== undefined && times.push(time));
  }
  await sleep(1000);
  const broken = open.slice(0, streams).filter(request => request.socket?.destroyed).length;
  for (const request of open) request.removeAllListeners('error').on('error', () => {}).destroy();
  agent.destroy();
  return { p50: part(times, 0.5), p99: part(times, 0.99), answered: times.length, errors, broken };
}

async function held(server, id) {
  // The streams follow a review that takes long: they have little to tell, while both processors are at work.
  const say = (name, r) =>
    `${name}: ${streams} streams, ${r.answered} of ${rate * seconds} requests, ${r.errors} errors, ${r.broken} streams lost, p50 ${r.p50.toFixed(1)} ms, p99 ${r.p99.toFixed(1)} ms`;
  const body = await (await fetch(`${server.address}api/reviews/${id}`)).text();
  const post = (path, data) => fetch(`${server.address}api/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(data) });
  const long = await (await post('reviews', { pgn: opera, depth: 30 })).json();
  const ours = await load(server.address.slice(0, -1), `/api/reviews/${long.id}/events`, `/api/reviews/${id}`);
  console.log(say('held, with a review under way', ours));
  await post(`reviews/${long.id}/cancel`, {});
  const peer = fork(here, ['peer'], { stdio: ['pipe', 'inherit', 'inherit', 'ipc'] });
  peer.stdin.end(body);
  const port = await new Promise(resolve => peer.once('message', resolve));
  const theirs = await load(`http://127.0.0.1:${port}`, '/events', '/answer');
  peer.kill();
  console.log(say("Node's server, no review", theirs));
  console.log(`p99 aim 50 ms; ratio to Node's server ${(theirs.p99 / ours.p99).toFixed(2)}`);
}
