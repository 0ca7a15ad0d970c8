// What one works with on the page, in a real browser against the real server: moves of one's own, lines of the engine,
// options, a board of one's own, people to play against, and the lists.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { chosenSquare, contains, keep, launch, look, openPage, pointer, root, screens, setDepth } from './browser.mjs';
import { Server } from './server.mjs';

const opera = readFileSync(join(root, 'samples', 'opera.pgn'), 'utf8');
const clocked = '[White "Ann"]\n[Black "Bob"]\n[WhiteElo "1500"]\n[BlackElo "1500"]\n[TimeControl "300+0"]\n\n1. e4 { [%clk 0:04:58] a good start } e5 { [%clk 0:04:57] } 2. Qh5?! { [%clk 0:04:30] } Nc6 { [%clk 0:04:51] } 3. Bc4 { [%clk 0:04:20] } Nf6?? { [%clk 0:04:49] } 4. Qxf7# { [%clk 0:04:18] } 1-0\n';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const current = page => page.locator('.moves [aria-current=true]').textContent();
const fen = page => page.evaluate(() => [...document.querySelectorAll('table[aria-label^="Board"] td')].map(each => each.textContent).join(' '));

// So many moves beside the game, each with its label.
const allJudged = (page, count) =>
  page.waitForFunction(wanted => {
    const words = [...document.querySelectorAll('.tried .word')].map(each => each.textContent);
    return words.length === wanted && words.every(word => word && word !== '…');
  }, count);

async function review(page, pgn, depth = 8) {
  await setDepth(page, depth);
  await page.fill('#game', pgn);
  await page.click('form button.primary');
  await page.waitForSelector('.export');
  await page.waitForSelector('.moves');
}

