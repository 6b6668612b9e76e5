import { pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import { Lev, type LevUser, type OpenPosition, type Position } from '@core/sdk';
import { launchBrowser } from '@core/testkit/browser';
import { createPositionFieldsOf, toCreateRequestStruct, vaultAbi } from '@core/vault';
import { VenueControl } from '@core/venue-sim/control';
import type { Browser, Page } from 'playwright-core';
import { createWalletClient, erc20Abi, type Hex, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inspect } from '../testing/inspect.ts';
import { type OpenSide, openBySdk, openSides, userOf } from '../testing/openBySdk.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { accountOf, type RunningStack, type StackFile, startStack } from '../testing/startStack.ts';

const patienceMs = 60_000;

let stack: RunningStack;
let file: StackFile;
let browser: Browser;
let page: Page;
let owner: StackFile['accounts'][number];
let me: LevUser;
let usdc: Hex;
/** The position that the tests go through the life of. */
let opened: Position;
/** The side it is on, and one of another market. */
let taken: OpenSide;
let other: OpenSide;
let venue: VenueControl;

beforeAll(async () => {
  stack = await startStack();
  file = stack.file();
  owner = accountOf(file, 'alice');
  me = userOf(file, owner.address);
  usdc = (await new Lev({ baseUrl: file.apiUrl }).contractInfo()).polygon_usdc_token_address as Hex;
  venue = new VenueControl(file.venueUrl);
  const sides = await openSides(file);
  ({ position: opened, taken } = await openBySdk(file, owner.name, sides));
  const found = sides.find(({ market }) => market.ticker !== taken.market.ticker);
  if (found === undefined) throw new Error('only one market takes positions');
  other = found;
  browser = await launchBrowser();
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(patienceMs);
  page = await context.newPage();
  await page.goto(`${file.consoleUrl}#/positions/${opened.id}`);
  await page.getByText('Sign in', { exact: true }).click();
  await page.getByRole('button', { name: owner.name, exact: true }).click();
});

beforeEach(() => reportFailure(page));

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const walletOf = () =>
  createWalletClient({
    account: privateKeyToAccount(owner.privateKey),
    chain: foundry,
    transport: http(file.rpcUrl),
  }).extend(publicActions);
const balance = () =>
  walletOf().readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [owner.address] });
const onChain = (key = opened.on_chain_position_key) =>
  walletOf().readContract({
    address: file.contracts.vault,
    abi: vaultAbi,
    functionName: 'positionOf',
    args: [key as Hex],
  });
const current = async (): Promise<OpenPosition> => {
  const position = await me.positions.get(opened.id);
  if (!('current' in position)) throw new Error(`the position is ${position.status}`);
  return position;
};
const status = () => page.locator('[data-figure="position-status"]');
const isConfirmed = () => page.getByText('The chain has it.').waitFor();

test('margin lowers debt and liquidation price by what the page showed before', async () => {
  const form = page.getByRole('form', { name: 'Add margin' });
  await form.getByLabel('Repay debt with, USD').fill('2.50');
  const shown = await form.locator('[data-figure="liquidation-change"]').textContent();
  await inspect(page, 'position-actions');
  const before = { debt: (await onChain()).principalUsdcUnits, usdc: await balance() };
  await form.getByRole('button', { name: 'Add margin' }).click();
  await isConfirmed();
  expect(before.usdc - (await balance())).toBe(2_500_000n);
  // Fees accrued so far are paid first; the rest lowers the principal.
  const paidOff = before.debt - (await onChain()).principalUsdcUnits;
  expect(paidOff).toBeGreaterThan(2_490_000n);
  expect(paidOff).toBeLessThanOrEqual(2_500_000n);
  const liquidation = page.locator('[data-figure="liquidation"]');
  await expect
    .poll(async () => shown?.endsWith((await liquidation.textContent()) ?? ''), { timeout: patienceMs })
    .toBe(true);
});

