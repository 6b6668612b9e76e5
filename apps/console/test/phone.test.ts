import { Lev, type Market } from '@core/sdk';
import { launchBrowser } from '@core/testkit/browser';
import { VenueControl } from '@core/venue-sim/control';
import type { Browser, Page } from 'playwright-core';
import { createPublicClient, erc20Abi, type Hex, http } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accessibilityOffences } from '../testing/accessibility.ts';
import { openSideOf } from '../testing/openBySdk.ts';
import { takePictures } from '../testing/pictures.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { sharedStack } from '../testing/sharedStack.ts';
import { accountOf, type StackFile } from '../testing/startStack.ts';
import { staleTextOf, translatePage } from '../testing/translatedPage.ts';

const patienceMs = 60_000;
const phone = { width: 390, height: 844 };
const trader = 'bob';

let file: StackFile;
let browser: Browser;
/** Page on a phone, and one on a desktop without an account. */
let page: Page;
let desktop: Page;
let market: Market;

const openPage = async (options: object): Promise<Page> => {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  context.setDefaultTimeout(patienceMs);
  return context.newPage();
};

beforeAll(async () => {
  file = (await sharedStack()).file();
  ({ market } = await openSideOf(file, ['yes']));
  browser = await launchBrowser();
  page = await openPage({ viewport: phone, hasTouch: true, isMobile: true });
  desktop = await openPage({});
});

beforeEach(() => reportFailure(page));

