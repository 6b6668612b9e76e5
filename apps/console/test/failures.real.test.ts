import type { OpenPosition, Position } from '@core/sdk';
import { launchBrowser } from '@core/testkit/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBySdk, openSides } from '../testing/openBySdk.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { sharedStack } from '../testing/sharedStack.ts';
import type { StackFile } from '../testing/startStack.ts';

/** Timeout of a step. A wallet has sixty requests a minute, so that a page may wait up to a minute for the next. */
const patienceMs = 120_000;

let file: StackFile;
let browser: Browser;
let page: Page;
let position: Position;
let ticker: string;

beforeAll(async () => {
  file = (await sharedStack()).file();
  const { position: first, openSide } = await openBySdk(file, 'bob', await openSides(file, 2));
  position = first;
  ticker = openSide.market.ticker;
  browser = await launchBrowser();
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(patienceMs);
  page = await context.newPage();
  await page.goto(`${file.consoleUrl}/#/positions/${position.id}`);
  await page.getByText('Sign in', { exact: true }).click();
  await page.getByRole('button', { name: 'bob', exact: true }).click();
  await sellAll().waitFor();
});

beforeEach(() => reportFailure(page));

afterAll(async () => {
  await browser?.close();
});

const sellAll = () => page.getByRole('button', { name: /^Sell all/ });

/** Open a page again as a new visit. */
async function openPage(path: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${file.consoleUrl}/#${path}`);
}

/** Cancel the dialog of a sale that is open. Return true when the button that sends was enabled. */
async function isClosable(): Promise<boolean> {
  const dialog = page.getByRole('dialog');
  const isDisabled = await dialog.getByRole('button', { name: 'Sell now' }).getAttribute('aria-disabled');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  return isDisabled === 'false';
}

type Fields = Readonly<Record<string, unknown>>;
/** Fields of a position that groups of figures read, each with a value that this version does not know. */
const poisons: Readonly<Record<string, Fields>> = {
  'unknown status': { status: 'pausing' },
  'unknown failure': { failure: { reason: 'unheard_of' } },
  'unknown operation': { pending_operation: { type: 'unheard_of' } },
  'no figures of risk': { risk: null },
  'no entry': { entry: undefined },
  'no fees': { fees: null },
  'no times': { timing: undefined },
  'no basis': { basis: null },
  'null figures': {
    current: Object.fromEntries(
      [
        'net_unrealized_pnl_usd_pips',
        'effective_collateral_usd_pips',
        'mark_price_usd_pips',
        'position_token_units',
        'position_value_usd_pips',
        'collateral_usd_pips',
        'leverage_bps',
        'min_partial_close_token_units',
        'max_partial_close_token_units',
      ].map((name) => [name, null]),
    ),
  },
  'foreign ledger': { ledger: { data: [null] } },
  'foreign reductions': { unwinds: { data: [null] }, planned_unwinds: { data: [{}] } },
};

test.for(Object.entries(poisons))('position page: %s → the position can be closed', async ([, fields]) => {
  const answer = /\/positions\/[^/?]+(\?|$)/;
  await page.route(answer, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    const json: OpenPosition = await response.json();
    return route.fulfill({ response, json: { ...json, ...fields } });
  });
  await openPage(`/positions/${position.id}`);
  await sellAll().click();
  expect(await isClosable()).toBe(true);
  await page.unroute(answer);
});

/** Fields of one row at once: its cells, its button and the other panels read them. */
const {
  'no figures of risk': risk,
  'no entry': entry,
  'no fees': fees,
  'no basis': basis,
  'null figures': figures,
} = poisons;

test('portfolio: figures of a row are unknown → the row is shown, and its position can be closed', async () => {
  const answer = /\/positions(\?|$)/;
  await page.route(answer, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    const foreign = { ...risk, ...entry, ...fees, ...basis, ...figures };
    const data = json.data.map((one: Position) => ({ ...one, ...foreign }));
    return route.fulfill({ response, json: { ...json, data } });
  });
  await openPage('/portfolio');
  const row = page.locator(`tr[data-row="${position.id}"]`);
  await row.getByRole('button', { name: 'Close' }).click();
  expect(await isClosable()).toBe(true);
  await page.unroute(answer);
});

test('position page: requests of every panel fail → the position can be closed', async () => {
  const others = /\/v1\/.*\/(price-history|partial-closes|transactions|fee-rates)/;
  await page.route(others, (route) => route.fulfill({ json: { data: 'none' } }));
  await openPage(`/positions/${position.id}`);
  await sellAll().click();
  expect(await isClosable()).toBe(true);
  await page.getByRole('link', { name: 'Portfolio' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Portfolio' }).waitFor();
  await page.unroute(others);
});

test('storage: every access throws → market, ticket and favourite work from memory', async () => {
  const visitor = await (await browser.newContext({ locale: 'en-US' })).newPage();
  await visitor.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
    }
  });
  for (const path of [`/markets/${encodeURIComponent(ticker)}`, '/', '/portfolio', '/pool']) {
    await visitor.goto('about:blank');
    await visitor.goto(`${file.consoleUrl}/#${path}`);
    await visitor.getByRole('heading', { level: 1 }).waitFor();
    expect(await visitor.getByText('Something went wrong').count()).toBe(0);
  }
  await visitor.goto(`${file.consoleUrl}/#/markets/${encodeURIComponent(ticker)}`);
  await visitor.getByRole('form', { name: 'Ticket' }).waitFor();
  await visitor.context().close();
});

test('old tab: no script can be loaded after the page is shown → the position is sold', async () => {
  await openPage(`/positions/${position.id}`);
  await sellAll().waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.route(/\/assets\/.*\.js/, (route) => route.fulfill({ status: 404, json: { message: 'page not found' } }));
  await sellAll().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Minimum price, ¢').fill('0');
  await dialog.getByRole('button', { name: 'Sell now' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByText('could not be loaded').count()).toBe(0);
});

test('old tab: the file of another page is missing → the page says so, and the typed amount survives the reload', async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await openPage(`/markets/${encodeURIComponent(ticker)}`);
  const amount = page.getByRole('form', { name: 'Ticket' }).locator('input[inputmode="decimal"]').first();
  await amount.fill('137');
  await page.route(/\/assets\/(CommandPalette|BreakItPage).*\.js/, (route) => route.fulfill({ status: 404 }));
  await page.keyboard.press('Control+k');
  await page.getByText('A part of this page could not be loaded').waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('button', { name: 'Reload', exact: true }).click();
  await page.getByText('A part of this page could not be loaded').waitFor({ state: 'detached' });
  await amount.waitFor();
  expect(await amount.inputValue()).toBe('137');
});
