// In the measured build (MEASURE names a folder): keeps what V8 counted in the modules of web/src that a file of unit
// tests has loaded, for coverage.mjs. vitest runs this before each such file.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const session = new Session();
session.connect();
await session.post('Debugger.enable'); // gives the text of scripts, their source maps in it
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const scripts = [];
  for (const { scriptId, url, functions } of result) {
    if (!/\/web\/src\/[^/]*\.tsx?$/.test(url)) continue;
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
    scripts.push({ url, source: scriptSource, functions });
  }
  mkdirSync(process.env.MEASURE, { recursive: true });
  writeFileSync(join(process.env.MEASURE, `units-${process.pid}-${Date.now()}.json`), JSON.stringify(scripts));
  session.disconnect();
});