for (const [screen, size] of Object.entries(screens)) {
  const { press, pressSquare, swipe } = pointer(size);

  describe(`working on a ${screen}`, () => {
    const server = new Server();
    before(() => server.start());
    after(() => server.close());

    test('moves of one’s own are all judged, kept, exported and taken back', async () => {
      const { page, wrong, close } = await openPage(browser, server, size);
      await review(page, '1. e4 e5 2. Nf3 Nc6 *');
      await page.keyboard.press('Home');
      const moves = ['d4', 'd5', 'c4', 'e6', 'Nc3', 'Nf6', 'Bg5'];
      for (const move of moves) {
        await page.fill('.written input', move);
        await page.keyboard.press('Enter');
        await page.waitForTimeout(80);
      }
      await allJudged(page, 7);
      await look(page, `${screen}-line`);
      await page.waitForTimeout(600); // they are kept a moment later
      await page.reload();
      await allJudged(page, 7);
      const [file] = await Promise.all([page.waitForEvent('download'), press(page, '.export a:text-is("PGN")')]);
      assert.match(readFileSync(await file.path(), 'utf8').replaceAll('\n', ' '), /\(1\. d4 d5 2\. c4 e6 3\. Nc3 Nf6 4\. Bg5\)/);
      // Another first move beside it, promoted; then the first line from its third move on is taken back.
      await page.keyboard.press('Home');
      await pressSquare(page, 'g1');
      await pressSquare(page, 'f3');
      await press(page, 'button:text("Promote this line")');
      contains(await page.locator('.tried').first().textContent(), 'Nf3');
      await page.locator('.tried .move:has-text("c4")').click();
      await press(page, 'button:text("Delete from here")');
      await page.waitForFunction(() => document.querySelectorAll('.tried .move').length === 3);
      contains(await current(page), 'd5');
      assert.deepEqual(wrong, []);
      await close();
    });

    test('options judge the game anew, and stay', async () => {
      const { page, wrong, close } = await openPage(browser, server, size);
      await review(page, opera);
      contains(await page.textContent('[data-ply="1"]'), 'Theory');
      await press(page, '#tab-options');
      await look(page, `${screen}-options`);
      await press(page, '.option:has-text("Theory") input');
      await page.waitForFunction(() => !document.querySelector('[data-ply="1"]').textContent.includes('Theory'));
      await page.reload();
      await page.waitForSelector('[data-ply="1"]');
      await page.waitForSelector('.export');
      assert.ok(!(await page.textContent('[data-ply="1"]')).includes('Theory'));
      for (const [set, colours] of [['plain', 'green'], ['letters', 'slate'], ['classic', 'wood']]) {
        await page.selectOption('.option:has-text("Pieces") select', set);
        await page.selectOption('.option:has-text("Colours") select', colours);
        await keep(page, `${screen}-pieces-${set}`);
        const picture = await page.evaluate(() => getComputedStyle(document.querySelector('piece.white.king')).backgroundImage);
        assert.match(picture, /^url\("data:image\/svg/);
      }
      assert.deepEqual(wrong, []);
      await close();
    });

    test('a position by itself is evaluated, with lines and threats', async () => {
      const { page, wrong, close } = await openPage(browser, server, size);
      await review(page, '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1');
      await page.waitForFunction(() => document.querySelectorAll('.lines li').length === 3);
      contains(await page.textContent('.lines li >> nth=0'), 'Rd8#');
      await page.waitForFunction(() => document.querySelector('.bar-score').textContent === 'M1');
      await look(page, `${screen}-position`);
      await press(page, 'button:text("Threat")');
      await page.waitForFunction(() => /the threat, depth/.test(document.querySelector('.lines').textContent));
      await press(page, 'button:text("Threat")');
      await page.waitForFunction(() => /#1/.test(document.querySelector('.lines li')?.textContent ?? ''));
      await press(page, '.lines li >> nth=0');
      contains(await current(page), 'Rd8#');
      await page.waitForFunction(() => /Checkmate/.test(document.querySelector('.verdict').textContent));
      // In a game they are switched on and off by key.
      await press(page, '.top .name');
      await review(page, opera);
      assert.equal(await page.locator('.lines li').count(), 0);
      await page.keyboard.press('l');
      await page.selectOption('.lines select', '5');
      await page.waitForFunction(() => document.querySelectorAll('.lines li').length === 5);
      await page.keyboard.press('l');
      await page.waitForFunction(() => document.querySelectorAll('.lines li').length === 0);
      assert.deepEqual(wrong, []);
      await close();
    });

    test('a new board is played on against people, and reviewed', async () => {
      const { page, wrong, close } = await openPage(browser, server, size);
      await setDepth(page, 8);
      await press(page, 'button:text("New board")');
      await page.waitForSelector('.play');
      await look(page, `${screen}-board`);
      await page.selectOption('.play select', 'white');
      for (const [from, to] of [['e2', 'e4'], ['d2', 'd3']]) {
        const before = await page.locator('.tried .move').count();
        await pressSquare(page, from);
        await pressSquare(page, to);
        await page.waitForFunction(count => document.querySelectorAll('.tried .move').length === count + 2, before);
      }
      await page.selectOption('.play select', '');
      await allJudged(page, 4);
      await press(page, 'button:text("Review the 2 moves as a game")');
      await page.waitForSelector('[data-ply="4"]');
      assert.deepEqual(wrong, []);
      await close();
    });

    test('a position is set up by hand', async () => {
      const { page, wrong, close } = await openPage(browser, server, size);
      await setDepth(page, 8);
      await press(page, 'a:text("Set up a position")');
      await page.waitForSelector('.editor cg-board');
      await look(page, `${screen}-editor`);
      await press(page, 'button:text("Clear")');
      await press(page, 'button:text("Analyse this position")');
      contains(await page.textContent('[role=alert]'), 'White has no king');
      for (const [piece, square] of [['white king', 'g1'], ['white pawn', 'a7'], ['black king', 'h7']]) {
        await press(page, `[aria-label="${piece}"]`);
        await pressSquare(page, square);
      }
      assert.equal(await page.inputValue('.fen input'), '8/P6k/8/8/8/8/8/6K1 w - - 0 1');
      await press(page, 'button:text("Analyse this position")');
      await page.waitForSelector('.lines li');
      // The pawn promotes: chosen among pieces, by the pointer.
      await pressSquare(page, 'a7');
      await pressSquare(page, 'a8');
      await page.waitForSelector('.promotion');
      await look(page, `${screen}-promotion`);
      await press(page, '.promotion [aria-label="rook"]');
      contains(await current(page), 'a8=R');
      contains(await fen(page), 'a8 white rook');
      assert.deepEqual(wrong, []);
      await close();
    });

    test('the sheet, the figures and the picture', async () => {
      const { page, wrong, close } = await openPage(browser, server, size);
      await review(page, clocked);
      contains(await page.textContent('[data-ply="3"] .spent'), '28 s');
      contains(await page.textContent('.moves .comment >> nth=0'), 'a good start');
      await press(page, '.sheet button:text("Errors")');
      assert.ok((await page.locator('.moves [data-ply]').count()) < 7);
      await press(page, '.sheet button:text("All")');
      await press(page, '#tab-figures');
      await press(page, '[aria-label^="Blunder by Black"]');
      contains(await current(page), 'Nf6??');
      await look(page, `${screen}-figures`);
      if (size.hasTouch) {
        await page.keyboard.press('Home');
        await swipe(page, '.verdict', -120);
        await page.waitForFunction(() => document.querySelector('.moves [aria-current=true]')?.dataset.ply === '1');
        await swipe(page, '.verdict', 120);
        await page.waitForFunction(() => !document.querySelector('.moves [aria-current=true]'));
      } else {
        await page.locator('.graph').hover({ position: { x: 150, y: 40 } });
        assert.match(await page.textContent('.hover'), /^\d+[.…] .* left$/);
      }
      await press(page, '#tab-glance');
      const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'button:text("Save as a picture")')]);
      assert.equal(file.suggestedFilename(), 'Ann – Bob.png');
      const bytes = readFileSync(await file.path());
      assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
      assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630]);
      assert.deepEqual(wrong, []);
      await close();
    });

    test('many games from a packed file, found again and deleted with an undo', async () => {
      const { page, wrong, close } = await openPage(browser, server, size);
      await setDepth(page, 6);
      const games = Array.from({ length: 30 }, (_, i) => `[White "Pupil ${i}"]\n[Black "Coach"]\n\n1. e4 e5 *\n\n`).join('');
      await page.setInputFiles('input[type=file]', { name: 'games.pgn.gz', mimeType: 'application/gzip', buffer: gzipSync(games) });
      await press(page, 'button:text("Review all 30")');
      await page.waitForSelector('text=30 games were added.');
      await page.waitForSelector('button:text("Older")');
      await look(page, `${screen}-list`);
      await page.fill('[aria-label="Search the saved reviews"]', 'pupil 17');
      await page.waitForFunction(() => document.querySelectorAll('[aria-label="Recent reviews"] li').length === 1);
      await press(page, '[aria-label^="Delete the review of Pupil 17"]');
      await page.waitForFunction(() => document.querySelectorAll('[aria-label="Recent reviews"] li').length === 0);
      await press(page, 'button:text("Undo")');
      await page.waitForFunction(() => document.querySelectorAll('[aria-label="Recent reviews"] li').length === 1);
      await press(page, '[aria-label="Recent reviews"] li a');
      await page.waitForSelector('.export');
      contains(await page.textContent('h1'), 'Pupil 17');
      assert.deepEqual(wrong, []);
      await close();
    });

    test('the first page shows a finished review, and nothing moves by itself', async () => {
      const { page, wrong, close } = await openPage(browser, server, size);
      await page.waitForSelector('.sample .verdict h2');
      contains(await page.textContent('.sample .verdict'), 'Nxd7');
      await press(page, '.sample [aria-label="One move on"]');
      contains(await page.textContent('.sample .verdict'), '16. Qb8+');
      await page.waitForTimeout(300);
      const moved = await page.evaluate(() => window.moved);
      assert.ok(moved < 0.01, `the page moves by itself: ${moved}`);
      assert.deepEqual(wrong, []);
      await close();
    });
  });
}

