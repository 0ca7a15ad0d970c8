// What clients that mean ill cost the web server: memory while bodies come from a page of another site and while chunk
// extensions come without end, and how long a good request takes while thousands of half-sent ones are open.
//   POSTMORTEM=build/release/postmortem node bench/siege.mjs
// Each is measured on a server of its own. Memory is the most that was resident (VmHWM) beyond what was before.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:net';

import { Server } from '../web/test/server.mjs';

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const mb = bytes => `${(bytes / 1e6).toFixed(0)} MB`;

const peak = server => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))[1]) * 1024;

// Sends `text`, then `count` times `more`, as fast as the server takes it; stops when the server has closed.
function send(server, text, more = Buffer.alloc(0), count = 0) {
  return new Promise(resolve => {
    const socket = connect(server.port, '127.0.0.1');
    const result = { socket, sent: 0, answer: '' };
    const go = () => {
      while (count > 0 && !socket.destroyed) {
        count -= 1;
        result.sent += more.length;
        if (!socket.write(more)) return void socket.once('drain', go);
      }
      resolve(result);
    };
    socket.on('data', data => (result.answer += data));
    socket.on('error', () => resolve(result));
    socket.on('close', () => resolve(result));
    socket.on('connect', () => {
      socket.write(text);
      go();
    });
  });
}

async function besieged(what, siege) {
  const server = new Server();
  await server.start();
  const before = peak(server);
  try {
    const said = await siege(server);
    console.log(`${what}: ${mb(peak(server) - before)} of memory; ${said}`);
  } finally {
    await server.close();
  }
}

const status = answer => answer.slice(9, 12) || 'no answer';
const statuses = all => {
  const counts = {};
  for (const { answer } of all) counts[status(answer)] = (counts[status(answer)] ?? 0) + 1;
  return Object.entries(counts)
    .map(([name, count]) => `${count} x ${name}`)
    .join(', ');
};

const header = (host, rest) =>
  `POST /api/imports HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-chess-pgn\r\n${rest}\r\n\r\n`;
const size = 16 << 20;
const block = Buffer.alloc(1 << 16, ' ');

async function bodies(server, host) {
  const all = await Promise.all(
    Array.from({ length: 100 }, () => send(server, header(host, `Content-Length: ${size}`), block, size / block.length - 1)),
  );
  await sleep(1000);
  for (const each of all) each.socket.destroy();
  return `${mb(all.reduce((sum, each) => sum + each.sent, 0))} sent; ${statuses(all)}`;
}

// One extension of one chunk, without end.
async function extensions(server, host) {
  const more = Buffer.alloc(1 << 16, 'e');
  const all = [await send(server, header(host, 'Transfer-Encoding: chunked') + '1;', more, Math.ceil(1e9 / more.length))];
  await sleep(1000);
  all[0].socket.destroy();
  return `${mb(all[0].sent)} sent; ${statuses(all)}`;
}

async function halfSent(server) {
  const sockets = [];
  const open = () =>
    new Promise(resolve => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write('GET /api/status HTTP/1.1\r\nHost: 127.');
        resolve();
      });
      socket.on('error', resolve);
      sockets.push(socket);
    });
  for (let i = 0; i < 50; ++i) await Promise.all(Array.from({ length: 100 }, open));
  const times = [];
  let good = 0;
  for (let i = 0; i < 50; ++i) {
    const begin = performance.now();
    const code = await new Promise(resolve => {
      http
        .get(`${server.address}api/status`, { agent: false }, response => {
          response.resume();
          response.on('end', () => resolve(response.statusCode));
        })
        .on('error', () => resolve(0));
    });
    if (code === 200) good += 1;
    times.push(performance.now() - begin);
  }
  for (const socket of sockets) socket.destroy();
  times.sort((a, b) => a - b);
  return `${good} of 50 good requests answered, median ${times[25].toFixed(1)} ms, slowest ${times[49].toFixed(1)} ms`;
}

await besieged('100 unfinished bodies of 16 MB, foreign Host', server => bodies(server, 'evil.example'));
await besieged('100 unfinished bodies of 16 MB, own Host', server => bodies(server, `127.0.0.1:${server.port}`));
await besieged('1 GB of chunk extensions, foreign Host', server => extensions(server, 'evil.example'));
await besieged('1 GB of chunk extensions, own Host', server => extensions(server, `127.0.0.1:${server.port}`));
await besieged('5,000 half-sent requests', halfSent);
