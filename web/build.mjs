// Packs the web app into a folder: one script, one style sheet, the page, each also compressed.
//   node web/build.mjs FOLDER
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const out = process.argv[2];
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const board = dirname(require.resolve('@lichess-org/chessground/assets/chessground.base.css'));

mkdirSync(out, { recursive: true });
const packed = await build({
  entryPoints: [join(here, 'src', 'main.tsx')],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  loader: { '.pgn': 'text' },
  write: false,
  metafile: true,
  logLevel: 'warning',
});
const styles = ['base', 'brown', 'cburnett'].map(name => readFileSync(join(board, `chessground.${name}.css`), 'utf8'));
styles.push(readFileSync(join(here, 'src', 'style.css'), 'utf8'));
const style = await build({ stdin: { contents: styles.join('\n'), loader: 'css' }, minify: true, write: false });

const files = {
  'app.js': packed.outputFiles[0].contents,
  'app.css': style.outputFiles[0].contents,
  'index.html': readFileSync(join(here, 'index.html')),
};
for (const [name, bytes] of Object.entries(files)) {
  writeFileSync(join(out, name), bytes);
  writeFileSync(join(out, `${name}.gz`), gzipSync(bytes, { level: 9 }));
}
copyFileSync(join(here, 'icon.svg'), join(out, 'icon.svg'));
// What it was made of, for the build.
const inputs = Object.keys(packed.metafile.inputs).map(name => resolve(name).replaceAll(' ', '\\ '));
writeFileSync(join(out, 'app.d'), `${join(out, 'index.html')}: ${inputs.join(' ')}\n`);
