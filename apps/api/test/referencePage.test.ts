import { launchBrowser } from '@core/testkit/browser';
import { basePath, routes } from '@core/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../testing/startTestApi.ts';

const patienceMs = 60_000;

let api: TestApi;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  api = await startTestApi();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await api?.close();
});

test('a browser shows routes under the policy of the page, and asks no other host', async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
  const hosts = new Set<string>();
  const faults: string[] = [];
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.addInitScript(`
    globalThis.violations = [];
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      violations.push(violatedDirective + ': ' + blockedURI));
  `);
  await page.goto(`${api.api.origin}/reference`);
  // The first group is open; another one is built when it is asked for.
  await page.getByRole('heading', { name: routes.createToken.summary }).waitFor();
  await page.getByText(`${basePath}${routes.createToken.path}`, { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Open Group - Quotes' }).click();
  await page.getByText(routes.createQuote.summary).first().click();
  await page.getByRole('heading', { name: routes.createQuote.summary }).first().waitFor();
  expect(await page.evaluate('violations')).toEqual([]);
  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([new URL(api.api.origin).host]);
});