afterAll(async () => {
  await browser?.close();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const bottomBar = () => page.getByRole('navigation', { name: 'Main pages' });

async function usdcUnits(): Promise<bigint> {
  const { polygon_usdc_token_address: usdc } = await new Lev({ baseUrl: file.apiUrl }).contractInfo();
  const chain = createPublicClient({ transport: http(file.rpcUrl) });
  const args = [accountOf(file, trader).address] as const;
  return chain.readContract({ address: usdc as Hex, abi: erc20Abi, functionName: 'balanceOf', args });
}

test('phone: signed in with a named account → test USDC at the press of a button', async () => {
  await page.goto(file.consoleUrl);
  await page.getByText('Sign in', { exact: true }).tap();
  await button(trader).tap();
  const before = await usdcUnits();
  await button('Get test USDC').tap();
  await page.getByText('$10,000.00 of test USDC received.').waitFor();
  const after = await usdcUnits();
  expect(after - before).toBe(10_000_000_000n);
  await bottomBar().getByRole('link', { name: 'Portfolio' }).tap();
  await expect.poll(() => page.locator('[data-figure="usdc"]').getAttribute('data-units')).toBe(String(after));
  await bottomBar().getByRole('link', { name: 'Markets' }).tap();
});

test('phone: a market of the list → a sheet with the ticket, which accepts a decimal comma', async () => {
  await page.locator(`tr[data-row="${market.ticker}"]`).getByRole('link').tap();
  await button('Trade').tap();
  await page.getByRole('radio', { name: /^yes/i }).check({ force: true });
  // A size above the granted maximum: a tap fills in the one that is granted, until the book changes.
  await page.getByLabel('Size, USD').fill('10000000');
  const suggestion = button(/^Use \$/);
  await suggestion.waitFor();
  await expect
    .poll(async () => {
      if (await suggestion.isVisible()) await suggestion.tap({ timeout: 1_000 }).catch(() => undefined);
      return page.locator('#ticket-hint').textContent();
    })
    .toContain('Nothing is sent yet.');
  expect(Number(await page.getByLabel('Size, USD').inputValue())).toBeGreaterThan(0);
  await page.getByLabel('Size, USD').fill('60,50');
  await expect.poll(() => page.locator('#ticket-hint').textContent()).toContain('Nothing is sent yet.');
  await page.getByRole('slider').press('Home');
  expect(await page.locator('.sheet').getByRole('link', { name: 'How you lose money here' }).count()).toBe(1);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(phone.width);
  expect(await accessibilityOffences(page)).toEqual([]);
});

test('phone: the order is reviewed and opened → the position in the portfolio, closed in its row', async () => {
  await button('Review').tap();
  const accept = button('Accept the risk and review');
  await accept.or(button('Open this position')).first().waitFor();
  if (await accept.isVisible()) await accept.tap();
  await button('Open this position').tap();
  await page.getByRole('link', { name: 'View position' }).waitFor();
  await page.getByRole('link', { name: 'View position' }).tap();
  // A failure shows the reason of a refund here.
  await page
    .locator('[data-figure="position-status"]')
    .getByText(/· Open$/)
    .waitFor();
  await page.locator('[data-figure="pnl"]').waitFor();
  await bottomBar().getByRole('link', { name: 'Portfolio' }).tap();
  await page.getByRole('region', { name: 'Open positions' }).getByRole('button', { name: 'Close' }).tap();
  await button('Sell now').tap();
  await page.getByText('No open position.').waitFor();
  await button('Closed (1)').tap();
  const closedRows = page.getByRole('region', { name: 'Closed positions' }).locator('tbody tr');
  await expect.poll(() => closedRows.count()).toBe(1);
});

test('keyboard: palette and letters → the page or market of that name', async () => {
  await desktop.goto(file.consoleUrl);
  await desktop.locator('tbody tr').first().waitFor();
  await desktop.keyboard.press('g');
  await desktop.keyboard.press('l');
  await desktop.getByRole('heading', { level: 1, name: 'Pool' }).waitFor();
  await desktop.keyboard.press('Control+k');
  const search = desktop.getByRole('combobox', { name: 'Page or market' });
  await search.fill('lose money');
  expect(await accessibilityOffences(desktop)).toEqual([]);
  await search.press('Enter');
  await desktop.getByRole('heading', { level: 1, name: 'How you lose money here' }).waitFor();
  await desktop.getByText('Liquidation fee: 1.00 %.').waitFor();
  expect(await accessibilityOffences(desktop)).toEqual([]);
  await takePictures(desktop, 'risk');
  await desktop.keyboard.press('Control+k');
  await search.fill(market.title ?? market.ticker);
  await search.press('ArrowDown');
  await search.press('ArrowUp');
  await search.press('Enter');
  await desktop.getByRole('form', { name: 'Ticket' }).waitFor();
});

test('market page that the browser translates: its price moves → each text is the rendered one', async () => {
  const translated = await openPage({});
  const errors: string[] = [];
  translated.on('pageerror', ({ message }) => errors.push(message));
  await translatePage(translated);
  await translated.goto(`${file.consoleUrl}/#/markets/${market.ticker}`);
  const choice = translated.locator('.side-buttons label[data-side="yes"]');
  await choice.getByText('¢').waitFor();
  expect(await translated.locator('font').count()).toBeGreaterThan(20);
  const venue = new VenueControl(file.venueUrl);
  for (const price of ['0.4', '0.5']) {
    const before = await choice.textContent();
    await venue.pin([market.ticker], price);
    await expect.poll(() => choice.textContent(), { timeout: patienceMs }).not.toBe(before);
    expect(await staleTextOf(translated)).toBeNull();
  }
  await translated.getByRole('link', { name: 'Pool', exact: true }).first().click();
  await translated.getByRole('heading', { level: 1, name: 'Pool' }).waitFor();
  expect(await staleTextOf(translated)).toBeNull();
  expect(errors).toEqual([]);
  await translated.close();
});

/** Install a wallet at `window.ethereum` that knows no chain but its own until one is added; runs in the page. */
function installWallet({ address }: { readonly address: string }): void {
  const calls: string[] = [];
  let chainId = '0x1';
  const request = async ({ method }: { readonly method: string }): Promise<unknown> => {
    calls.push(method);
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [address];
    if (method === 'eth_chainId') return chainId;
    if (method === 'wallet_switchEthereumChain') throw Object.assign(new Error('unknown chain'), { code: 4_902 });
    if (method === 'wallet_addEthereumChain') chainId = '0x7a69';
    if (method === 'eth_sendTransaction') throw Object.assign(new Error('rejected'), { code: 4_001 });
    return null;
  };
  Object.assign(globalThis, { ethereum: { request }, walletCalls: calls });
}

test('exit page: a wallet at window.ethereum on another chain → the chain is added before anything is sent', async () => {
  const exit = await openPage({});
  await exit.addInitScript(installWallet, { address: accountOf(file, 'lp').address });
  await exit.goto(`${file.consoleUrl}/exit.html`);
  await exit.getByRole('link', { name: '← Markets' }).waitFor();
  await exit.getByRole('button', { name: 'Connect' }).click();
  await exit.getByRole('button', { name: 'Browser wallet' }).click();
  await exit.getByRole('button', { name: /^Request withdrawal/ }).click();
  await exit.getByRole('alert').filter({ hasText: 'The wallet refused: nothing was sent.' }).waitFor();
  const calls = await exit.evaluate(() => Reflect.get(globalThis, 'walletCalls') as readonly string[]);
  expect(calls.slice(-4)).toEqual([
    'eth_chainId',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'eth_sendTransaction',
  ]);
  await exit.close();
});
