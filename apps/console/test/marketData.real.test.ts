import type { MarketStatistics, OrderBook, PriceHistory } from '@core/sdk';
import { launchBrowser } from '@core/testkit/browser';
import { VenueControl } from '@core/venue-sim/control';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accessibilityOffences } from '../testing/accessibility.ts';
import { openSideOf } from '../testing/openBySdk.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { sharedStack } from '../testing/sharedStack.ts';
import type { StackFile } from '../testing/startStack.ts';
import { recentTradesOf } from '../web/src/markets/recentTrades.ts';
import { cents, shortDollars, tokens } from '../web/src/money.ts';

type Trade = ReturnType<typeof recentTradesOf>[number]['trade'];

const patienceMs = 30_000;

let file: StackFile;
let browser: Browser;
let page: Page;
let ticker: string;

beforeAll(async () => {
  file = (await sharedStack()).file();
  ({ ticker } = (await openSideOf(file)).market);
  browser = await launchBrowser();
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(patienceMs);
  page = await context.newPage();
});

beforeEach(() => reportFailure(page));

afterAll(async () => {
  await browser?.close();
  await new VenueControl(file.venueUrl).pin([ticker], '0.5');
});

const marketUrl = (): string => `${file.consoleUrl}/#/markets/${encodeURIComponent(ticker)}`;
/** Open the list of all markets: the risk policy may stop offering one at any time. */
const listAllMarkets = () => page.getByLabel('Show markets not offered now').check();
const chart = () => page.getByRole('figure', { name: /^Price of YES/ });

/** Return the page's next response whose path ends so. */
const nextResponse = (ending: string): Promise<Response> =>
  page.waitForResponse((response) => response.ok() && new URL(response.url()).pathname.endsWith(ending));

/** Pass the document of each response whose path ends so. The body of a response to a page that was left is gone. */
function onResponses<Document>(ending: string, take: (document: Document) => void): void {
  page.on('response', async (response) => {
    if (!response.ok() || !new URL(response.url()).pathname.endsWith(ending)) return;
    const document: Document | null = await response.json().catch(() => null);
    if (document !== null) take(document);
  });
}

test('markets table: loaded → volume, change and chart of each market, sorted by a heading', async () => {
  const received = new Map<string, MarketStatistics>();
  onResponses<{ readonly data: readonly MarketStatistics[] }>('/market-statistics', ({ data }) => {
    for (const statistics of data) received.set(statistics.market_ticker, statistics);
  });
  await page.goto(file.consoleUrl);
  await listAllMarkets();
  const row = page.locator(`tr[data-row="${ticker}"]`);
  const cell = (name: string) => row.locator(`td[data-label="${name}"]`).textContent();
  await row.locator('svg').waitFor();
  await expect
    .poll(async () => {
      return (await cell('Volume 24 h')) === shortDollars(received.get(ticker)?.volume24h_usd_pips);
    })
    .toBe(true);
  // It follows the live price, which need not be that of the samples any more.
  await expect.poll(() => cell('24 h')).toMatch(/^[+−]?\d+\.\d ¢$/);
  await page.getByRole('button', { name: 'Volume 24 h' }).click();
  const volumes = async (): Promise<readonly number[]> => {
    const tickers = await page.locator('tbody tr').evaluateAll((rows) => rows.map((one) => one.dataset['row'] ?? ''));
    return tickers.flatMap((one) => received.get(one)?.volume24h_usd_pips ?? []).map(Number);
  };
  await expect
    .poll(async () => {
      const rowVolumes = await volumes();
      return (
        rowVolumes.length > 2 &&
        rowVolumes.every((volume, index) => index === 0 || volume <= (rowVolumes[index - 1] ?? 0))
      );
    })
    .toBe(true);
});

