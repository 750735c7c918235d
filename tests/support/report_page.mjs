// node report_page.mjs TOOLS PICTURES FULL.html HOSTILE.html EMPTY.html AGAINST.html
// Looks at report.html as people do: see tests/e2e/report_page.sh. TOOLS holds node_modules.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [tools, pictures, full, hostile, empty, against] = process.argv.slice(2);
const require = createRequire(tools + '/');
const { chromium } = require('playwright-core');
const { AxeBuilder } = require('@axe-core/playwright');

let failures = 0;
function expect(condition, what) {
  if (condition) return;
  failures += 1;
  console.log('failed: ' + what);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

// Opens `file`, and fails on every request but the one for it, and on every error.
async function open(file, name, options) {
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

async function expectNoFinding(page, name) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  for (const finding of violations) {
    expect(false, `${name}: axe ${finding.id}: ${finding.help}: ` +
      finding.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(' | '));
  }
}

async function expectNoSideways(page, name) {
  const [inside, all] = await page.evaluate(
    () => [document.documentElement.clientWidth, document.documentElement.scrollWidth]);
  expect(all <= inside, `${name}: the page is ${all} px wide, the screen ${inside}`);
}

const looks = [
  { kind: 'full', name: 'wide', width: 1280, colorScheme: 'light', locale: 'en-US' },
  { kind: 'full', name: 'wide-dark', width: 1280, colorScheme: 'dark', locale: 'zh-CN' },
  { kind: 'full', name: 'phone', width: 360, colorScheme: 'light', locale: 'zh-CN' },
  { kind: 'full', name: 'phone-dark', width: 360, colorScheme: 'dark', locale: 'en-US' },
  { kind: 'hostile', name: 'phone', width: 360, colorScheme: 'light', locale: 'en-US' },
  { kind: 'hostile', name: 'wide', width: 1280, colorScheme: 'light', locale: 'zh-CN' },
  { kind: 'empty', name: 'phone', width: 360, colorScheme: 'light', locale: 'zh-CN' },
  { kind: 'against', name: 'phone', width: 360, colorScheme: 'light', locale: 'en-US' },
  { kind: 'against', name: 'wide', width: 1280, colorScheme: 'dark', locale: 'zh-CN' },
];

for (const { kind, name, width, colorScheme, locale } of looks) {
  const what = `${kind} ${name}`;
  const file = { full, hostile, empty, against }[kind];
  const page = await open(file, what, { viewport: { width, height: 900 }, colorScheme, locale });
  const lang = await page.getAttribute('html', 'lang');
  expect(lang === (locale === 'en-US' ? 'en' : 'zh-CN'), `${what}: lang is ${lang}`);
  expect(await page.title() === (lang === 'en' ? 'Deduplication report' : '去重报告'),
    `${what}: the title is ${await page.title()}`);
  await expectNoSideways(page, what);
  await page.screenshot({ path: `${pictures}/${kind}-${name}.png`, fullPage: true });
  for (const button of await page.locator('.unfold').all()) await button.click();
  await expectNoSideways(page, what + ' unfolded');
  await expectNoFinding(page, what);
  await page.context().close();
}

// The switches: language and theme change, and go back.
{
  const page = await open(full, 'switches', { locale: 'en-US', colorScheme: 'light' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.locator('#theme').click();
  expect(await paper() !== light, 'the theme switch changes nothing');
  await page.locator('#language').click();
  expect(await page.getAttribute('html', 'lang') === 'zh-CN', 'the language switch changes nothing');
  expect(await page.locator('.lead').innerText().then((text) => text.includes('读入')),
    'the headline is not Chinese');
  await expectNoFinding(page, 'switched');
  await page.locator('#theme').click();
  expect(await paper() === light, 'the theme switch does not go back');
  await page.context().close();
}

// By keyboard alone: every control is reached, and a fold opens with Enter.
{
  const page = await open(full, 'keyboard', { locale: 'en-US' });
  const controls = await page.locator('button:visible, a:visible').count();
  const reached = new Set();
  for (let i = 0; i < controls + 40; ++i) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => {
      const all = [...document.querySelectorAll('button, a, [tabindex]')];
      return all.indexOf(document.activeElement);
    }));
  }
  reached.delete(-1);
  expect(reached.size >= controls, `the keyboard reaches ${reached.size} of ${controls} controls`);
  await page.locator('.unfold').first().focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('.unfold').first().getAttribute('aria-expanded') === 'true',
    'Enter does not unfold');
  await page.context().close();
}

// Without scripts everything is there.
{
  const page = await open(full, 'no script', { javaScriptEnabled: false });
  expect(await page.locator('.fold').first().isVisible(), 'without scripts a fold is away');
  expect(await page.locator('#language').isHidden(), 'without scripts a dead switch is shown');
  await page.context().close();
}

// On paper everything is unfolded, and light.
{
  const page = await open(full, 'print', { colorScheme: 'dark', locale: 'zh-CN' });
  await page.emulateMedia({ media: 'print' });
  const away = await page.locator('.fold').evaluateAll(
    (folds) => folds.filter((fold) => fold.getClientRects().length === 0).length);
  expect(away === 0, `${away} folds are away on paper`);
  expect(await page.locator('#language').isHidden(), 'a switch is on paper');
  await page.pdf({ path: `${pictures}/print.pdf`, format: 'A4' });
  await page.context().close();
}

await browser.close();
console.log(failures === 0 ? 'the page is sound' : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
