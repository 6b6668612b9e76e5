import type { LevUser, Position } from '@core/sdk';
import { launchBrowser } from '@core/testkit/browser';
import { VenueControl } from '@core/venue-sim/control';
import type { Browser, Page } from 'playwright-core';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBySdk, openSides, userOf } from '../testing/openBySdk.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { sharedStack } from '../testing/sharedStack.ts';
import { accountOf, type StackFile } from '../testing/startStack.ts';
import { staleTextOf, translatePage } from '../testing/translatedPage.ts';

const patienceMs = 60_000;
const trader = 'dave';

let file: StackFile;
let browser: Browser;
let page: Page;
let me: LevUser;
let startPosition: Position;
let ticker: string;
let venue: VenueControl;
const errors: string[] = [];

beforeAll(async () => {
  file = (await sharedStack()).file();
  me = userOf(file, accountOf(file, trader).address);
  venue = new VenueControl(file.venueUrl);
  const { position, openSide } = await openBySdk(file, trader, await openSides(file, 2));
  startPosition = position;
  ({ ticker } = openSide.market);
  browser = await launchBrowser();
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(patienceMs);
  page = await context.newPage();
  page.on('pageerror', ({ message }) => errors.push(message));
  await translatePage(page);
  await page.goto(file.consoleUrl);
  await page.getByText('Sign in', { exact: true }).click();
  await page.getByRole('button', { name: trader, exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
});

beforeEach(() => reportFailure(page));

afterAll(async () => {
  await browser?.close();
  await venue?.pin([ticker], '0.5');
});

const walletOf = () =>
  createWalletClient({
    account: privateKeyToAccount(accountOf(file, trader).privateKey),
    transport: http(file.rpcUrl),
  });

const mainText = () => page.locator('main').textContent();

/** Change the data, wait until the page shows it, and expect no text of before. */
async function follow(change: () => PromiseLike<unknown>): Promise<void> {
  const before = await mainText();
  await change();
  await expect.poll(mainText, { timeout: patienceMs }).not.toBe(before);
  expect(await staleTextOf(page)).toBeNull();
}

const go = async (path: string, heading: string | RegExp): Promise<void> => {
  await page.goto(`${file.consoleUrl}/#${path}`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  expect(await staleTextOf(page)).toBeNull();
};

test('markets: prices, search and order change → each text is the rendered one', async () => {
  await go('/', 'Markets');
  await page.locator(`tr[data-row="${ticker}"]`).waitFor();
  await follow(() => venue.pin([ticker], '0.47'));
  await follow(() => page.getByRole('button', { name: 'Liquidity' }).click());
  await follow(() => page.getByLabel('Search').fill('no market has this name'));
  await follow(() => page.getByRole('button', { name: 'Show all markets' }).click());
  expect(errors).toEqual([]);
});

test('market: price, side, amount and book change → each text is the rendered one', async () => {
  await go(`/markets/${ticker}`, /./);
  await page.getByRole('form', { name: 'Ticket' }).getByText('¢').first().waitFor();
  await follow(() => venue.pin([ticker], '0.53'));
  await follow(() => page.getByLabel('Size, USD').fill('60'));
  await follow(() => page.getByRole('radio', { name: /^no/i }).check({ force: true }));
  await follow(() => page.getByRole('button', { name: 'Collateral', exact: true }).click());
  await follow(() => page.getByRole('button', { name: '6 h' }).click());
  expect(errors).toEqual([]);
});

test('position: price, debt and status change → each text is the rendered one', async () => {
  await go(`/positions/${startPosition.id}`, /./);
  await page.locator('[data-figure="mark"]').waitFor();
  await follow(() => venue.pin([ticker], '0.5'));
  await follow(() => page.getByRole('button', { name: 'Sell a part' }).click());
  await follow(() => page.getByRole('button', { name: '75 %' }).click());
  await page.keyboard.press('Escape');
  await follow(() => page.getByRole('button', { name: 'Add margin' }).click());
  await follow(() => page.getByLabel('Repay debt with, USD').fill('2.50'));
  await page.keyboard.press('Escape');
  // More than the debt: the payment is limited to it.
  await follow(() => me.positions.addMargin(startPosition, { wallet: walletOf(), amountUsd: '500' }));
  await page.locator('[data-figure="health"]').getByText('no debt').waitFor();
  expect(await staleTextOf(page)).toBeNull();
  expect(errors).toEqual([]);
});

test('portfolio: a position is closed in its row → each text is the rendered one', async () => {
  await go('/portfolio', 'Portfolio');
  const row = page.getByRole('region', { name: 'Open positions' }).getByRole('button', { name: 'Close' });
  await row.waitFor();
  await row.click();
  await page.getByLabel('Minimum price, ¢').fill('0');
  await follow(() => page.getByRole('button', { name: 'Sell now' }).click());
  await page.getByText('No open position.').waitFor();
  await follow(() => page.getByRole('button', { name: /^Closed \(/ }).click());
  expect(errors).toEqual([]);
});

test('other pages: opened one after the other, with their choices → each text is the rendered one', async () => {
  await go('/pool', 'Pool');
  await page.getByRole('button', { name: 'Utilisation' }).waitFor();
  await follow(() => page.getByRole('button', { name: 'Total value' }).click());
  await follow(() => page.getByLabel('Deposit, USD').fill('12'));
  await go('/risk', 'How you lose money here');
  await page.getByText('Liquidation fee: 1.00 %.').waitFor();
  await go('/operate', 'Operate');
  await follow(async () => undefined);
  await go('/break-it', 'Break it');
  await follow(() => page.getByLabel('Scenario').last().selectOption({ index: 1 }));
  await go('/components', 'Components');
  for (const name of ['plain', 'good', 'bad']) await page.getByRole('button', { name: `Show: ${name}` }).click();
  await follow(() =>
    page
      .getByRole('button', { name: /^Open: / })
      .first()
      .click(),
  );
  await page.keyboard.press('Escape');
  await page.goto(`${file.consoleUrl}/exit.html`);
  await follow(() => page.getByRole('button', { name: 'Connect' }).click());
  await follow(() => page.getByRole('button', { name: trader, exact: true }).click());
  expect(errors).toEqual([]);
});
