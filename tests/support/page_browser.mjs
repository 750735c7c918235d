// What tests of pages share: a browser, a page that may ask for nothing, and what is expected of
// every page. Used by report_page.mjs, check_page.mjs and
// compare_page.mjs.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

let failures = 0;
let browser, AxeBuilder;

export function expect(condition, what) {
  if (condition) return;
  failures += 1;
  console.log('failed: ' + what);
}

// `tools` holds node_modules.
export async function startBrowser(tools) {
  const require = createRequire(tools + '/');
  const { chromium } = require('playwright-core');
  ({ AxeBuilder } = require('@axe-core/playwright'));
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

// Opens `file`, whose links may be followed.
export async function browse(file, options) {
  const page = await (await browser.newContext({ bypassCSP: false, ...options })).newPage();
  await page.goto(pathToFileURL(file).href);
  return page;
}

// Opens `file`, and fails on every request but the one for it, and on every error.
export async function open(file, name, options) {
  const context = await browser.newContext({ bypassCSP: false, ...options });
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  page.on('request', (request) => expect(request.url() === url, `${name}: asks for ${request.url()}`));
  page.on('pageerror', (error) => expect(false, `${name}: ${error.message}`));
  page.on('console', (message) => expect(false, `${name}: console says ${message.text()}`));
  page.on('dialog', (dialog) => { expect(false, `${name}: a dialog`); dialog.dismiss(); });
  await page.goto(url);
  return page;
}

export async function expectNoFinding(page, name) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  for (const finding of violations) {
    expect(false, `${name}: axe ${finding.id}: ${finding.help}: ` +
      finding.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(' | '));
  }
}

export async function expectNoSideways(page, name) {
  const [inside, all] = await page.evaluate(
    () => [document.documentElement.clientWidth, document.documentElement.scrollWidth]);
  expect(all <= inside, `${name}: the page is ${all} px wide, the screen ${inside}`);
}

// Looks at the page as a screen of that width, theme and language shows it, and takes a picture.
async function look(file, what, { width, colorScheme, locale }, titles, picture) {
  const page = await open(file, what, { viewport: { width, height: 900 }, colorScheme, locale });
  const lang = await page.getAttribute('html', 'lang');
  expect(lang === (locale === 'en-US' ? 'en' : 'zh-CN'), `${what}: lang is ${lang}`);
  expect(await page.title() === titles[lang], `${what}: the title is ${await page.title()}`);
  await expectNoSideways(page, what);
  await page.screenshot({ path: picture, fullPage: true });
  for (const button of await page.locator('.unfold').all()) await button.click();
  await expectNoSideways(page, what + ' unfolded');
  await expectNoFinding(page, what);
  await page.context().close();
}

// Looks at the files of several kinds, each as several screens show it.
export async function lookAtAll(looks, files, titles, pictures) {
  for (const screen of looks) {
    const name = `${screen.kind} ${screen.name}`;
    await look(files[screen.kind], name, screen, titles, `${pictures}/${screen.kind}-${screen.name}.png`);
  }
}

// On paper everything is unfolded, and light; leaves `pdf`.
export async function print(file, pdf) {
  const page = await open(file, 'print', { colorScheme: 'dark', locale: 'zh-CN' });
  await page.emulateMedia({ media: 'print' });
  const away = await page.locator('.fold').evaluateAll(
    (folds) => folds.filter((fold) => fold.getClientRects().length === 0).length);
  expect(away === 0, `${away} folds are away on paper`);
  expect(await page.locator('#language').isHidden(), 'a switch is on paper');
  await page.pdf({ path: pdf, format: 'A4' });
  await page.context().close();
}

export async function finish() {
  await browser.close();
  console.log(failures === 0 ? 'the page is sound' : `${failures} failed`);
  process.exit(failures === 0 ? 0 : 1);
}
