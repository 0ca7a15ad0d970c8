// The web app in a real browser, against the real server, a real engine and the built-in human model.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { chosenSquare, contains, keep, launch, look, openPage, pointer, root, screens, setDepth, squareAt } from './browser.mjs';
import { Server } from './server.mjs';

const opera = readFileSync(join(root, 'samples', 'opera.pgn'), 'utf8');

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const open = (server, options = {}) => openPage(browser, server, options);

const current = page => page.locator('.moves [aria-current=true]').textContent();
const complete = async page => {
  await page.waitForSelector('.review .moves .row');
  await page.waitForSelector('.export');
};
const verdict = page => page.textContent('.verdict');

const setPractice = async (page, label, value) => {
  const field = page.locator(`.controls-row label:has-text("${label}") input`);
  await field.fill(String(value));
  await field.blur();
};

for (const [screen, size] of Object.entries(screens)) {
  const touch = Boolean(size.hasTouch);
  const { press, pressSquare } = pointer(size);

  describe(`the web app on a ${screen}`, () => {
    const server = new Server();
    before(() => server.start());
    after(() => server.close());

    test('from a pasted game to its export', async () => {
      const { page, wrong, close } = await open(server, size);
      await page.waitForSelector('text=None yet');
      await look(page, `${screen}-import`);

      // Import, provisional, final.
      await setDepth(page, 10);
      await page.fill('#game', opera);
      await press(page, 'form button.primary');
      await page.waitForSelector('.review .moves .row');
      contains(await page.textContent('h1'), 'Morphy, Paul – Duke Karl / Count Isouard');
      await page.waitForSelector('text=first verdicts, being refined');
      await keep(page, `${screen}-provisional-light`);
      await complete(page);
      const moved = await page.evaluate(() => window.moved);
      assert.ok(moved < 0.01, `the page moves by itself: ${moved}`);

      // Walk through; the reason of a verdict.
      for (let i = 0; i < 20; i++) await press(page, '[aria-label="One move on"]');
      contains(await current(page), 'cxb5');
      assert.match(await verdict(page), /10… cxb5/);
      assert.match(await verdict(page), /1500s/);
      assert.match(page.url(), /at=20$/);
      await look(page, `${screen}-review`);

      // The first look: a key moment is gone to by a press on the place where it is drawn.
      contains(await page.textContent('.story'), 'White won by checkmate.');
      await page.locator('.moments button').first().scrollIntoViewIfNeeded();
      const moment = await page.locator('.moments button').first().boundingBox();
      const title = await page.textContent('.moments button >> nth=0');
      const [mx, my] = [moment.x + moment.width / 2, moment.y + moment.height / 2];
      await (touch ? page.touchscreen.tap(mx, my) : page.mouse.click(mx, my));
      assert.equal(await page.getAttribute('.moments button >> nth=0', 'aria-current'), 'true');
      contains(title, (await current(page)).replace(/[A-Z][a-z]+$/, '').replace(/[?!]+$/, ''));
      // Who one is: the board turns, and one's own errors are asked about. The better move, by the pointer.
      await page.selectOption('.who select', 'black');
      await page.waitForSelector('.cg-wrap.orientation-black');
      contains(await page.textContent('.story'), 'Your opponent won by checkmate.');
      await press(page, '.walks button >> nth=1');
      contains(await page.textContent('.retry'), 'Your move. What would you play?');
      await page.waitForTimeout(300); // the board's animation
      const best = await page.evaluate(async () => {
        const [, id, at] = /review\/([^?]+)(?:\?at=(\d+))?/.exec(location.hash);
        const { review } = await (await fetch(`/api/reviews/${id}`)).json();
        return review.plies[Number(at ?? 0)].best.uci;
      });
      await pressSquare(page, best.slice(0, 2));
      await pressSquare(page, best.slice(2, 4));
      await page.waitForSelector('.retry .good');
      contains(await page.textContent('.retry'), 'In the game:');
      await look(page, `${screen}-retry`);
      await press(page, '.retry button:text("Next")');
      await press(page, '.retry button:text("Hint")');
      await press(page, '.retry button:text("Show it")');
      contains(await page.textContent('.retry'), 'Better:');
      await press(page, '.retry button:text("End")');
      contains(await page.textContent('.verdict'), '1 of 2 found.');
      await page.selectOption('.who select', '');
      await page.keyboard.press('f');
      // Another place of the same review, by its address in the same tab.
      await page.evaluate(() => (location.hash = location.hash.replace(/\?.*|$/, '?at=4')));
      await page.waitForFunction(() => document.querySelector('.moves [aria-current=true]')?.dataset.ply === '4');
      await press(page, '#tab-figures');
      assert.match(await page.textContent('table.sums'), /Accuracy/);
      await page.selectOption('.chooser select >> nth=0', 'lichess');
      assert.match(await page.textContent('table.sums'), /Blunders/);
      await page.selectOption('.chooser select >> nth=0', 'points');
      await page.locator('.graph').evaluate(graph => graph.scrollIntoView({ block: 'center' })); // clear of board and buttons
      const box = await page.locator('.graph').boundingBox();
      if (touch) await page.touchscreen.tap(box.x + box.width - 2, box.y + 50);
      else await page.mouse.click(box.x + box.width - 2, box.y + 50);
      contains(await current(page), 'Rd8#');

      // The better line, on the board; then a move of one's own.
      await page.keyboard.press('Home');
      await page.keyboard.press('i');
      contains(await verdict(page), 'Inaccuracy');
      await press(page, '.better button');
      assert.match(await current(page), /^[A-Z]?.*[a-h][1-8]/);
      await page.keyboard.press('Home');
      await pressSquare(page, 'a2');
      await pressSquare(page, 'a4');
      contains(await current(page), 'a4');
      await page.waitForFunction(() => /1\. a4/.test(document.querySelector('.verdict h2')?.textContent ?? ''));
      await page.waitForFunction(() => !/looking deeper/.test(document.querySelector('.verdict').textContent));
      await look(page, `${screen}-tried`);

      // In practice: of the decision that was judged, with the move that was played; expected win rates, a parameter, the
      // tree, a preview and the ways out of it.
      await press(page, '[data-ply="18"]');
      await press(page, '#tab-practice');
      const practice = state => page.waitForFunction(word => document.querySelector('.practice-state')?.textContent.includes(word), state);
      await practice('Complete');
      const before = await page.textContent('.ranking tbody');
      await setPractice(page, 'Depth', 8);
      await setPractice(page, 'Loss', 30);
      await page.waitForFunction(text => { const now = document.querySelector('.ranking tbody')?.textContent; return now && now !== text; }, before);
      await practice('Complete');
      contains(await page.textContent('.ranking tr:has(.badge)'), 'b5');
      contains(await page.textContent('.practice > .quiet'), 'for Black against people, instead of b5');
      await press(page, '.ranking tbody tr:first-child button');
      assert.equal(await page.getAttribute('.ranking tbody tr:first-child button', 'aria-expanded'), 'true');
      const url = page.url();
      for (const leave of ['Escape', 'button', 'outside']) {
        await press(page, '[role=treeitem] >> nth=1');
        await page.waitForSelector('.board.preview');
        contains(await page.textContent('.preview-note'), 'Preview:');
        const back = await page.locator('.preview-note button').boundingBox();
        assert.ok(back.y >= 0 && back.y + back.height <= page.viewportSize().height, 'the way back is on the screen');
        assert.match(await page.textContent('.bar-score'), /%$/);
        if (leave === 'Escape') await look(page, `${screen}-practice`);
        if (leave === 'Escape') await page.keyboard.press('Escape');
        if (leave === 'button') await press(page, '.preview-note button');
        if (leave === 'outside') await press(page, '.practice > .quiet');
        await page.waitForSelector('.board.preview', { state: 'detached' });
      }
      assert.equal(page.url(), url, 'a preview does not move');
      await page.focus('[role=treeitem][tabindex="0"]');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowLeft');
      assert.equal(await page.locator('[role=treeitem]').count(), 1);
      await page.keyboard.press('ArrowRight');
      assert.ok((await page.locator('[role=treeitem]').count()) > 1);
      await page.keyboard.press('Escape');

      // Cancel, and switch off.
      await setPractice(page, 'Depth', 20);
      await setPractice(page, 'Threshold', 1);
      await page.waitForSelector('.practice-state button');
      await press(page, '.practice-state button');
      await practice('Stopped');
      await press(page, '.practice [role=switch]');
      contains(await page.textContent('.overlay'), 'Switched off');
      await look(page, `${screen}-off`);
      await press(page, '.practice [role=switch]');
      await setPractice(page, 'Threshold', 10);
      await setPractice(page, 'Depth', 8);

      // Reload: saved, at the same move. Export.
      await page.reload();
      await page.waitForSelector('[aria-current=true]');
      contains(await current(page), 'b5');
      await page.waitForSelector('.export');
      for (const format of ['PGN', 'JSON', 'CSV', 'HTML']) {
        const [file] = await Promise.all([page.waitForEvent('download'), press(page, `.export a:text-is("${format}")`)]);
        assert.equal(file.suggestedFilename(), `Morphy, Paul-Duke Karl _ Count Isouard-1858.${format.toLowerCase()}`);
        const text = readFileSync(await file.path(), 'utf8');
        contains(text, format === 'CSV' ? 'Nxb5' : 'Morphy, Paul');
      }
      await press(page, '.top .name');
      await page.waitForSelector('.list a');
      contains(await page.textContent('.list'), 'accuracy');
      await look(page, `${screen}-recent`);
      assert.deepEqual(wrong, []);
      await close();
    });

    test('the board takes the square under the pointer on a freshly opened review', async () => {
      const { page, wrong, close } = await open(server, size);
      await setDepth(page, 8);
      await page.fill('#game', '1. e4 e5 2. Nf3 Nc6 *');
      await press(page, 'form button.primary');
      await complete(page);
      const address = page.url().replace(/\?.*/, '');
      const reopen = async () => {
        await page.goto('about:blank');
        await page.goto(address);
        await complete(page);
      };
      for (const square of ['e2', 'b1', 'h2', 'a2']) {
        await reopen();
        await page.keyboard.press('Home');
        await pressSquare(page, square);
        await page.waitForSelector('cg-board square.selected');
        assert.equal(await chosenSquare(page), square);
      }
      await reopen();
      await page.keyboard.press('Home');
      await pressSquare(page, 'd2');
      await pressSquare(page, 'd4');
      contains(await current(page), 'd4');
      await page.keyboard.press('Home');
      if (touch) {
        const finger = await page.context().newCDPSession(page);
        const touchAt = async (type, square) => {
          const [x, y] = square ? await squareAt(page, square) : [];
          await finger.send('Input.dispatchTouchEvent', { type, touchPoints: square ? [{ x, y }] : [] });
        };
        await touchAt('touchStart', 'c2');
        await touchAt('touchMove', 'c3');
        await touchAt('touchMove', 'c4');
        await touchAt('touchEnd');
      } else {
        await page.mouse.move(...(await squareAt(page, 'c2')));
        await page.mouse.down();
        await page.mouse.move(...(await squareAt(page, 'c3')), { steps: 4 });
        await page.mouse.move(...(await squareAt(page, 'c4')), { steps: 4 });
        await page.mouse.up();
      }
      contains(await current(page), 'c4');
      assert.deepEqual(wrong, []);
      await close();
    });

    test('a file with many games, a position, and what is no game', async () => {
      const { page, wrong, close } = await open(server, size);
      await press(page, 'form button.primary');
      contains(await page.textContent('[role=alert]'), 'Paste a game first');
      for (const [pasted, word] of [['hello world', 'No moves were found'], ['https://lichess.org/abcd1234', 'This is a link']]) {
        await page.fill('#game', pasted);
        await press(page, 'form button.primary');
        await page.waitForFunction(text => document.querySelector('[role=alert]')?.textContent.includes(text), word);
        assert.equal(await page.locator('.list button strong').count(), 0, 'nothing to review');
      }
      await setDepth(page, 8);
      await page.fill('#game', `${opera}\n\n${opera.replace('Morphy, Paul', 'Somebody')}`);
      await press(page, 'form button.primary');
      await page.waitForSelector('text=2 games');
      await look(page, `${screen}-games`);
      await press(page, 'text=Somebody – Duke Karl');
      await complete(page);
      contains(await page.textContent('h1'), 'Somebody');
      await press(page, '.top .name');
      await page.fill('#game', '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1');
      await press(page, 'form button.primary');
      await page.waitForSelector('.export'); // its engine is free again
      await page.fill('.written input', 'Rd8#');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => /Checkmate/.test(document.querySelector('.verdict').textContent));
      await page.goto(`${server.address}#/review/nothing`);
      await page.waitForSelector('text=There is no such review');
      await look(page, `${screen}-missing`);
      assert.deepEqual(wrong.filter(text => !text.includes('404')), []);
      await close();
    });

    test('castling in Chess960 is one move, from the king to where it goes', async () => {
      const { page, wrong, close } = await open(server, size);
      await setDepth(page, 8);
      await page.fill('#game', '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1"]\n\n1. O-O Ke7 2. Kh1 Kd7 *');
      await press(page, 'form button.primary');
      await complete(page);
      assert.equal(await page.locator('.moves .move').count(), 4);
      await press(page, '[data-ply="1"]');
      await page.waitForTimeout(400);
      const marked = await page.evaluate(() => {
        const board = document.querySelector('cg-board').getBoundingClientRect();
        return [...document.querySelectorAll('cg-board square.last-move')].map(each => {
          const box = each.getBoundingClientRect();
          return 'abcdefgh'[Math.round(((box.left - board.left) / board.width) * 8)] + (8 - Math.round(((box.top - board.top) / board.height) * 8));
        });
      });
      assert.deepEqual(marked.sort(), ['f1', 'g1']);
      assert.deepEqual(wrong, []);
      await close();
    });

    test('a review is stopped and goes on', async () => {
      const { page, close } = await open(server, size);
      await setDepth(page, 22);
      await page.fill('#game', opera.replace('Opera box', 'Again'));
      await press(page, 'form button.primary');
      await press(page, '.progress button:text("Stop")');
      await page.waitForSelector('text=Stopped. What is shown is as far as it came.');
      assert.equal(await page.locator('.moves [data-ply]').count(), 33);
      await look(page, `${screen}-stopped`);
      await page.reload();
      await press(page, '.progress button:text("Go on")');
      await page.waitForSelector('.progress progress');
      await press(page, '.progress button:text("Stop")');
      await page.waitForSelector('text=Stopped');
      await close();
    });
  });
}

