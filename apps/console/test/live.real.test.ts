import { liquidationPriceOf, raw } from '@core/pricing';
import type { LevUser, OpenPosition, Position } from '@core/sdk';
import { launchBrowser } from '@core/testkit/browser';
import { VenueControl } from '@core/venue-sim/control';
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBySdk, openSides, userOf } from '../testing/openBySdk.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { sharedStack } from '../testing/sharedStack.ts';
import { accountOf, type RunningStack, type StackFile } from '../testing/startStack.ts';

const patienceMs = 60_000;

let stack: RunningStack;
let file: StackFile;
let browser: Browser;
let me: LevUser;
let venue: VenueControl;
let startPosition: Position;
let ticker: string;
let side: 'yes' | 'no';
/** Pages of two browsers that show the same position. */
let first: Page;
let second: Page;

async function signedIn(): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  await page.goto(`${file.consoleUrl}#/positions/${startPosition.id}`);
  await page.getByText('Sign in', { exact: true }).click();
  await page.getByRole('button', { name: 'carol', exact: true }).click();
  await page.locator('[data-figure="mark"]').waitFor();
  return page;
}

beforeAll(async () => {
  stack = await sharedStack();
  file = stack.file();
  me = userOf(file, accountOf(file, 'carol').address);
  venue = new VenueControl(file.venueUrl);
  const { position, openSide } = await openBySdk(file, 'carol', await openSides(file, 2));
  startPosition = position;
  ticker = openSide.market.ticker;
  side = openSide.side;
  browser = await launchBrowser();
  [first, second] = await Promise.all([signedIn(), signedIn()]);
});

beforeEach(() => reportFailure(first));

afterAll(async () => {
  await browser?.close();
  await venue?.pin([ticker], '0.5');
});

const readPosition = async (): Promise<OpenPosition> => {
  const position = await me.positions.get(startPosition.id);
  if (!('current' in position)) throw new Error(`the position is ${position.status}`);
  return position;
};

const names = ['mark', 'value', 'equity', 'pnl', 'liquidation', 'health'] as const;
type Figures = Readonly<Record<(typeof names)[number], string>>;

const shownBy = async (page: Page): Promise<Figures> => {
  const read = async (name: string) => [
    name,
    (await page.locator(`[data-figure="${name}"]`).getAttribute('data-units')) ?? '',
  ];
  return Object.fromEntries(await Promise.all(names.map(read)));
};

const figuresOf = ({ current, risk }: OpenPosition): Figures => ({
  mark: current.mark_price_usd_pips,
  value: current.position_value_usd_pips,
  equity: current.effective_collateral_usd_pips,
  pnl: current.net_unrealized_pnl_usd_pips,
  liquidation: risk.current_liquidation_price_usd_pips,
  health: String(risk.health_bps),
});

/** Compute figures from the vault's records, at a mark. */
async function onChain(markPips: string): Promise<Pick<Figures, 'value' | 'equity' | 'liquidation'>> {
  const debt = await me.positions.debt(startPosition, file.rpcUrl);
  const value = raw(debt.tokenUnits) * BigInt(markPips);
  const owed = (raw(debt.principalUsdcUnits) + raw(debt.feesUsdcUnits)) * 10_000n;
  const equity = value > owed ? value - owed : 0n;
  return {
    value: String(value / 1_000_000n),
    equity: String(equity / 1_000_000n),
    liquidation: String(raw(liquidationPriceOf(debt))),
  };
}

const requestsDuring = async (page: Page, work: () => Promise<void>): Promise<readonly string[]> => {
  const urls: string[] = [];
  const note = (request: { url(): string }): number => urls.push(request.url());
  page.on('request', note);
  await work();
  page.off('request', note);
  return urls.filter((url) => url.startsWith(file.apiUrl));
};

test('open position: its price moves → page, service and chain have the same figures, in both browsers', async () => {
  for (const yesPrice of ['0.47', '0.53', '0.55']) {
    const before = (await shownBy(first)).mark;
    const requests = await requestsDuring(first, async () => {
      await venue.pin([ticker], yesPrice);
      await expect.poll(async () => (await shownBy(first)).mark, { timeout: patienceMs }).not.toBe(before);
    });
    // The price arrived over the socket, without a request.
    expect(requests.filter((url) => url.includes('/positions'))).toEqual([]);
    await expect
      .poll(
        async () => {
          const [one, two, service] = [await shownBy(first), await shownBy(second), figuresOf(await readPosition())];
          const chain = await onChain(one.mark);
          const areEqual = [two, service, { ...one, ...chain }].every(
            (other) => JSON.stringify(other) === JSON.stringify(one),
          );
          return areEqual ? one.mark : null;
        },
        { timeout: patienceMs, interval: 1_100 },
      )
      .toBe(String(side === 'yes' ? pipsOf(yesPrice) : 10_000 - pipsOf(yesPrice)));
  }
});

