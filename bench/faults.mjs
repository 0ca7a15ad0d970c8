// Kills at random moments, and full disks; see bench/faults. A word such as `servers` takes only the kinds that have it in
// their names.
//   POSTMORTEM=build/test/postmortem BAD_ENGINE=build/test/src/engine/bad_engine node bench/faults.mjs [short] [SEED] [WORD]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = process.env.POSTMORTEM;
const engine = process.env.BAD_ENGINE;
const words = process.argv.slice(2);
const short = words.includes('short');
const seed = Number(words.find(word => /^\d+$/.test(word)) ?? Date.now() % 1_000_000_000);
const game = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '..', 'samples', 'opera.pgn'), 'utf8').trim();
const work = mkdtempSync(join(tmpdir(), 'postmortem-faults-'));
const patience = 60_000; // for what should take a moment, on a busy machine

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

// Mulberry32: the same moments for the same seed.
let state = seed;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const between = (least, most) => least + random() * (most - least);
const one = list => list[Math.floor(random() * list.length)];

// What is counted of a kind of fault. Ends at so many, or when its time is up.
class Count {
  faults = 0;
  failures = 0;
  begin = performance.now();
  constructor(name, wanted, seconds) {
    Object.assign(this, { name, wanted, seconds });
  }
  get elapsed() {
    return (performance.now() - this.begin) / 1000;
  }
  // What is undisturbed takes no time of its own.
  start() {
    this.begin = performance.now();
  }
  get done() {
    return this.faults >= this.wanted || (this.faults > 0 && this.elapsed > this.seconds);
  }
  check(holds, what) {
    if (holds) return;
    this.failures += 1;
    console.error(`FAILED: ${this.name}, after ${this.faults}: ${what}`);
  }
}