describe('the web app', () => {
  const server = new Server();
  before(() => server.start());
  after(() => server.close());

  test('by keyboard alone', async () => {
    const { page, wrong, close } = await open(server);
    const tabTo = async selector => {
      for (let i = 0; i < 80; i++) {
        if (await page.evaluate(wanted => document.activeElement?.matches(wanted), selector)) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`${selector} cannot be reached with Tab`);
    };
    await tabTo('.depth input');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('8');
    while (!(await page.evaluate(() => document.activeElement.id === 'game'))) await page.keyboard.press('Shift+Tab');
    await page.keyboard.insertText(opera);
    await tabTo('button.primary');
    await page.keyboard.press('Enter');
    await complete(page);
    await page.keyboard.press('End');
    contains(await current(page), 'Rd8#');
    await page.keyboard.press('Home');
    await page.keyboard.press('e');
    assert.match(await verdict(page), /Inaccuracy|Mistake|Blunder/);
    await page.keyboard.press('Space');
    assert.match(await page.textContent('[role=status]'), /\./);
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await look(page, 'desktop-keys');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog[open]', { state: 'detached' });
    await tabTo('.written input');
    await page.keyboard.type('Ke9');
    await page.keyboard.press('Enter');
    assert.match(await page.evaluate(() => document.activeElement.validationMessage), /not a legal move/);
    await tabTo('.graph');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    contains(await current(page), 'e4');
    await tabTo('[role=tab][aria-selected=true]');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.ranking button');
    await tabTo('.ranking button');
    await page.keyboard.press('Enter');
    await tabTo('[role=treeitem]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.board.preview');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.board.preview', { state: 'detached' });
    assert.equal(await page.locator('table[aria-label^="Board"] td').count(), 64);
    assert.deepEqual(wrong, []);
    await close();
  });

  test('two tabs at once', async () => {
    const tabs = await Promise.all([open(server), open(server)]);
    await Promise.all(
      tabs.map(async ({ page }, i) => {
        await setDepth(page, 9);
        await page.fill('#game', opera.replace('Morphy, Paul', `Tab ${i}`));
        await page.click('form button.primary');
        await page.waitForSelector('.review .moves .row');
        await page.click('#tab-practice');
        await complete(page);
        contains(await page.textContent('h1'), `Tab ${i}`);
        await page.waitForSelector('.ranking tbody tr');
      }),
    );
    for (const { wrong, close } of tabs) {
      assert.deepEqual(wrong, []);
      await close();
    }
  });

  test('the server is killed in a review and comes back', async () => {
    const { page, close } = await open(server);
    await setDepth(page, 15);
    await page.fill('#game', opera.replace('Morphy, Paul', 'Patience'));
    await page.click('form button.primary');
    await page.waitForSelector('text=first verdicts, being refined');
    await server.end('SIGKILL');
    await page.waitForSelector('.gone');
    await look(page, 'desktop-gone');
    assert.equal(await page.locator('.moves [data-ply]').count(), 33, 'what was there stays');
    await server.start();
    await page.waitForSelector('.gone', { state: 'detached' });
    await complete(page);
    contains(await page.textContent('.game-head'), 'Stockfish');
    await close();
  });

  test('says when there is no engine', async t => {
    const bare = new Server();
    t.after(() => bare.close());
    await bare.start('--engine', join(bare.home, 'nothing'));
    const { page, close } = await open(bare);
    await page.waitForSelector('.problem');
    await look(page, 'desktop-no-engine');
    await page.click('text=Try the sample');
    await page.waitForFunction(() => document.querySelectorAll('[role=alert]').length === 2);
    await close();
  });
});