// Whatever stands above and beside the board, the square under the pointer is the one that is meant.
const layouts = {
  '1280x720': { viewport: { width: 1280, height: 720 } },
  '1920x1080': { viewport: { width: 1920, height: 1080 } },
  tablet: { viewport: { width: 820, height: 1180 }, isMobile: true, hasTouch: true },
  'phone on its side': { viewport: { width: 844, height: 390 }, isMobile: true, hasTouch: true },
};
describe('the board', () => {
  const server = new Server();
  before(() => server.start());
  after(() => server.close());
  for (const [name, size] of Object.entries(layouts)) {
    test(`takes the square under the pointer: ${name}`, async () => {
      const { press, pressSquare } = pointer(size);
      const { page, wrong, close } = await openPage(browser, server, size);
      await review(page, opera);
      const states = {
        plain: async () => {},
        'with lines': () => page.keyboard.press('l'),
        'in practice': () => press(page, '#tab-practice'),
        'with another person': async () => {
          await press(page, '#tab-glance');
          await page.selectOption('.who select', 'black');
        },
        'in a walk': () => press(page, '.walks button.primary'),
      };
      for (const [state, make] of Object.entries(states)) {
        await make();
        if (state !== 'in a walk') await page.keyboard.press('Home');
        await page.waitForTimeout(250);
        await keep(page, `layout-${name.replaceAll(' ', '-')}-${state.replaceAll(' ', '-')}`);
        // A man of the side that is to move.
        const square = state === 'in a walk' ? 'h7' : 'b1';
        await page.locator('cg-board').scrollIntoViewIfNeeded();
        await pressSquare(page, square);
        await page.waitForSelector('cg-board square.selected');
        assert.equal(await chosenSquare(page), square, state);
        await page.keyboard.press('Escape');
        await pressSquare(page, square);
      }
      const board = await page.locator('cg-board').boundingBox();
      const room = Math.min(size.viewport.width, size.viewport.height);
      assert.ok(board.width >= 0.6 * room, `a board of ${board.width} pixels`);
      assert.deepEqual(wrong, []);
      await close();
    });
  }
});