function folder(name) {
  const path = join(work, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

const homes = home => ({ ...process.env, HOME: home, XDG_DATA_HOME: join(home, 'data'), XDG_CACHE_HOME: join(home, 'cache') });

// A program that is running, with what it says.
class Run {
  said = '';
  constructor(command, args, home) {
    this.process = spawn(command, args, { env: homes(home), stdio: ['ignore', 'pipe', 'pipe'] });
    this.process.stderr.on('data', data => (this.said += data));
    this.process.stdout.resume();
    this.gone = once(this.process, 'close').then(([code, signal]) => ({ code, signal, said: this.said }));
  }
  get alive() {
    return this.process.exitCode === null && this.process.signalCode === null;
  }
  kill() {
    this.process.kill('SIGKILL');
  }
}

// The engines that a process has started, whichever of its threads did; a sanitizer starts others, to look for leaks.
function enginesOf(pid) {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap(task => {
      const list = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim();
      return list === '' ? [] : list.split(' ').map(Number);
    });
    return children.filter(child => readFileSync(`/proc/${child}/cmdline`, 'utf8').startsWith(engine));
  } catch {
    return []; // it has just ended
  }
}

function isRunning(pid) {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function waitFor(condition) {
  const end = performance.now() + patience;
  while (!condition()) {
    if (performance.now() > end) return false;
    await sleep(5);
  }
  return true;
}

const lines = path => (existsSync(path) ? readFileSync(path, 'latin1').split('\n').length - 1 : 0);

function write(home, games) {
  const path = join(home, 'games.pgn');
  const text = Array.from({ length: games }, (_, i) => game.replace('[Event', `[Round "${i + 1}"]\n[Event`)).join('\n\n');
  writeFileSync(path, `${text}\n`);
  return path;
}

const reviewArgs = (home, more) => [
  ...['review', '--no-people', '--engine', engine, '--depth', '4', '--effort', 'full', '--jobs', '2', '--quiet', '--json'],
  ...['--output', join(home, 'out'), ...more, join(home, 'games.pgn')],
];

const output = home => (existsSync(join(home, 'out')) ? readFileSync(join(home, 'out')) : Buffer.alloc(0));

function forget(home) {
  for (const name of ['out', 'out.part', 'out.part.index']) rmSync(join(home, name), { force: true });
}

async function undisturbed(home, more) {
  const begin = performance.now();
  const result = await new Run(program, reviewArgs(home, more), home).gone;
  if (result.code !== 0) throw new Error(`the undisturbed run failed: ${result.said}`);
  return { bytes: output(home), milliseconds: performance.now() - begin };
}

// Engines, while their reviews go on. At most two between two finished games: a position that fails three times is given
// up, and rightly so.
async function killEngines(count) {
  const home = folder('engines');
  write(home, 30);
  const expected = await undisturbed(home, ['--no-cache']);
  count.start();
  while (!count.done) {
    forget(home);
    const run = new Run(program, reviewArgs(home, ['--no-cache']), home);
    let finished = -1;
    let since = 0;
    while (run.alive && !count.done) {
      await sleep(between(0, 15));
      const now = lines(join(home, 'out.part.index'));
      if (now !== finished) since = 0;
      finished = now;
      const engines = enginesOf(run.process.pid);
      if (since >= 2 || engines.length === 0) continue;
      try {
        process.kill(one(engines), 'SIGKILL');
        count.faults += 1;
        since += 1;
      } catch {
        // it has ended by itself
      }
    }
    const result = await run.gone;
    count.check(result.code === 0, `the review ended with ${result.code ?? result.signal}: ${result.said}`);
    count.check(output(home).equals(expected.bytes), 'the output differs from the undisturbed one');
  }
}

// The command line, with a cache; the same command goes on until one is left alone.
async function killCommands(count) {
  const home = folder('commands');
  write(home, 12);
  const cache = ['--cache', join(home, 'evaluations.sqlite')];
  const expected = await undisturbed(home, cache);
  count.start();
  while (!count.done) {
    forget(home);
    for (const name of readdirSync(home)) if (name.startsWith('evaluations')) rmSync(join(home, name));
    let finished = 0;
    for (let tries = 0; tries < 6; ++tries) {
      const run = new Run(program, reviewArgs(home, cache), home);
      const ended = await Promise.race([run.gone, sleep(between(0, 1.2 * expected.milliseconds))]);
      if (ended) {
        count.check(ended.code === 0, `the review ended with ${ended.code ?? ended.signal}: ${ended.said}`);
        break;
      }
      const engines = enginesOf(run.process.pid);
      run.kill();
      await run.gone;
      count.faults += 1;
      count.check(await waitFor(() => !engines.some(isRunning)), 'engines outlived the program');
      const now = lines(join(home, 'out.part.index'));
      count.check(now >= finished || existsSync(join(home, 'out')), `${finished} lines of the index became ${now}`);
      finished = now;
    }
    if (!existsSync(join(home, 'out'))) {
      const last = await new Run(program, reviewArgs(home, cache), home).gone;
      count.check(last.code === 0, `the last run ended with ${last.code ?? last.signal}: ${last.said}`);
      count.check(!last.said.includes('damaged'), `a cache was damaged: ${last.said}`);
    }
    count.check(output(home).equals(expected.bytes), 'the output differs from the undisturbed one');
  }
}

const serveArgs = ['serve', '--port', '0', '--engine', engine, '--models', 'built-in', '--jobs', '1'];

// A server with its address, or what it said instead.
async function serve(home) {
  const run = new Run(program, serveArgs, home);
  const reader = createInterface({ input: run.process.stdout });
  const line = await Promise.race([once(reader, 'line').then(([text]) => text), run.gone.then(() => ''), sleep(patience).then(() => '')]);
  run.address = /http:\/\/127\.0\.0\.1:\d+\//.exec(line)?.[0];
  if (!run.address) {
    run.kill();
    await run.gone;
  }
  return run;
}

// Undefined when the server was killed meanwhile.
async function ask(run, path, options = {}) {
  const answer = async () => {
    try {
      const response = await fetch(run.address + path, options);
      return { status: response.status, body: await response.text() };
    } catch {
      return undefined;
    }
  };
  for (;;) {
    const answered = await Promise.race([answer(), run.gone.then(() => undefined)]);
    if (answered?.status !== 429) return answered;
    await sleep(100);
  }
}
const post = (run, path, body) => ask(run, path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const put = (run, path, body) => ask(run, path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function complete(run, id) {
  const end = performance.now() + patience;
  while (performance.now() < end) {
    const answer = await ask(run, `api/reviews/${id}`);
    if (answer?.status === 200 && JSON.parse(answer.body).state === 'complete') return true;
    await sleep(20);
  }
  return false;
}

async function exported(run, id) {
  return (await ask(run, `api/reviews/${id}/export?format=csv`))?.body ?? '';
}

// The server, while it writes: what was answered must be there afterwards, and what was begun must be finished.
async function killServers(count) {
  const home = folder('servers');
  let expected = '';
  let saved = new Map(); // what the server has acknowledged: id to the lines kept beside it
  let run = await serve(home);
  count.start();
  for (let round = 1; !count.done || saved.size > 0; ++round) {
    count.check(run.address, `the server did not start: ${run.said}`);
    if (!run.address) return;
    count.check(!run.said.includes('damaged'), `a file was damaged: ${run.said}`);
    for (const [id, kept] of saved) {
      const answer = await ask(run, `api/reviews/${id}`);
      count.check(answer?.status === 200, `review ${id} was lost`);
      const tried = answer?.status === 200 ? JSON.stringify(JSON.parse(answer.body).review?.tried?.length ?? 0) : '';
      if (kept > 0 && tried !== '0') count.check(tried === `${kept}`, `${kept} lines beside ${id} became ${tried}`);
    }
    if (round % 10 === 0 || count.done) {
      for (const id of saved.keys()) {
        count.check(await complete(run, id), `review ${id} was not finished`);
        const now = await exported(run, id);
        if (expected === '') expected = now;
        count.check(now === expected && now !== '', `the export of ${id} differs from the others`);
        const gone = await ask(run, `api/reviews/${id}`, { method: 'DELETE' });
        count.check(gone !== undefined && gone.status < 300, `review ${id} cannot be deleted`);
      }
      saved = new Map();
      if (count.done) break;
    }
    const writes = (async () => {
      for (;;) {
        const answer = await post(run, 'api/reviews', { pgn: game, depth: 6 });
        if (answer === undefined) return;
        if (answer.status >= 300) continue;
        const { id } = JSON.parse(answer.body);
        saved.set(id, 0);
        const kept = await put(run, `api/reviews/${id}/lines`, { lines: [['e2e4', 'c7c5'], ['d2d4']] });
        if (kept === undefined) return;
        if (kept.status < 300) saved.set(id, 2);
        await sleep(between(0, 40));
        if (saved.size >= 12) return;
      }
    })();
    await sleep(between(0, 120));
    run.kill();
    await run.gone;
    count.faults += 1;
    await writes;
    run = await serve(home);
  }
  run.process.kill('SIGTERM');
  await run.gone;
}

// The very first start, while its database is being made; in turn of the server's reviews and the command's cache.
async function killFirstStarts(count) {
  for (let serving = true; !count.done; serving = !serving) {
    const home = folder('first');
    write(home, 1);
    const cache = join(home, 'cache', 'evaluations.sqlite');
    const args = serving ? serveArgs : reviewArgs(home, ['--cache', cache]);
    const file = serving ? join(home, 'data', 'postmortem', 'reviews.sqlite') : cache;
    const run = new Run(program, args, home);
    const end = performance.now() + patience;
    while (run.alive && !existsSync(file) && performance.now() < end) await new Promise(setImmediate);
    const moment = performance.now() + between(0, 30);
    while (performance.now() < moment) await new Promise(setImmediate);
    run.kill();
    await run.gone;
    count.faults += 1;
    if (serving) {
      const again = await serve(home);
      count.check(again.address, `the server does not start: ${again.said}`);
      if (!again.address) continue;
      const answer = await post(again, 'api/reviews', { pgn: game, depth: 6 });
      count.check(answer?.status < 300, `it keeps no review: ${answer?.body}`);
      again.process.kill('SIGTERM');
      const { said } = await again.gone;
      count.check(!said.includes('damaged'), `it was damaged: ${said}`);
    } else {
      const again = await new Run(program, args, home).gone;
      count.check(again.code === 0 && !again.said.includes('postmortem: the '), `the second start ended with ${again.code}: ${again.said}`);
    }
  }
}

// Disks that are full after so many bytes: a small file system of its own where one may be mounted, else a limit on the
// size of files.
async function fillDisks(count) {
  const home = folder('disks');
  write(home, 6);
  const cache = ['--cache', join(home, 'evaluations.sqlite')];
  const expected = await undisturbed(home, cache);
  count.start();
  const largest = Math.max(...readdirSync(home).map(name => statSync(join(home, name)).size));
  const disk = folder('disk');
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'postmortem-faults', disk]).status === 0;
  const resize = size => spawnSync('mount', ['-o', `remount,size=${size}`, disk]).status === 0;
  try {
    for (let point = 0; !count.done; ++point) {
      const place = mounted ? disk : home;
      if (mounted) resize('16m');
      forget(place);
      for (const name of readdirSync(place)) if (name.startsWith('evaluations')) rmSync(join(place, name));
      write(place, 6);
      const more = ['--cache', join(place, 'evaluations.sqlite')];
      // Each point once, those before the end of the largest file the most.
      const kilobytes = 1 + Math.floor((1.05 * (((point * 37) % count.wanted) / count.wanted) * largest) / 1024);
      let result;
      if (mounted) {
        const used = statSync(join(place, 'games.pgn')).size / 1024 + 8;
        resize(`${Math.ceil(used + kilobytes)}k`);
        result = await new Run(program, reviewArgs(place, more), place).gone;
        resize('16m');
      } else {
        // The signal is ignored, so that a write beyond the limit fails as it does on a full disk.
        const limited = `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$@"`;
        result = await new Run('bash', ['-c', limited, 'bash', program, ...reviewArgs(place, more)], place).gone;
      }
      count.faults += 1;
      const clear = result.code === 0 || (result.code !== null && result.said.includes('postmortem: '));
      count.check(clear, `with ${kilobytes} kB it ended with ${result.code ?? result.signal}: ${result.said}`);
      if (result.code !== 0) {
        const again = await new Run(program, reviewArgs(place, more), place).gone;
        count.check(again.code === 0, `with room again it ended with ${again.code ?? again.signal}: ${again.said}`);
      }
      count.check(output(place).equals(expected.bytes), `with ${kilobytes} kB the output differs from the undisturbed one`);
    }
  } finally {
    if (mounted) spawnSync('umount', [disk]);
  }
  count.name += mounted ? ' (a file system of its own)' : ' (a limit on files)';
}

console.log(`seed ${seed}, ${short ? 'short' : 'long'}`);
const kinds = [
  [killEngines, 'engines killed in reviews', 1000, 20, 1200],
  [killCommands, 'commands killed, with a cache', 1000, 25, 1500],
  [killServers, 'servers killed as they write', 1000, 25, 1500],
  [killFirstStarts, 'first starts killed', 400, 20, 600],
  [fillDisks, 'full disks', 100, 15, 600],
];
let failures = 0;
let faults = 0;
const begin = performance.now();
const wantedKind = words.find(word => word !== 'short' && !/^\d+$/.test(word)) ?? '';
for (const [kind, name, wanted, briefly, atMost] of kinds) {
  if (!name.includes(wantedKind)) continue;
  const count = new Count(name, wanted, short ? briefly : atMost);
  try {
    await kind(count);
  } catch (error) {
    count.check(false, error.stack);
  }
  failures += count.failures;
  faults += count.faults;
  console.log(`${count.name}: ${count.faults} of ${wanted}, ${count.failures} failures, ${count.elapsed.toFixed(0)} s`);
}
if (failures === 0) rmSync(work, { recursive: true });
console.log(`all: ${faults} faults, ${failures} failures, ${((performance.now() - begin) / 1000).toFixed(0)} s`);
console.log(failures === 0 ? 'nothing was lost' : `${failures} failures (seed ${seed}); what is left lies in ${work}`);
process.exit(failures === 0 ? 0 : 1);