const pipsOf = (price: string): number => Math.round(Number(price) * 10_000);

test('equity chart: events of the vault and past prices → it ends at the equity of the page', async () => {
  const chart = first.getByRole('figure', { name: /^Equity since the opening/ });
  const endOf = async () => (await chart.getAttribute('aria-label'))?.split(' to ').at(-1);
  await expect
    .poll(async () => (await endOf()) === (await first.locator('[data-figure="equity"]').textContent()), {
      timeout: patienceMs,
    })
    .toBe(true);
});

test('portfolio: just opened → no figure is marked as stale before its first price', async () => {
  const page = await second.context().newPage();
  await page.addInitScript(() => {
    const note = (): void => {
      if (document.querySelector('[data-old="true"]') !== null) Object.assign(globalThis, { hasSeenStale: true });
    };
    new MutationObserver(note).observe(document, { attributes: true, childList: true, subtree: true });
  });
  await page.goto(`${file.consoleUrl}#/portfolio`);
  await page.locator('[data-figure="value"]').first().waitFor();
  await venue.pin([ticker], '0.52');
  const nextMark = side === 'yes' ? '5200' : '4800';
  await expect
    .poll(
      async () => {
        const { mark, value } = figuresOf(await readPosition());
        const units = await page.locator('[data-figure="value"]').first().getAttribute('data-units');
        return mark === nextMark && units === value;
      },
      { timeout: patienceMs, interval: 500 },
    )
    .toBe(true);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'hasSeenStale') ?? false)).toBe(false);
  await page.close();
});

test('portfolio: its price moves → the value is that of the position page', async () => {
  await second.getByRole('link', { name: 'Portfolio' }).first().click();
  await venue.pin([ticker], '0.51');
  await expect
    .poll(
      async () => {
        const value = await second.locator('[data-figure="value"]').first().getAttribute('data-units');
        return value === (await shownBy(first)).value && value === figuresOf(await readPosition()).value;
      },
      { timeout: patienceMs, interval: 1_100 },
    )
    .toBe(true);
});

test('open position: the sockets are cut → its figures are marked as stale, and are current again afterwards', async () => {
  const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
  page.setDefaultTimeout(patienceMs);
  const sockets: WebSocketRoute[] = [];
  let isDisconnected = false;
  await page.routeWebSocket(/^ws:/, async (socket) => {
    if (isDisconnected) return socket.close({ code: 3_000 });
    socket.connectToServer();
    sockets.push(socket);
    return undefined;
  });
  await page.goto(`${file.consoleUrl}#/positions/${startPosition.id}`);
  await page.getByText('Sign in', { exact: true }).click();
  await page.getByRole('button', { name: 'carol', exact: true }).click();
  const figures = page.locator('[data-old]');
  await expect.poll(() => figures.getAttribute('data-old'), { timeout: patienceMs }).toBe('false');
  isDisconnected = true;
  await Promise.all(sockets.map((socket) => socket.close({ code: 3_000 })));
  await expect.poll(() => figures.getAttribute('data-old'), { timeout: patienceMs }).toBe('true');
  await expect.poll(() => page.getByText('No recent price').count()).toBe(1);
  isDisconnected = false;
  await expect.poll(() => figures.getAttribute('data-old'), { timeout: patienceMs }).toBe('false');
  await page.close();
});

test('markets: the service does not respond → an alert with a retry, which loads them', async () => {
  const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
  page.setDefaultTimeout(patienceMs);
  await stack.whileSuspended(['api'], async () => {
    await page.goto(file.consoleUrl);
    await page.getByRole('alert').filter({ hasText: 'The service does not respond' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
  });
  await page.locator('tbody tr').first().waitFor();
  await expect.poll(() => page.getByRole('alert').count(), { timeout: patienceMs }).toBe(0);
  await page.close();
});
