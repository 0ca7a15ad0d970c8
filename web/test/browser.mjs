// What the tests in a real browser share. POSTMORTEM names the program, CHROMIUM the browser. With SCREENSHOTS=FOLDER
// every state is also kept as a picture.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
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
