// The HTML report, opened in a real browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { checkPage, contains, keep, launch, program, root, screens } from './browser.mjs';

const folder = mkdtempSync(join(tmpdir(), 'postmortem-report-'));
const sample = join(root, 'samples', 'opera-evals.pgn');

const report = (name, ...args) => {
  const file = join(folder, `${name}.html`);
  execFileSync(program, ['review', '--evals', 'pgn', '--models', 'built-in', '--quiet', '--format', 'html', '--output', file, ...args]);
  return pathToFileURL(file).href;
};

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
  const context = await browser.newContext({ ...screens.desktop, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on('pageerror', error => wrong.push(String(error)));
  page.on('console', message => message.type() === 'error' && wrong.push(message.text()));
  page.on('request', request => request.url() !== url && wrong.push(`fetches ${request.url()}`));
  await page.goto(url);
  return { page, wrong, close: () => context.close() };
}

describe('the HTML report', () => {
  const url = report('one', sample);

  test('shows the players, the opening and where the scores come from', async () => {
    const { page, wrong, close } = await open(url);
    contains(await page.textContent('h1'), 'Morphy, Paul – Duke Karl / Count Isouard');
    contains(await page.textContent('#about'), 'C41 Philidor Defense · scores from the file · people by Postmortem-1, 1500 and 1500');
    assert.equal(await page.locator('#moves button').count(), 33);
    assert.equal(await page.locator('#board path').count(), 32);
    assert.deepEqual(wrong, []);
    await close();
  });

  test('steps by keys, buttons, the list and the graph, and says why', async () => {
    const { page, wrong, close } = await open(url);
    const current = () => page.locator('#moves [aria-current=true]').textContent();
    await page.keyboard.press('ArrowRight');
    contains(await current(), 'e4');
    await page.keyboard.press('End');
    contains(await current(), 'Rd8#');
    contains(await page.textContent('#verdict'), 'Checkmate.');
    await page.keyboard.press('Home');
    contains(await page.textContent('#verdict'), 'The start.');
    await page.keyboard.press('b');
    contains(await page.textContent('#verdict'), 'Allows a forced mate');
    assert.match(await page.textContent('#verdict'), /1500s play this|The likeliest move of 1500s/);
    await page.keyboard.press('i');
    contains(await current(), 'b5?!');
    contains(await page.textContent('#verdict'), 'Loses 8.3% winning chances, from 33.3% to 25.0%');
    await page.click('#moves button[data-ply="5"]');
    contains(await current(), 'd4');
    await page.click('#next');
    contains(await current(), 'Bg4');
    const box = await page.locator('#graph').boundingBox();
    await page.mouse.click(box.x + box.width - 1, box.y + 20);
    contains(await current(), 'Rd8#');
    const before = await page.locator('#board').innerHTML();
    await page.keyboard.press('f');
    assert.notEqual(await page.locator('#board').innerHTML(), before);
    contains(await page.getAttribute('#board', 'aria-label'), 'white rook d8');
    assert.deepEqual(wrong, []);
    await close();
  });

  for (const [screen, size] of Object.entries(screens)) {
    for (const colorScheme of ['light', 'dark']) {
      test(`has no accessibility violations and fits: ${screen}, ${colorScheme}`, async () => {
        const { page, wrong, close } = await open(url, { ...size, colorScheme });
        for (const state of ['start', 'error']) {
          if (state === 'error') await page.keyboard.press('b');
          await keep(page, `report-${screen}-${colorScheme}-${state}`, { fullPage: true });
          await checkPage(page);
        }
        assert.deepEqual(wrong, []);
        await close();
      });
    }
  }

  test('prints every move with its reason', async () => {
    const { page, close } = await open(url);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('#printed li').count(), 33);
    assert.equal(await page.locator('#printed').isVisible(), true);
    await keep(page, 'report-print', { fullPage: true });
    await close();
  });

  test('lets one choose between games', async () => {
    const { page, wrong, close } = await open(report('two', sample, join(root, 'samples', 'faulty.pgn')));
    assert.equal(await page.locator('#choice option').count(), 3);
    await page.selectOption('#choice', '1');
    contains(await page.textContent('#moves'), 'e4');
    contains(await page.textContent('#verdict'), 'The start.');
    await page.keyboard.press('Escape');
    await page.click('#next');
    contains(await page.textContent('#verdict'), 'No verdict');
    assert.deepEqual(wrong, []);
    await close();
  });

  for (const scheme of ['labels', 'acpl', 'lichess']) {
    test(`shows the scheme ${scheme}`, async () => {
      const { page, wrong, close } = await open(report(scheme, '--scheme', scheme, sample));
      await page.keyboard.press('b');
      assert.match(await page.textContent('#verdict'), /blunder|Blunder|Miss|start/i);
      assert.deepEqual(wrong, []);
      await close();
    });
  }
});
