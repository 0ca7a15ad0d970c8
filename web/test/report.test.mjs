// The HTML report, opened in a real browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { checkPage, contains, keep, launch, newPage, program, root, screens } from './browser.mjs';

const folder = mkdtempSync(join(tmpdir(), 'postmortem-report-'));
const sample = join(root, 'samples', 'opera-evals.pgn');

const report = (name, ...args) => {
  const file = join(folder, `${name}.html`);
  execFileSync(program, ['review', '--models', 'built-in', '--quiet', '--format', 'html', '--output', file, ...args]);
  return pathToFileURL(file).href;
};
const reportOfFile = (name, ...args) => report(name, '--evals', 'pgn', ...args);

let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

// A page that fails the test when anything is fetched or goes wrong in it.
async function open(url, options = {}) {
  const { page, close } = await newPage(browser, options);
  const wrong = [];
  page.on('pageerror', error => wrong.push(String(error)));
  page.on('console', message => message.type() === 'error' && wrong.push(message.text()));
  page.on('request', request => request.url() !== url && wrong.push(`fetches ${request.url()}`));
  await page.goto(url);
  return { page, wrong, close };
}

const current = page => page.locator('.moves [aria-current=true]').textContent();
const verdict = page => page.textContent('.verdict');

describe('the HTML report', () => {
  const url = reportOfFile('one', sample);
  const byEngine = report('engine', '--no-cache', '--depth', '10', join(root, 'samples', 'opera.pgn'));

  test('shows the players, the opening and where the scores come from', async () => {
    const { page, wrong, close } = await open(url);
    contains(await page.textContent('h1'), 'Morphy, Paul – Duke Karl / Count Isouard');
    contains(await page.textContent('.game-head'), 'C41 Philidor Defense · scores from the file · people by Postmortem-2, 1500 and 1500');
    contains(await page.title(), 'Morphy, Paul – Duke Karl / Count Isouard');
    assert.equal(await page.locator('.moves [data-ply]').count(), 33);
    assert.equal(await page.locator('cg-board piece').count(), 32);
    assert.match(await page.textContent('.sums'), /Accuracy/);
    assert.deepEqual(wrong, []);
    await close();
  });

  test('is less than 250 KB', () => {
    const { size } = statSync(fileURLToPath(byEngine));
    assert.ok(size < 250_000, `${size} bytes`);
  });

  test('steps by keys and says why', async () => {
    const { page, wrong, close } = await open(url);
    await page.keyboard.press('ArrowRight');
    contains(await current(page), 'e4');
    await page.keyboard.press('j');
    contains(await current(page), 'e5');
    await page.keyboard.press('k');
    contains(await current(page), 'e4');
    await page.keyboard.press('End');
    contains(await current(page), 'Rd8#');
    contains(await verdict(page), 'Checkmate.');
    await page.keyboard.press('Home');
    contains(await verdict(page), 'The start.');
    await page.keyboard.press('b');
    contains(await verdict(page), 'Allows a forced mate');
    assert.match(await verdict(page), /1500s play this|The likeliest move of 1500s/);
    contains(await page.textContent('[role=status]'), 'Allows a forced mate');
    await page.keyboard.press('i');
    contains(await current(page), 'b5?!');
    contains(await verdict(page), 'Loses 8.3% winning chances, from 33.3% to 25.0%');
    contains(await page.textContent('table[aria-label^="Board"]'), 'b5 black pawn');
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog[open]', { state: 'detached' });
    assert.deepEqual(wrong, []);
    await close();
  });

  for (const [screen, size] of Object.entries(screens)) {
    const touch = Boolean(size.hasTouch);

    // By coordinates, as a finger or a mouse does it.
    test(`steps by buttons, the moves and the graph on a ${screen}`, async () => {
      const { page, wrong, close } = await open(url, size);
      const pressAt = async (selector, across = 0.5) => {
        const target = page.locator(selector).first();
        await page.evaluate(() => scrollTo(0, 0)); // from below, the board of a phone would be in front
        await target.scrollIntoViewIfNeeded();
        const box = await target.boundingBox();
        const [x, y] = [box.x + Math.min(box.width * across, box.width - 2), box.y + box.height / 2];
        await (touch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
      };
      await pressAt('[data-ply="5"]');
      contains(await current(page), 'd4');
      await pressAt('[aria-label="One move on"]');
      contains(await current(page), 'Bg4');
      await pressAt('[aria-label="One move back"]');
      contains(await current(page), 'd4');
      await pressAt('.graph', 1);
      contains(await current(page), 'Rd8#');
      await pressAt('.graph', 12 / 33);
      contains(await current(page), 'Nf6');
      const corner = () =>
        page.evaluate(() => {
          const board = document.querySelector('cg-board').getBoundingClientRect();
          const at = { x: board.left + board.width / 16, y: board.top + board.height / 16 };
          const piece = [...document.querySelectorAll('cg-board piece')].find(each => {
            const box = each.getBoundingClientRect();
            return box.left <= at.x && at.x <= box.right && box.top <= at.y && at.y <= box.bottom;
          });
          return piece?.className ?? '';
        });
      await page.waitForTimeout(300); // the board's animation
      contains(await corner(), 'black rook');
      await pressAt('.stepping button:text("Flip")');
      await page.waitForTimeout(300);
      contains(await corner(), 'white rook');
      await pressAt('.stepping button:text("Flip")');

      // The board takes no moves.
      await page.keyboard.press('Home');
      await page.evaluate(() => scrollTo(0, 0));
      const box = await page.locator('cg-board').boundingBox();
      for (const row of [6.5, 4.5]) {
        const [x, y] = [box.x + (4.5 * box.width) / 8, box.y + (row * box.height) / 8];
        await (touch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
      }
      contains(await verdict(page), 'The start.');
      assert.equal(await page.locator('cg-board square.selected').count(), 0);
      assert.deepEqual(wrong, []);
      await close();
    });

    test(`walks through the better line on a ${screen}`, async () => {
      const { page, wrong, close } = await open(byEngine, size);
      contains(await page.textContent('.game-head'), 'Stockfish');
      await page.keyboard.press('e');
      await (touch ? page.tap('.better button') : page.click('.better button'));
      contains(await verdict(page), 'a move of the engine’s line');
      const first = await current(page);
      await page.keyboard.press('ArrowRight');
      assert.notEqual(await current(page), first);
      assert.ok((await page.locator('.tried .move').count()) > 1);
      assert.deepEqual(wrong, []);
      await close();
    });

    for (const colorScheme of ['light', 'dark']) {
      test(`has no accessibility violations and fits: ${screen}, ${colorScheme}`, async () => {
        const { page, wrong, close } = await open(byEngine, { ...size, colorScheme });
        for (const state of ['start', 'error', 'better']) {
          if (state === 'error') for (let i = 0; i < 20; i++) await page.keyboard.press('j');
          if (state === 'better') await page.keyboard.press('Space');
          await page.waitForTimeout(300); // the board's animation
          await keep(page, `report-${screen}-${colorScheme}-${state}`, { fullPage: state === 'error' });
          await checkPage(page);
        }
        assert.deepEqual(wrong, []);
        await close();
      });
    }
  }

  test('is used by keyboard alone', async () => {
    const { page, close } = await open(url);
    const tabTo = async selector => {
      for (let i = 0; i < 60; i++) {
        if (await page.evaluate(wanted => document.activeElement?.matches(wanted), selector)) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`${selector} cannot be reached with Tab`);
    };
    await tabTo('[aria-label="One move on"]');
    await page.keyboard.press('Enter');
    contains(await current(page), 'e4');
    await tabTo('.graph');
    await page.keyboard.press('End');
    contains(await current(page), 'Rd8#');
    await tabTo('[data-ply="7"]');
    await page.keyboard.press('Enter');
    contains(await current(page), 'dxe5');
    await tabTo('.chooser select');
    await close();
  });

  test('prints every move with its reason, in light colours', async () => {
    const { page, close } = await open(byEngine, { colorScheme: 'dark' });
    await page.keyboard.press('e');
    await page.waitForTimeout(300); // the board's animation
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await page.locator('.printed li').count(), 33);
    assert.equal(await page.locator('.printed').isVisible(), true);
    assert.match(await page.textContent('.printed'), /\? (Inaccuracy|Mistake|Blunder) .* Better: /);
    for (const hidden of ['.top', '.stepping', '.moves', '.verdict']) assert.equal(await page.locator(hidden).isVisible(), false, hidden);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
    await keep(page, 'report-print', { fullPage: true });
    if (process.env.SCREENSHOTS) await page.pdf({ path: join(process.env.SCREENSHOTS, 'report.pdf') });
    await close();
  });

  test('lets one choose between games', async () => {
    const { page, wrong, close } = await open(reportOfFile('two', sample, join(root, 'samples', 'faulty.pgn')), screens.phone);
    assert.equal(await page.locator('.game-choice option').count(), 3);
    await page.keyboard.press('End');
    await page.selectOption('.game-choice select', '1');
    contains(await page.textContent('.moves'), 'e4');
    contains(await verdict(page), 'The start.');
    await page.tap('[aria-label="One move on"]');
    contains(await verdict(page), 'No verdict');
    await keep(page, 'report-phone-games');
    await checkPage(page);
    assert.deepEqual(wrong, []);
    await close();
  });

  test('names cannot end the script', async () => {
    const name = '</script><script>document.title="taken"</script><!--<script>';
    const game = join(folder, 'names.pgn');
    writeFileSync(game, `[White "${name.replaceAll('"', '\\"')}"]\n\n1. e4 { [%eval 0.3] } e5 { [%eval 0.3] } *\n`);
    const { page, wrong, close } = await open(reportOfFile('names', game));
    contains(await page.textContent('h1'), name);
    contains(await page.title(), '</script>');
    assert.deepEqual(wrong, []);
    await close();
  });

  for (const scheme of ['labels', 'acpl', 'lichess']) {
    test(`shows the scheme ${scheme}`, async () => {
      const { page, wrong, close } = await open(reportOfFile(scheme, '--scheme', scheme, sample));
      assert.equal(await page.inputValue('.chooser select >> nth=0'), scheme);
      await page.keyboard.press('b');
      assert.match(await verdict(page), /blunder|Blunder|Miss|start/i);
      assert.deepEqual(wrong, []);
      await close();
    });
  }
});
