import { launchBrowser } from '@core/testkit/browser';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accessibilityOffences } from '../testing/accessibility.ts';
import { takePictures } from '../testing/pictures.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { sharedStack } from '../testing/sharedStack.ts';
import type { StackFile } from '../testing/startStack.ts';

const patienceMs = 30_000;

let file: StackFile;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  file = (await sharedStack()).file();
  browser = await launchBrowser();
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(patienceMs);
  page = await context.newPage();
});

beforeEach(() => reportFailure(page));

afterAll(async () => {
  await browser?.close();
});

/** Take the pictures of a state of a page. Return its offences against accessibility. */
async function offencesOf(name: string): Promise<readonly string[]> {
  const offences = await accessibilityOffences(page);
  await takePictures(page, name);
  return offences;
}

/** Open a page while its requests meet `handle`. */
async function openWith(path: string, requests: RegExp, handle: (route: Route) => unknown): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('about:blank');
  await page.route(requests, (route) => void handle(route));
  await page.goto(`${file.consoleUrl}/#${path}`);
}

const hold = (): undefined => undefined;
const cut = (route: Route): Promise<void> => route.abort();
const ofApi = /\/v1\/prediction-markets\//;
const problem = () => page.getByRole('alert').filter({ hasText: 'does not respond' });

test('markets: no response yet → bars in place of rows, and after three seconds a retry', async () => {
  let isHeld = true;
  await openWith('/', ofApi, (route) => (isHeld ? undefined : route.continue()));
  await page.getByText('Loading markets …').waitFor();
  expect(await page.locator('.skeleton i').count()).toBeGreaterThan(0);
  expect(await offencesOf('markets-loading')).toEqual([]);
  await problem().waitFor();
  isHeld = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('tbody tr').first().waitFor();
});

test('markets: nothing matches → the way back to all markets', async () => {
  await page.getByLabel('Search').fill('no market has this name');
  await page.getByText('No market matches.').waitFor();
  expect(await offencesOf('markets-empty')).toEqual([]);
  await page.getByRole('button', { name: 'Show all markets' }).click();
  await page.locator('tbody tr').first().waitFor();
});

test('markets and a market: requests fail → the problem with a retry on both pages', async () => {
  await openWith('/', ofApi, cut);
  await problem().waitFor();
  expect(await offencesOf('markets-broken')).toEqual([]);
  await openWith('/markets/none', ofApi, cut);
  await problem().waitFor();
  expect(await offencesOf('market-broken')).toEqual([]);
});

test('market: an unknown ticker → the way to all markets', async () => {
  await openWith('/markets/none', /never/, hold);
  await page.getByText('There is no open market “none”.').waitFor();
  expect(await offencesOf('market-empty')).toEqual([]);
  await page.getByRole('link', { name: 'Show all markets' }).click();
  await page.locator('tbody tr').first().waitFor();
});

test('portfolio: a wallet without positions, then failing requests → a way on, and a retry', async () => {
  await openWith('/portfolio', /never/, hold);
  await page.getByText('Sign in with a wallet to see its positions.').waitFor();
  await page.getByText('Sign in', { exact: true }).click();
  await page.getByRole('button', { name: 'erin', exact: true }).click();
  await page.getByRole('link', { name: 'Choose a market' }).waitFor();
  expect(await offencesOf('portfolio-empty')).toEqual([]);
  await openWith('/portfolio', /\/positions/, hold);
  await page.getByText('Loading positions …').waitFor();
  expect(await offencesOf('portfolio-loading')).toEqual([]);
  await openWith('/portfolio', /\/positions/, cut);
  await problem().waitFor();
  expect(await offencesOf('portfolio-broken')).toEqual([]);
});

test('pool: the node does not respond → the problem with a retry', async () => {
  const node = new RegExp(new URL(file.rpcUrl).host);
  await openWith('/pool', node, hold);
  await page.getByText('Loading the pool …').waitFor();
  expect(await offencesOf('pool-loading')).toEqual([]);
  await openWith('/pool', node, cut);
  await problem().waitFor();
  expect(await offencesOf('pool-broken')).toEqual([]);
});

test('any page: the browser is offline → a banner over figures that may be stale', async () => {
  await openWith('/', /never/, hold);
  await page.locator('tbody tr').first().waitFor();
  await page.context().setOffline(true);
  await page.getByText('Live connection lost.').waitFor();
  await page.context().setOffline(false);
  const banner = page.getByText('Live connection lost.');
  await expect.poll(() => banner.count(), { timeout: patienceMs }).toBe(0);
});
