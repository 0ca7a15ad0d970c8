// What the tests in a real browser share. POSTMORTEM names the program, CHROMIUM the browser. With SCREENSHOTS=FOLDER
// every state is also kept as a picture, with MEASURE=FOLDER what V8 counted in every page (coverage.mjs).
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const program = process.env.POSTMORTEM;
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const screens = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

// A page of its own. To be closed by `close`, which keeps what was measured in it.
export async function newPage(browser, options = {}) {
  const context = await browser.newContext({ ...screens.desktop, ...options });
  const page = await context.newPage();
  const folder = process.env.MEASURE;
  if (folder) await page.coverage.startJSCoverage({ resetOnNavigation: false });
  const close = async () => {
    if (folder) {
      const scripts = await page.coverage.stopJSCoverage();
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `page-${randomUUID()}.json`), JSON.stringify(scripts));
    }
    await context.close();
  };
  return { context, page, close };
}

export const contains = (text, part) => assert.ok(text.includes(part), `expected ${part} in: ${text}`);

export async function keep(page, name, options = {}) {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync(process.env.SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), ...options });
}

// Readable by everyone, and not wider than the screen.
export async function checkPage(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes.map(n => n.html).join(' ')}`), []);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(wide, 0, 'the page is wider than the screen');
}

const patience = Number(process.env.PATIENCE ?? 120_000); // milliseconds; other tests run beside these

// The page of a server, which remembers what goes wrong in it and how much of it moved by itself.
export async function openPage(browser, server, options = {}) {
  const { context, page, close } = await newPage(browser, options);
  context.setDefaultTimeout(patience);
  const wrong = [];
  page.on('pageerror', error => wrong.push(String(error)));
  page.on('console', message => message.type() === 'error' && wrong.push(message.text()));
  page.on('request', request => request.url().startsWith(server.address) || request.url().startsWith('blob:') || wrong.push(`fetches ${request.url()}`));
  await page.addInitScript(() => {
    window.moved = 0;
    new PerformanceObserver(list => {
      for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.moved += shift.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(server.address);
  return { page, wrong, close };
}

// A state is looked at in light and dark, by axe too.
export async function look(page, name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(200); // the board's animation
    await keep(page, `${name}-${colorScheme}`);
    await checkPage(page);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

export async function setDepth(page, depth) {
  await page.locator('.depth input').fill(String(depth));
  await page.locator('.depth input').blur();
}

// The middle of a square, on the screen.
export async function squareAt(page, square) {
  await page.locator('cg-board').scrollIntoViewIfNeeded();
  const box = await page.locator('cg-board').boundingBox();
  const black = (await page.locator('.cg-wrap.orientation-black').count()) > 0;
  const file = black ? 104 - square.charCodeAt(0) : square.charCodeAt(0) - 97;
  const rank = black ? 8 - Number(square[1]) : Number(square[1]) - 1;
  return [box.x + ((file + 0.5) * box.width) / 8, box.y + ((7.5 - rank) * box.height) / 8];
}

// What chessground marks as chosen, read off the place of the mark on the screen.
export const chosenSquare = page =>
  page.evaluate(() => {
    const board = document.querySelector('cg-board').getBoundingClientRect();
    const mark = [...document.querySelectorAll('cg-board square.selected')].find(each => each.style.display !== 'none')?.getBoundingClientRect();
    if (!mark) return '';
    const black = document.querySelector('.cg-wrap.orientation-black') !== null;
    const file = Math.round(((mark.left - board.left) / board.width) * 8);
    const rank = Math.round(((mark.top - board.top) / board.height) * 8);
    return black ? 'hgfedcba'[file] + (rank + 1) : 'abcdefgh'[file] + (8 - rank);
  });

// Presses as people of a screen press: with a finger or a mouse.
export function pointer(size) {
  const touch = Boolean(size.hasTouch);
  return {
    press: (page, selector) => (touch ? page.tap(selector) : page.click(selector)),
    pressSquare: async (page, square) => {
      const [x, y] = await squareAt(page, square);
      await (touch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
    },
    // A finger that goes sideways by so many pixels.
    swipe: async (page, selector, by) => {
      await page.locator(selector).scrollIntoViewIfNeeded();
      const box = await page.locator(selector).boundingBox();
      const [x, y] = [box.x + box.width / 2, box.y + Math.min(40, box.height / 2)];
      const finger = await page.context().newCDPSession(page);
      await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
      for (let i = 1; i <= 4; i++) await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: x + (by * i) / 4, y }] });
      await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    },
  };
}