test('favourites: a star → the filter shows that market alone, also after a reload', async () => {
  await page
    .locator(`tr[data-row="${ticker}"]`)
    .getByRole('button', { name: /^Favourite/ })
    .click();
  await page.reload();
  await listAllMarkets();
  await page.getByLabel('Favourites only').check();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  expect(await page.locator('tbody tr').getAttribute('data-row')).toBe(ticker);
});

test('price chart: a page that has just opened → prices from before, and the selected range', async () => {
  const venue = new VenueControl(file.venueUrl);
  const openedMs = await venue.nowMs();
  const loading = nextResponse('/price-history');
  await page.goto(marketUrl());
  const history = (await (await loading).json()) as PriceHistory;
  expect(history.data.length).toBeGreaterThan(10);
  expect(Date.parse(history.data[0]?.at ?? '')).toBeLessThan(openedMs - 3_600_000);
  await chart().locator('canvas').first().waitFor();
  const narrowing = nextResponse('/price-history');
  await page.getByRole('button', { name: '1 h', exact: true }).click();
  expect(((await (await narrowing).json()) as PriceHistory).range).toBe('1h');
  expect(await page.getByRole('button', { name: '1 h', exact: true }).getAttribute('aria-pressed')).toBe('true');
  await venue.pin([ticker], '0.52');
  await expect.poll(() => chart().getAttribute('aria-label'), { timeout: patienceMs }).toContain(cents(5_200));
});

test('order book and last trades: read again → levels and trades of the last response', async () => {
  let lastBook: OrderBook | null = null;
  onResponses<OrderBook>('/order-book', (book) => {
    lastBook = book;
  });
  const textsOf = (levels: NonNullable<OrderBook['yes']>['asks']): readonly string[] =>
    levels.slice(0, 8).map((level) => `${cents(level.price_usd_pips)} ${tokens(level.token_units)}`);
  const rowTexts = (kind: string): Promise<readonly string[]> =>
    page.locator(`.book tbody[data-kind="${kind}"] tr`).evaluateAll((rows) =>
      rows.map((row) =>
        [...row.children]
          .slice(0, 2)
          .map((cell) => cell.textContent)
          .join(' '),
      ),
    );
  const tradeTexts = (): Promise<readonly string[]> =>
    page.locator('tr[data-trade]').evaluateAll((rows) =>
      rows.map((row) =>
        [...row.children]
          .slice(1)
          .map((cell) => cell.textContent)
          .join(' '),
      ),
    );
  const textOf = (side: string, { taker_side, price_usd_pips, token_units }: Trade): string =>
    `${taker_side === 'buy' ? 'Buy' : 'Sell'} ${side.toUpperCase()} ${cents(price_usd_pips)} ${tokens(token_units ?? 0n)}`;
  // The traders of the simulator print a trade every few seconds.
  await expect
    .poll(
      async () => {
        const pageTexts = [await rowTexts('ask'), await rowTexts('bid'), await tradeTexts()];
        if (lastBook?.yes === null || lastBook?.yes === undefined) return false;
        const { asks, bids } = lastBook.yes;
        const trades = recentTradesOf(lastBook).map(({ side, trade }) => textOf(side, trade));
        const responseTexts = [textsOf(asks).toReversed(), textsOf(bids), trades];
        return trades.length > 0 && JSON.stringify(pageTexts) === JSON.stringify(responseTexts);
      },
      { timeout: 3 * patienceMs },
    )
    .toBe(true);
  expect(await accessibilityOffences(page)).toEqual([]);
});

test('price chart: past prices fail → a message, and the chart begins with the first live price', async () => {
  await page.route(/price-history/, (route) => route.abort());
  await page.goto(file.consoleUrl);
  await page.goto(marketUrl());
  await page.getByText('Past prices are not available now.').waitFor();
  await new VenueControl(file.venueUrl).pin([ticker], '0.54');
  await expect.poll(() => chart().getAttribute('aria-label'), { timeout: patienceMs }).toContain(cents(5_400));
});
