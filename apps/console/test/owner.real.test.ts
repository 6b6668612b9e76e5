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
import { type OpenSide, openBySdk, openSideOf, openSides, userOf } from '../testing/openBySdk.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { sharedStack } from '../testing/sharedStack.ts';
import { accountOf, type RunningStack, type StackFile } from '../testing/startStack.ts';
import { tokens } from '../web/src/money.ts';

const patienceMs = 60_000;

let stack: RunningStack;
let file: StackFile;
let browser: Browser;
let page: Page;
let owner: StackFile['accounts'][number];
let me: LevUser;
let usdc: Hex;
/** Position whose whole life the tests cover. */
let startPosition: Position;
/** Side of the position, and a side of another market. */
let openSide: OpenSide;
let other: OpenSide;
let venue: VenueControl;

beforeAll(async () => {
  stack = await sharedStack();
  file = stack.file();
  owner = accountOf(file, 'alice');
  me = userOf(file, owner.address);
  usdc = (await new Lev({ baseUrl: file.apiUrl }).contractInfo()).polygon_usdc_token_address as Hex;
  venue = new VenueControl(file.venueUrl);
  ({ position: startPosition, openSide } = await openBySdk(file, owner.name, await openSides(file, 2)));
  other = await openSideOf(file);
  browser = await launchBrowser();
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(patienceMs);
  page = await context.newPage();
  await page.goto(`${file.consoleUrl}#/positions/${startPosition.id}`);
  await page.getByText('Sign in', { exact: true }).click();
  await page.getByRole('button', { name: owner.name, exact: true }).click();
});

beforeEach(() => reportFailure(page));

afterAll(async () => {
  await browser?.close();
});

const walletOf = () =>
  createWalletClient({
    account: privateKeyToAccount(owner.privateKey),
    chain: foundry,
    transport: http(file.rpcUrl),
  }).extend(publicActions);
const balance = () =>
  walletOf().readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [owner.address] });
const onChain = (key = startPosition.on_chain_position_key) =>
  walletOf().readContract({
    address: file.contracts.vault,
    abi: vaultAbi,
    functionName: 'positionOf',
    args: [key as Hex],
  });
const current = async (): Promise<OpenPosition> => {
  const position = await me.positions.get(startPosition.id);
  if (!('current' in position)) throw new Error(`the position is ${position.status}`);
  return position;
};
const status = () => page.locator('[data-figure="position-status"]');
/** Sell all tokens at any price, with the dialog. */
async function sellAll(): Promise<void> {
  await page.getByRole('button', { name: /^Sell all/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Minimum price, ¢').fill('0');
  await dialog.getByRole('button', { name: 'Sell now' }).click();
  await dialog.waitFor({ state: 'detached' });
}
const isConfirmed = () => page.getByText('Confirmed.').waitFor();

test('margin: a payment → debt and liquidation price as previewed', async () => {
  await page.getByRole('button', { name: 'Add margin' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: '100 %' }).click();
  await form.getByText('Only what is owed is taken.').waitFor();
  await form.getByLabel('Repay debt with, USD').fill('2.50');
  const preview = await form.locator('[data-figure="liquidation-change"]').textContent();
  await inspect(page, 'position-actions');
  const before = { debt: (await onChain()).principalUsdcUnits, usdc: await balance() };
  await form.getByRole('button', { name: 'Add margin' }).click();
  await form.waitFor({ state: 'detached' });
  expect(before.usdc - (await balance())).toBe(2_500_000n);
  // Fees accrued so far are paid first; the rest lowers the principal.
  const paidOff = before.debt - (await onChain()).principalUsdcUnits;
  expect(paidOff).toBeGreaterThan(2_490_000n);
  expect(paidOff).toBeLessThanOrEqual(2_500_000n);
  const liquidation = page.locator('[data-figure="liquidation"]');
  await expect
    .poll(async () => preview?.endsWith((await liquidation.textContent()) ?? ''), { timeout: patienceMs })
    .toBe(true);
});

test('partial sale: remaining tokens → equal to those of service and chain', async () => {
  const before = BigInt((await current()).current.position_token_units);
  await page.getByRole('button', { name: 'Sell a part' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '25 %' }).click();
  await dialog.getByLabel('Minimum price, ¢').fill('0');
  const preview = await dialog.locator('[data-figure="tokens-change"]').textContent();
  await inspect(page, 'position-part');
  await dialog.getByRole('button', { name: 'Sell now' }).click();
  await dialog.waitFor({ state: 'detached' });
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText(/Sold .* tokens at .* paid to the wallet/).waitFor();
  const after = BigInt((await current()).current.position_token_units);
  expect(after).toBe(before - (before / 4n / 10_000n) * 10_000n);
  expect(preview?.endsWith(`→ ${tokens(String(after))}`)).toBe(true);
  expect((await onChain()).tokenUnits).toBe(after);
  await expect
    .poll(() => page.locator('[data-figure="tokens"]').getAttribute('data-units'), { timeout: patienceMs })
    .toBe(String(after));
});

test('sale request: no bid, then withdrawn → the position is unchanged', async () => {
  const { tokenUnits: held } = await onChain();
  await venue.play('depth_drain', openSide.market.ticker, { remaining_pct: 0, seconds: 3_600 });
  await sellAll();
  await page.getByRole('button', { name: 'Withdraw sale request' }).click();
  await page.getByRole('button', { name: /^Sell all/ }).waitFor();
  expect((await onChain()).tokenUnits).toBe(held);
  await venue.play('calm', openSide.market.ticker, {});
  await venue.pin([openSide.market.ticker], '0.5');
});

test('sale: all tokens → the page shows the payout of the wallet', async () => {
  await sellAll();
  await status()
    .getByText(/· Closed/)
    .waitFor();
  await page.locator('[data-figure="proceeds"]').waitFor();
  expect((await me.positions.get(startPosition.id)).status).toBe('closed');
  await inspect(page, 'position-closed');
});

test('claim: funds that arrive after the close → paid to the owner', async () => {
  const wallet = walletOf();
  const key = startPosition.on_chain_position_key as Hex;
  const claim = page.getByRole('button', { name: 'Claim', exact: true });
  await page.getByText('There is nothing to claim.').waitFor();
  expect(await claim.count()).toBe(0);
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

test('cancellation: an opening that no order can fill → fully refunded', async () => {
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
  // Without price signers the keeper gets no order for the opening: it neither grants one nor gives the opening up.
  await stack.whileSuspended(['price-signer', 'second-price-signer'], async () => {
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
    expect(await balance()).toBeLessThan(before);
    await page.goto(`${file.consoleUrl}#/positions/${position?.id}`);
    await page.getByRole('button', { name: 'Cancel opening' }).click();
    await status()
      .getByText(/· Cancelled$/)
      .waitFor();
    expect(await balance()).toBe(before);
  });
});
