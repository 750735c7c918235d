// node report_page.mjs TOOLS PICTURES FULL.html HOSTILE.html EMPTY.html AGAINST.html
// Looks at report.html as people do: see tests/e2e/report_page.sh. TOOLS holds node_modules.
import { expect, expectNoFinding, finish, lookAtAll, open, print, startBrowser } from './page_browser.mjs';

const [tools, pictures, full, hostile, empty, against] = process.argv.slice(2);
await startBrowser(tools);

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

const titles = { en: 'Deduplication report', 'zh-CN': '去重报告' };
await lookAtAll(looks, { full, hostile, empty, against }, titles, pictures);

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

await print(full, `${pictures}/print.pdf`);
await finish();
