import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '@core/testkit/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { builtFiles } from '../src/server/builtFiles.ts';
import { accessibilityOffences } from '../testing/accessibility.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { serveFiles } from '../testing/serveFiles.ts';

const folderOf = (name: string): string => fileURLToPath(new URL(`../${name}/`, import.meta.url));
const address = '0x0000000000000000000000000000000000000001';

let site: Awaited<ReturnType<typeof serveFiles>>;
let browser: Browser;
let page: Page;
const problems: string[] = [];

/** Answer the requests of the frame in place of the service, which the components do not need. */
async function replaceService(): Promise<void> {
  const config = {
    apiUrl: site.url,
    rpcUrl: site.url,
    chainId: 1,
    vault: address,
    pool: address,
    accounts: [],
    explorerUrl: null,
    hasVenueControl: false,
    hasOperations: false,
  };
  const token = { token: 'visitor', expires_at: new Date(Date.now() + 3_600_000).toISOString(), address: null };
  await page.route('**/config.json', (route) => route.fulfill({ json: config }));
  await page.route('**/session', (route) => route.fulfill({ json: { address: null } }));
  await page.route('**/session/token', (route) => route.fulfill({ status: 201, json: token }));
  await page.routeWebSocket(/.*/, () => undefined);
}

beforeAll(async () => {
  // Vitest sets another environment, with which the pages would contain the development build of React.
  vi.stubEnv('NODE_ENV', 'production');
  await builtFiles();
  vi.unstubAllEnvs();
  site = await serveFiles(folderOf('dist'));
  browser = await launchBrowser();
  page = await (await browser.newContext({ locale: 'en-US' })).newPage();
  await replaceService();
  page.on('console', (message) => (message.type() === 'error' ? problems.push(message.text()) : undefined));
  page.on('pageerror', ({ message }) => problems.push(message));
  await page.goto(`${site.url}/index.html#/components`);
  await page.getByRole('heading', { level: 1, name: 'Components' }).waitFor();
  await page.locator('[data-part="LinePlot"] canvas').first().waitFor();
});

beforeEach(() => reportFailure(page));

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

test('components: each file of parts → a section of the page', async () => {
  const names = await page.locator('[data-part]').evaluateAll((all) => all.map((one) => one.dataset['part']));
  const files = readdirSync(folderOf('web/src/parts')).filter((file) => file.endsWith('.tsx'));
  expect(names).toEqual(expect.arrayContaining(files.map((file) => file.replace('.tsx', ''))));
  expect(files.length).toBeGreaterThan(10);
});

test('components: font of the pages → loaded, and all digits have one width in each weight', async () => {
  const widths = await page.evaluate(async () => {
    await document.fonts.ready;
    const line = document.body.appendChild(document.createElement('span'));
    line.className = 'price-now';
    const widthOf = (digit: string, weight: string): number => {
      line.style.fontWeight = weight;
      line.textContent = digit.repeat(20);
      return line.getBoundingClientRect().width;
    };
    const all = ['400', '700'].map((weight) => Array.from('0123456789', (digit) => widthOf(digit, weight)));
    line.remove();
    return all;
  });
  for (const all of widths) expect(new Set(all).size).toBe(1);
  expect(await page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`))).toEqual([
    'Inter loaded',
  ]);
});

/** Return what is wrong with the page at its present width: content that overflows, and accessibility offences. */
async function faultsOf(): Promise<readonly string[]> {
  const { clientWidth, scrollWidth } = await page.evaluate(() => {
    const { documentElement: root } = document;
    return { clientWidth: root.clientWidth, scrollWidth: root.scrollWidth };
  });
  const overflow = scrollWidth > clientWidth ? [`${scrollWidth} px in ${clientWidth}`] : [];
  return [...overflow, ...(await accessibilityOffences(page))];
}

test.for([1_200, 390])('components: light and dark, %i wide → accessible, and nothing overflows', async (width) => {
  await page.setViewportSize({ width, height: 900 });
  for (const name of ['plain', 'good', 'bad']) await page.getByRole('button', { name: `Show: ${name}` }).click();
  for (const summary of await page.locator('main summary').all()) await summary.click();
  expect(await faultsOf()).toEqual([]);
  for (const summary of await page.locator('main summary').all()) await summary.click();
  for (const button of await page.getByRole('button', { name: /^Open: / }).all()) {
    await button.click();
    await page.getByRole('dialog').waitFor();
    expect(await faultsOf()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});

test('components: all of the above → no error in the console', () => {
  expect(problems).toEqual([]);
});

test('components: links to the outside → to web addresses alone, without a referrer', async () => {
  const links = page.locator('[data-part="OutsideLink"] a, [data-part="ExplorerLink"] a, [data-part="ShortHash"] a');
  const facts = await links.evaluateAll((all) => all.map((one) => [one.getAttribute('href'), one.getAttribute('rel')]));
  const hash = '0x3f1c0de5a7b94e8201f6ab3d9c55e4470f8b2a1d6e9c73b58a40d2f1e6b7c890';
  const rel = 'noopener noreferrer nofollow';
  expect(facts).toEqual([
    ['https://www.hltv.org/', rel],
    [`https://explorer.example/address/${hash}`, rel],
    [`https://explorer.example/tx/${hash}`, rel],
  ]);
});
