// Packs an entry of the web into a folder, with the files it was made of in inputs.d for the build.
//   node web/build.mjs app FOLDER      the web app: page, script and style sheet, each also compressed
//   node web/build.mjs report FOLDER   the HTML report: what stands before the games in the file, and what behind
// With --map also NAME.js, the script as it is packed, and NAME.js.map, for test/coverage.mjs; the rest is the same.
import { build } from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { pieceStyles } from './pieces.mjs';

const [entry, out, option] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const read = [join(here, 'pieces.mjs')]; // besides what esbuild reads

const file = name => {
  read.push(join(here, name));
  return readFileSync(join(here, name), 'utf8');
};

// The script and the style sheet of an entry: src/NAME.tsx and src/NAME.css.
async function pack(name, format) {
  const packed = await build({
    entryPoints: [join(here, 'src', `${name}.tsx`), join(here, 'src', `${name}.css`)],
    outdir: out,
    bundle: true,
    minify: true,
    format,
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    sourcemap: option === '--map' ? 'external' : false,
    loader: { '.pgn': 'text' },
    write: false,
    metafile: true,
    logLevel: 'warning',
  });
  read.push(...Object.keys(packed.metafile.inputs).map(input => resolve(input)));
  const text = ending => packed.outputFiles.find(each => each.path.endsWith(ending)).text;
  if (option === '--map') {
    writeFileSync(join(out, `${name}.js`), text('.js'));
    writeFileSync(join(out, `${name}.js.map`), text('.js.map'));
  }
  return { script: text('.js'), style: text('.css') };
}

async function app() {
  const { script, style } = await pack('app', 'esm');
  // The finished review of the first page is asked for when that is there.
  const files = { 'index.html': file('index.html'), 'app.js': script, 'app.css': style + pieceStyles(), 'sample.json': file('../samples/opera.json') };
  const compressed = Object.entries(files).map(([name, text]) => [`${name}.gz`, gzipSync(text, { level: 9 })]);
  return { ...files, ...Object.fromEntries(compressed), 'icon.svg': file('icon.svg') };
}

async function report() {
  const { script, style } = await pack('report', 'iife');
  // esbuild escapes what would end an element; a page broken in two would be worse than no page.
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error('the page cannot hold this script or style');
  const page = file('report.html').replace('@STYLE@', () => style.trimEnd()).replace('@SCRIPT@', () => script.trimEnd());
  const [head, tail] = page.split('@GAMES@');
  return { 'head.html': head, 'tail.html': tail };
}

mkdirSync(out, { recursive: true });
const files = await { app, report }[entry]();
for (const [name, contents] of Object.entries(files)) writeFileSync(join(out, name), contents);
const inputs = read.map(name => name.replaceAll(' ', '\\ '));
writeFileSync(join(out, 'inputs.d'), `${join(out, Object.keys(files)[0])}: ${inputs.join(' ')}\n`);