test('a part is sold: the tokens that are left are those of service and chain', async () => {
  const form = page.getByRole('form', { name: 'Sell a part' });
  const before = BigInt((await current()).current.position_token_units);
  await form.getByRole('button', { name: /^Sell / }).click();
  await isConfirmed();
  const parts = page.getByRole('region', { name: 'Parts sold' });
  await parts.getByRole('listitem').first().waitFor();
  const after = BigInt((await current()).current.position_token_units);
  expect(after).toBeLessThan(before);
  expect((await onChain()).tokenUnits).toBe(after);
  await expect
    .poll(() => page.locator('[data-figure="tokens"]').getAttribute('data-units'), { timeout: patienceMs })
    .toBe(String(after));
});

test('a request to sell that finds no bid is withdrawn, and leaves everything as it was', async () => {
  const { tokenUnits: held } = await onChain();
  await venue.play('depth_drain', taken.market.ticker, { remaining_pct: 0, seconds: 3_600 });
  await page.getByRole('button', { name: /^Sell all/ }).click();
  await page.getByRole('button', { name: 'Withdraw the request to sell' }).click();
  await page.getByRole('button', { name: /^Sell all/ }).waitFor();
  expect((await onChain()).tokenUnits).toBe(held);
  await venue.play('calm', taken.market.ticker, {});
  await venue.pin([taken.market.ticker], '0.5');
});

test('all is sold, and the page shows what the wallet got', async () => {
  await page.getByRole('button', { name: /^Sell all/ }).click();
  await status()
    .getByText(/· Closed/)
    .waitFor();
  await page.locator('[data-figure="proceeds"]').waitFor();
  expect((await me.positions.get(opened.id)).status).toBe('closed');
  await inspect(page, 'position-closed');
});

test('what comes to its account after the end is claimed', async () => {
  const wallet = walletOf();
  const key = opened.on_chain_position_key as Hex;
  const claim = page.getByRole('button', { name: 'Claim', exact: true });
  await claim.click();
  await page.getByRole('alert').filter({ hasText: 'nothing to claim' }).waitFor();
  const account = await wallet.readContract({
    address: file.contracts.vault,
    abi: vaultAbi,
    functionName: 'accountOf',
    args: [key],
  });
  const before = await balance();
  const hash = await wallet.writeContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [account, 3_000_000n],
  });
  await wallet.waitForTransactionReceipt({ hash });
  await claim.click();
  await isConfirmed();
  expect(await balance()).toBe(before);
});

test('an opening that no order can fill is cancelled, and everything comes back', async () => {
  const wallet = walletOf();
  const order = { ticker: other.market.ticker, side: other.side, leverage: '2', notionalUsd: '40' };
  const quote = await me.quotes.create(order);
  const limits = {
    venueFeeUsdcUnits: usdcUnits(BigInt(quote.expected_open_trading_fee_usdc_units)),
    minPositionTokenUnits: tokenUnits(2n ** 47n),
    maxLiquidationPricePips: pricePips(9_999n),
    minFillBps: rateBps(10_000n),
  };
  const before = await balance();
  const [approval] = await me.positions.open(quote).transactions();
  const approved = await wallet.sendTransaction({ to: approval?.to as Hex, data: approval?.data as Hex });
  await wallet.waitForTransactionReceipt({ hash: approved });
  const created = await wallet.writeContract({
    address: file.contracts.vault,
    abi: vaultAbi,
    functionName: 'createPosition',
    args: [toCreateRequestStruct(createPositionFieldsOf(quote), limits), quote.contract_signature as Hex],
  });
  await wallet.waitForTransactionReceipt({ hash: created });
  await expect.poll(() => me.positions.byKey(quote.on_chain_position_key), { timeout: patienceMs }).not.toBeNull();
  const position = await me.positions.byKey(quote.on_chain_position_key);
  await page.goto(`${file.consoleUrl}#/positions/${position?.id}`);
  await page.getByRole('button', { name: 'Cancel the opening' }).click();
  await status()
    .getByText(/· Cancelled/)
    .waitFor();
  expect(await balance()).toBe(before);
});
