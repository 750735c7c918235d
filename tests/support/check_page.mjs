// node check_page.mjs TOOLS PICTURES MANY.html HOSTILE.html ONE.html NONE.html PHRASES.html
// Looks at the page of a check as people do: see tests/e2e/check_page.sh. TOOLS holds node_modules.
import { expect, finish, lookAtAll, open, print, startBrowser } from './page_browser.mjs';

const [tools, pictures, many, hostile, one, none, phrases] = process.argv.slice(2);
await startBrowser(tools);

const looks = [
  { kind: 'many', name: 'wide', width: 1280, colorScheme: 'light', locale: 'en-US' },
  { kind: 'many', name: 'phone-dark', width: 360, colorScheme: 'dark', locale: 'zh-CN' },
  { kind: 'hostile', name: 'phone', width: 360, colorScheme: 'light', locale: 'en-US' },
  { kind: 'one', name: 'wide', width: 1280, colorScheme: 'dark', locale: 'zh-CN' },
  { kind: 'none', name: 'phone', width: 360, colorScheme: 'light', locale: 'en-US' },
  { kind: 'phrases', name: 'wide', width: 1280, colorScheme: 'light', locale: 'zh-CN' },
  { kind: 'phrases', name: 'wide-dark', width: 1280, colorScheme: 'dark', locale: 'en-US' },
  { kind: 'phrases', name: 'phone', width: 360, colorScheme: 'light', locale: 'en-US' },
  { kind: 'phrases', name: 'phone-dark', width: 360, colorScheme: 'dark', locale: 'zh-CN' },
];
const titles = { en: 'Check report', 'zh-CN': '比对报告' };
await lookAtAll(looks, { many, hostile, one, none, phrases }, titles, pictures);

// A number leads to the passage of the other text, and from there back; without scripts, too.
for (const javaScriptEnabled of [true, false]) {
  const page = await open(one, 'passages', { javaScriptEnabled, viewport: { width: 360, height: 640 } });
  const from = page.locator('.suspect .place').first();
  const target = (await from.getAttribute('href')).slice(1);
  await from.click();
  const counterpart = page.locator(`[id="${target}"]`);
  const box = await counterpart.boundingBox();
  expect(box !== null && box.y >= 0 && box.y < 640, 'the counterpart is not on the screen');
  expect(await counterpart.evaluate((mark) => mark.closest('.side').classList.contains('original')),
    'the counterpart is not in the original');
  const back = (await counterpart.locator('.place').getAttribute('href')).slice(1);
  expect(await page.locator(`[id="${back}"] .place`).getAttribute('href') === '#' + target,
    'there is no way back');
  await page.context().close();
}

// Both texts stand side by side on a wide screen, and one below the other on a phone.
for (const [width, beside] of [[1280, true], [360, false]]) {
  const page = await open(one, 'sides', { viewport: { width, height: 900 } });
  const [a, b] = await page.locator('.stretch').first().locator('.side').evaluateAll(
    (sides) => sides.map((side) => side.getBoundingClientRect().top));
  expect((a === b) === beside, `at ${width} px the sides begin at ${a} and ${b}`);
  await page.context().close();
}

// Words of a table are no column of characters on a phone.
{
  const page = await open(phrases, 'table', { locale: 'zh-CN', viewport: { width: 360, height: 900 } });
  const box = await page.locator('.scroll .figures tbody td').first().boundingBox();
  expect(box.width > 70 && box.height < 60, `the verdict is ${box.width} × ${box.height} px`);
  await page.context().close();
}

await print(one, `${pictures}/print.pdf`);
await print(phrases, `${pictures}/phrases.pdf`);
await finish();
