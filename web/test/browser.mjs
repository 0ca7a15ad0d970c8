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
