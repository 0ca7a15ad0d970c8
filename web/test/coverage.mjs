// Which lines of web/src the tests of a measured build reached (./test --coverage):
//   node web/test/coverage.mjs BUILD             per file FILE,LINES,COVERED, after a heading
//   node web/test/coverage.mjs BUILD --missing   the lines that were not reached
// V8 counts characters of the scripts that ran: those packed for the browser, kept by browser.mjs, and the modules of the
// units, kept by measure.mjs. Source maps say which lines these are. A line is covered when any of it ran anywhere.
import { transform } from 'esbuild';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [build, option] = [resolve(process.argv[2]), process.argv[3]];
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const sources = join(root, 'web', 'src');
const counts = name => /\.tsx?$/.test(name) && !/(\.test\.tsx?|^fixtures\.ts|\.generated\.ts|\.d\.ts)$/.test(name);

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

// The numbers of a part of a source map, each in base 64 digits of five bits, least first, with its sign in the last bit.
function numbers(text) {
  const found = [];
  let [value, shift] = [0, 0];
  for (const digit of text) {
    const bits = digits.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    found.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return found;
}

// The places of a script that a source map (https://tc39.es/ecma426) knows, as [offset in the script, file, line from 0].
// Its first line begins at `first`; files are named from `base`.
function places(script, map, base, first = 0) {
  const found = [];
  let [start, file, line] = [first, 0, 0];
  for (const [row, group] of map.mappings.split(';').entries()) {
    if (row > 0) start = script.indexOf('\n', start) + 1;
    let column = 0;
    for (const part of group.split(',').filter(Boolean)) {
      const [across, files, lines] = numbers(part);
      column += across;
      if (files === undefined) continue; // belongs to no file
      file += files;
      line += lines;
      found.push([start + column, resolve(base, map.sources[file]), line]);
    }
  }
  return found;
}

// Per character of a script, whether it ran. Functions and ranges come from the outside in.
function ran({ source, functions }) {
  const marks = new Uint8Array(source.length);
  for (const { ranges } of functions) for (const range of ranges) marks.fill(Math.min(range.count, 1), range.startOffset, range.endOffset);
  return marks;
}

const lines = new Map(); // per file, its lines of code
for (const name of readdirSync(sources).filter(counts)) {
  const file = join(sources, name);
  const text = readFileSync(file, 'utf8');
  // Packing leaves nothing of imports, so they are not code here.
  const code = text.replace(/^(import|export \{[^}]*\} from)\b[^;]*;/gm, all => all.replace(/./g, ' '));
  const options = { loader: 'tsx', jsx: 'automatic', jsxImportSource: 'preact', sourcefile: file, sourcemap: 'external' };
  const { code: script, map } = await transform(code, options);
  const known = places(script, JSON.parse(map), sources).map(([, , line]) => line);
  const rows = text.split('\n');
  lines.set(file, new Set(known.filter(line => /\w/.test(rows[line]))));
}

const packed = new Map(); // the places of the scripts for the browser, by their text
for (const name of ['app', 'report']) {
  const folder = join(build, 'packed', name);
  const script = readFileSync(join(folder, `${name}.js`), 'utf8').trim();
  packed.set(script, places(script, JSON.parse(readFileSync(join(folder, `${name}.js.map`), 'utf8')), folder));
}

function placesOf({ url, source }) {
  const script = packed.get(source.trim());
  if (script) return { found: script, before: source.indexOf(source.trim()) };
  const inline = /\n\/\/# sourceMappingURL=data:[^,]*,(\S+)\n/.exec(source);
  if (!inline || !url.startsWith('file:')) return { found: [], before: 0 };
  const map = JSON.parse(Buffer.from(inline[1], 'base64').toString());
  // vitest runs a module as a function, whose head stands on the first line.
  return { found: places(source, map, dirname(fileURLToPath(url)), source.indexOf('{{') + 2), before: 0 };
}

const covered = new Map([...lines.keys()].map(file => [file, new Set()]));
const measured = join(build, 'web-coverage');
for (const name of existsSync(measured) ? readdirSync(measured) : []) {
  for (const script of JSON.parse(readFileSync(join(measured, name), 'utf8'))) {
    const marks = ran(script);
    const { found, before } = placesOf(script);
    for (const [at, file, line] of found) if (marks[before + at] && lines.get(file)?.has(line)) covered.get(file).add(line);
  }
}

if (option !== '--missing') console.log('file,lines,covered');
for (const [file, code] of lines) {
  const name = relative(root, file);
  const missing = [...code].filter(line => !covered.get(file).has(line)).sort((a, b) => a - b);
  if (option === '--missing') for (const line of missing) console.log(`${name}:${line + 1}`);
  else console.log(`${name},${code.size},${code.size - missing.length}`);
}
