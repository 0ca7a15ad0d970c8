import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const program = process.env.POSTMORTEM;

// A server of its own, with a home of its own.
export class Server {
  home = mkdtempSync(join(tmpdir(), 'postmortem-app-'));
  port = 0;

  async start(...options) {
    this.process = spawn(program, ['serve', '--port', String(this.port), ...options], {
      env: { ...process.env, HOME: this.home, XDG_DATA_HOME: '', XDG_CACHE_HOME: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.said = '';
    this.process.stderr.on('data', data => (this.said += data));
    for await (const line of createInterface({ input: this.process.stdout })) {
      const address = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(line);
      if (!address) continue;
      this.port = Number(address[1]);
      return;
    }
    throw new Error(`the server did not start: ${this.said}`);
  }
  get address() {
    return `http://127.0.0.1:${this.port}/`;
  }
  async end(signal = 'SIGINT') {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = once(this.process, 'exit');
    this.process.kill(signal);
    await gone;
  }
  async close() {
    await this.end();
    rmSync(this.home, { recursive: true });
  }
}
