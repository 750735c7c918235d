// node compare_page.mjs TOOLS PICTURES PAIR.html HOSTILE.html NONE.html MANY.html ALL.html SELF.html
// Looks at the page of a comparison as people do: see tests/e2e/compare_page.sh. TOOLS holds
// node_modules.
import { browse, expect, finish, lookAtAll, open, print, startBrowser } from './page_browser.mjs';

const [tools, pictures, pair, hostile, none, many, all, self] = process.argv.slice(2);
await startBrowser(tools);

const looks = [
  { kind: 'pair', name: 'wide', width: 1280, colorScheme: 'light', locale: 'zh-CN' },
  { kind: 'pair', name: 'phone-dark', width: 360, colorScheme: 'dark', locale: 'en-US' },
  { kind: 'hostile', name: 'phone', width: 360, colorScheme: 'light', locale: 'zh-CN' },
  { kind: 'none', name: 'wide-dark', width: 1280, colorScheme: 'dark', locale: 'en-US' },
  { kind: 'pair', name: 'wide-dark', width: 1280, colorScheme: 'dark', locale: 'en-US' },
  { kind: 'self', name: 'wide', width: 1280, colorScheme: 'light', locale: 'en-US' },
  { kind: 'self', name: 'wide-dark', width: 1280, colorScheme: 'dark', locale: 'zh-CN' },
  { kind: 'self', name: 'phone', width: 360, colorScheme: 'light', locale: 'zh-CN' },
  { kind: 'self', name: 'phone-dark', width: 360, colorScheme: 'dark', locale: 'en-US' },
];
const looksAtAll = [
  { kind: 'all', name: 'wide', width: 1280, colorScheme: 'light', locale: 'en-US' },
  { kind: 'all', name: 'phone-dark', width: 360, colorScheme: 'dark', locale: 'zh-CN' },
];
const titlesOfPair = { en: 'Comparison', 'zh-CN': '比对' };
const titlesOfAll = { en: 'Comparison of all texts', 'zh-CN': '多篇互比' };
await lookAtAll(looks, { pair, hostile, none, self }, titlesOfPair, pictures);
await lookAtAll(looksAtAll, { all }, titlesOfAll, pictures);

const wide = { viewport: { width: 1280, height: 900 }, locale: 'en-US' };
const topIn = (page, id) => page.evaluate((id) => {
  const pane = document.getElementById('text-' + id[0]);
  return document.getElementById(id).getBoundingClientRect().top - pane.getBoundingClientRect().top;
}, id);

// A pair of all texts leads to its page.
{
  const page = await browse(all, { ...wide, javaScriptEnabled: false });
  await page.locator('#pairs a').first().click();
  expect(await page.locator('#text-a mark').count() > 0, 'the pair leads to no page');
  await page.context().close();
}

// Without scripts a number leads to the other text.
{
  const page = await open(pair, 'without scripts', { ...wide, javaScriptEnabled: false });
  await page.locator('#a1').click();
  expect(page.url().endsWith('#b1'), 'the number leads nowhere');
  expect(await page.locator('#filters').isHidden(), 'filters are shown that do nothing');
  await page.context().close();
}

// Keys lead through the passages: both texts show the same one, and the address says which.
{
  const page = await open(pair, 'keys', wide);
  const passages = await page.locator('[data-passage]').count();
  expect(passages >= 1, `there are ${passages} passages`);
  await page.keyboard.press('n');
  expect(page.url().endsWith('#p=1'), `the address is ${page.url()}`);
  for (const id of ['a1', 'b1']) {
    const top = await topIn(page, id);
    expect(top >= 0 && top < 700, `${id} is at ${top}`);
  }
  await page.keyboard.press('e');
  const told = await page.locator('#told').innerText();
  expect(told.includes('→'), `an edit is told as ${told}`);
  expect(await page.locator('.current-edit').count() > 0, 'the edit is not marked');
  const url = page.url();
  await page.context().close();
  const again = await open(pair, 'address', wide);
  await again.evaluate((hash) => { location.hash = hash; }, url.slice(url.indexOf('#')));
  await again.waitForFunction(() => !document.getElementById('told').hidden);
  expect(await again.locator('#told').innerText() === told, 'the address does not bring the view back');
  await again.context().close();
}

// An address that names what is not there is no error.
for (const hash of ['#p=1&e=999', '#p=1&e=-1', '#p=1&e=0.5', '#p=999', '#p=x&channel=%22', '#b99']) {
  const page = await open(pair, 'address ' + hash, wide);
  await page.evaluate((hash) => { location.hash = hash; }, hash);
  await page.waitForTimeout(50);
  await page.keyboard.press('n');
  expect(await page.locator('.current').count() > 0, `${hash} keeps the page from going on`);
  await page.context().close();
}

// A mark is pressed: the other text comes to the same place. Then it is scrolled, and follows.
{
  const page = await open(pair, 'together', wide);
  await page.locator('#text-a mark').first().click();
  const before = await page.evaluate(() => document.getElementById('text-b').scrollTop);
  await page.waitForTimeout(300);
  await page.evaluate(() => { document.getElementById('text-a').scrollTop += 700; });
  await page.waitForTimeout(300);
  const after = await page.evaluate(() => document.getElementById('text-b').scrollTop);
  expect(after !== before, `the other text stays at ${after}`);
  await page.locator('[name=together]').uncheck();
  await page.evaluate(() => { document.getElementById('text-a').scrollTop += 100; });
  await page.waitForTimeout(300);
  const still = await page.evaluate(() => document.getElementById('text-b').scrollTop);
  expect(still === after, 'texts that are apart scroll together');
  await page.context().close();
}

// What a filter leaves out is no mark, and no place to go to.
{
  const page = await open(pair, 'filters', wide);
  await page.locator('[name=least]').fill('1000000');
  await page.locator('[name=least]').dispatchEvent('change');
  expect(await page.locator('mark[data-p]:not(.off)').count() === 0, 'short passages are marked');
  await page.keyboard.press('n');
  expect(await page.locator('.current').count() === 0, 'a passage that is left out is shown');
  await page.context().close();
}

// Thousands of passages: the page is there, is led through and scrolled without a wait. Every number
// leads to a place in both texts, also where they have a place of b in common.
{
  const page = await open(many, 'many', wide);
  const spent = await page.evaluate(async function () {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const pane = document.getElementById('text-a');
    let longest = 0;
    for (let i = 0; i < 20; ++i) {
      const begin = performance.now();
      if (i % 2) pane.scrollTop += 5000;
      else document.getElementById('next').click();
      await frame();
      longest = Math.max(longest, performance.now() - begin);
    }
    return longest;
  });
  expect(spent < 1500, `a step or a scroll takes ${Math.round(spent)} ms`);
  const lost = await page.evaluate(() => [...document.querySelectorAll('a.place')]
    .filter((place) => !document.querySelector(place.getAttribute('href'))).length);
  expect(lost === 0, `${lost} numbers lead nowhere`);
  await page.context().close();
}

await print(pair, `${pictures}/print.pdf`);
await finish();
