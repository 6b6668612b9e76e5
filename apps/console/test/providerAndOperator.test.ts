import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { Lev } from '@core/sdk';
import { launchBrowser } from '@core/testkit/browser';
import { liquidityPoolAbi, vaultAbi } from '@core/vault';
import { VenueControl } from '@core/venue-sim/control';
import type { Browser, Page } from 'playwright-core';
import {
  createPublicClient,
  createTestClient,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  type PublicClient,
} from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inspect } from '../testing/inspect.ts';
import { type OpenSide, openBySdk, openSides, userOf } from '../testing/openBySdk.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { accountOf, type RunningStack, type StackFile, startStack } from '../testing/startStack.ts';
import { dollarsHeld, dollarsOfUnits } from '../web/src/money.ts';
import { sharePriceText, sharesText } from '../web/src/provide/shares.ts';

const patienceMs = 60_000;

let stack: RunningStack;
let file: StackFile;
let browser: Browser;
let page: Page;
let chain: PublicClient;
let sides: readonly OpenSide[];
/** Markets that a test has changed for good. */
const used = new Set<string>();
const hosts = new Set<string>();
const violations: string[] = [];

beforeAll(async () => {
  stack = await startStack();
  file = stack.file();
  sides = await openSides(file);
  chain = createPublicClient({ transport: http(file.rpcUrl) });
  browser = await launchBrowser();
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(patienceMs);
  page = await context.newPage();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text());
  });
});

beforeEach(() => reportFailure(page));

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const figure = (name: string) => page.locator(`[data-figure="${name}"]`);
const shows = (name: string, text: () => Promise<string>) =>
  expect
    .poll(async () => (await figure(name).textContent()) === (await text()), { timeout: patienceMs, interval: 500 })
    .toBe(true);
const pool = () => ({ address: file.contracts.pool, abi: liquidityPoolAbi }) as const;
const bobAddress = (): Hex => accountOf(file, 'bob').address;
const bookOf = () => chain.readContract({ ...pool(), functionName: 'bookOf' });

const usdcOf = async (owner: Hex) => {
  const address = (await new Lev({ baseUrl: file.apiUrl }).contractInfo()).polygon_usdc_token_address as Hex;
  return chain.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });
};

/** Sends from an address without its key: of a local chain only. */
async function sendAs(from: Hex, data: Hex): Promise<void> {
  const anvil = createTestClient({ mode: 'anvil', transport: http(file.rpcUrl) });
  await anvil.impersonateAccount({ address: from });
  await anvil.setBalance({ address: from, value: 10n ** 18n });
  const hash = await chain.request({
    method: 'eth_sendTransaction',
    params: [{ from, to: file.contracts.vault, data }],
  } as never);
  await chain.waitForTransactionReceipt({ hash: hash as Hex });
  await anvil.stopImpersonatingAccount({ address: from });
}

test('a visitor sees what a share brings, and why nothing can be lent', async () => {
  await page.goto(`${file.consoleUrl}#/pool`);
  await shows('share-price', async () =>
    sharePriceText(await chain.readContract({ ...pool(), functionName: 'convertToAssets', args: [10n ** 12n] })),
  );
  await shows('withdrawable', async () => dollarsHeld((await bookOf()).idleUsdcUnits));
  expect(await page.locator('#deposit-hint').textContent()).toBe('Sign in with a wallet to lend.');
});

/** The drawer of an action, opened: its curl line and its code. */
async function drawerOf(action: string): Promise<{ readonly curl: string; readonly code: string }> {
  const drawer = page.locator('details.drawer').filter({ hasText: `${action} as curl and code` });
  await drawer.locator('summary').click();
  const curl = (await drawer.locator('[data-code="curl"]').textContent()) ?? '';
  const code = (await drawer.locator('[data-code="code"]').textContent()) ?? '';
  await drawer.locator('summary').click();
  return { curl, code };
}
const bodyOfCurl = (curl: string): unknown => JSON.parse(/-d '(.*)'$/.exec(curl)?.[1] ?? '');

test('what the ticket shows as curl is a request that the service takes', async () => {
  const [chosen] = sides;
  if (chosen === undefined) throw new Error('a market takes positions');
  await page.goto(`${file.consoleUrl}#/markets/${encodeURIComponent(chosen.market.ticker)}`);
  await page.getByRole('form', { name: 'Ticket' }).waitFor();
  const { curl, code } = await drawerOf('Review');
  expect(code).toContain(`ticker: '${chosen.market.ticker}'`);
  expect(curl).toContain('"authorization: Bearer $LEV_TOKEN"');
  const partner = new Lev({ baseUrl: file.apiUrl, apiKey: file.partner.apiKey });
  const { token } = await partner.tokens.create({ wallet_address: bobAddress() });
  const url = /'(http[^']+)'/.exec(curl)?.[1] ?? '';
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
    body: JSON.stringify(bodyOfCurl(curl)),
  });
  expect(answer.status).toBe(201);
});

test('the tour ends with a liquidated position, and its steps are done by what happens', async () => {
  await page.getByRole('link', { name: 'Break it' }).click();
  const step = (name: string, isDone: boolean) => page.locator(`[data-step="${name}"][data-done="${isDone}"]`);
  await step('sign-in', false).getByRole('button', { name: 'Sign in as alice' }).click();
  await step('sign-in', true).waitFor();
  await step('open', false)
    .getByRole('link', { name: /^Open one in / })
    .waitFor();
  // Opened by another program: the tour asks what is, not what was clicked.
  const { taken, position } = await openBySdk(file, 'alice', sides);
  used.add(taken.market.ticker);
  await step('filled', true).waitFor();
  await page.reload();
  await step('fall', false).getByRole('button').first().waitFor();
  await inspect(page, 'break-it');
  await page.goto(`${file.consoleUrl}#/positions/${position.id}`);
  await page.getByRole('button', { name: /^Sell all/ }).waitFor();
  const { curl, code } = await drawerOf('Sell all');
  expect(code).toContain(`me.positions.get('${position.id}')`);
  const { params } = bodyOfCurl(curl) as { readonly params: readonly [{ readonly to: Hex; readonly data: Hex }] };
  const call = decodeFunctionData({ abi: vaultAbi, data: params[0].data });
  expect([params[0].to.toLowerCase(), call.functionName, call.args?.[0]]).toEqual([
    file.contracts.vault.toLowerCase(),
    'requestClose',
    position.on_chain_position_key,
  ]);
  await page.getByRole('link', { name: 'Break it' }).click();
  await step('fall', false)
    .getByRole('button', { name: /^Let the price fall to 0\.\d+$/ })
    .click();
  await step('fall', true).waitFor();
  await step('liquidated', true).waitFor();
  await page.getByText('All of it has happened.').waitFor();
  const { status } = await userOf(file, position.wallet_address).positions.get(position.id);
  expect(status).toBe('liquidated');
  await inspect(page, 'break-it-done');
});

test('the studio has every scenario, plays one, and shows why another is refused', async () => {
  const studio = page.getByRole('form', { name: 'Scenario' });
  const spare = sides.find(({ market }) => !used.has(market.ticker));
  if (spare === undefined) throw new Error('a market is left');
  const { ticker } = spare.market;
  const names = await studio.getByLabel('What happens').locator('option').allTextContents();
  const wanted = ['crash', 'depth drain', 'feed freeze', 'ghost fill', 'void', 'resolve', 'calm'];
  expect(names).toEqual(expect.arrayContaining(wanted));
  const play = studio.getByRole('button', { name: 'Play it' });
  expect(await studio.locator('#studio-hint').textContent()).toBe('Choose a market.');
  await studio.getByLabel('Market').selectOption(ticker);
  await studio.getByLabel('What happens').selectOption('dispute');
  await play.click();
  await studio.getByRole('alert').filter({ hasText: 'only a proposal can be disputed' }).waitFor();
  await studio.getByLabel('What happens').selectOption('depth_drain');
  await studio.getByLabel('remaining pct').fill('0');
  await studio.getByLabel('seconds').fill('3600');
  await play.click();
  await studio.getByText('Played: depth drain.').waitFor();
  const user = userOf(file, bobAddress());
  const asksOf = async () => (await user.markets.get(ticker, { expand: ['prices'] })).prices?.yes_ask_price_usd_pips;
  await expect.poll(asksOf, { timeout: patienceMs, interval: 1_000 }).toBeNull();
  await studio.getByLabel('What happens').selectOption('calm');
  await play.click();
  await expect.poll(asksOf, { timeout: patienceMs, interval: 1_000 }).toMatch(/^\d+$/);
});

test('an operator sees tasks, what is due, breakers, invariants, caps and keys', async () => {
  await page.getByRole('link', { name: 'Operate' }).click();
  await page.locator('[data-task="advanceDue"]').getByText('at work').waitFor();
  for (const name of ['service', 'keepers', 'venue', 'signers', 'opening', 'alarm']) {
    await page.locator(`[data-state="${name}"][data-good="true"]`).waitFor();
  }
  for (const name of ['pool-covers-book', 'vault-holds-nothing', 'loans-add-up', 'income-is-here']) {
    await page.locator(`[data-state="${name}"][data-good="true"]`).getByText('held').waitFor();
  }
  await shows('cap-total', async () => {
    const { totalCapUsdcUnits } = await chain.readContract({ ...pool(), functionName: 'parametersOf' });
    return `${dollarsHeld((await bookOf()).lentUsdcUnits)} of ${dollarsHeld(totalCapUsdcUnits)}`;
  });
  await page.locator('[data-exit="crypto"]').getByText('given').waitFor();
  await page.locator('[data-key]').first().getByText('active').waitFor();
  // A key shows as far as it may be known.
  expect(await page.locator('main').textContent()).not.toContain(file.partner.apiKey);
  await inspect(page, 'operate');
  process.kill(file.processes['price-signer'] ?? 0, 'SIGSTOP');
  await page.locator('[data-state="signers"][data-good="false"]').getByText('1 answer, 2 are needed').waitFor();
  process.kill(file.processes['price-signer'] ?? 0, 'SIGCONT');
  await page.locator('[data-state="signers"][data-good="true"]').waitFor();
});

test('only pages of this machine reach the venue and the operations', async () => {
  const statusOf = async (headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get(`${file.consoleUrl}/operate/api/partners`, { headers }, (answer) => resolve(answer.resume().statusCode)).once(
        'error',
        reject,
      );
    });
  expect(await statusOf({})).toBe(200);
  expect(await statusOf({ host: 'elsewhere.example' })).toBe(403);
  expect(await statusOf({ origin: 'https://elsewhere.example' })).toBe(403);
  expect(await statusOf({ 'x-forwarded-for': '10.0.0.9' })).toBe(403);
});

test('a deposit brings the shares that were shown, through a reload in the middle', async () => {
  await page.goto(`${file.consoleUrl}#/pool`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Sign in', { exact: true }).click();
  await page.getByRole('button', { name: 'bob', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.reload();
  const bobShares = () => chain.readContract({ ...pool(), functionName: 'balanceOf', args: [bobAddress()] });
  const before = await bobShares();
  const form = page.getByRole('form', { name: 'Deposit' });
  await form.getByLabel('Lend, USD').fill('250');
  await page
    .locator('#deposit-hint')
    .getByText(/^You get .* shares\.$/)
    .waitFor();
  const { curl, code } = await drawerOf('Deposit');
  expect(bodyOfCurl(curl)).toMatchObject({
    method: 'eth_call',
    params: [{ to: file.contracts.pool, from: bobAddress() }, 'latest'],
  });
  expect(code).toContain(`args: [250000000n, '${bobAddress()}']`);
  const shown = (await page.locator('#deposit-hint').textContent()) ?? '';
  await form.getByRole('button', { name: 'Deposit', exact: true }).click();
  await page.getByText('The chain has it.').waitFor();
  expect(shown).toBe(`You get ${sharesText((await bobShares()) - before)} shares.`);
  await shows('own-shares', async () => sharesText(await bobShares()));
});

test('a loan shows with its market, one that is marked and one that is lost with the reason', async () => {
  const { position, taken } = await openBySdk(
    file,
    'carol',
    sides.filter(({ market }) => !used.has(market.ticker)),
  );
  const { market, side } = taken;
  await shows('lent', async () => dollarsHeld((await bookOf()).lentUsdcUnits));
  await page.getByRole('link', { name: `${side.toUpperCase()} · ${market.title ?? market.ticker}` }).waitFor();
  await inspect(page, 'pool');
  const guardian = await chain.readContract({
    address: file.contracts.vault,
    abi: vaultAbi,
    functionName: 'guardian',
  });
  const key = position.on_chain_position_key as Hex;
  await sendAs(guardian, encodeFunctionData({ abi: vaultAbi, functionName: 'impair', args: [key, true] }));
  const { impairedUsdcUnits } = await bookOf();
  expect(impairedUsdcUnits).toBeGreaterThan(0n);
  await page.getByText(`Marked as likely lost: ${dollarsOfUnits(impairedUsdcUnits)}`).waitFor();
  await shows('impaired', async () => dollarsHeld((await bookOf()).impairedUsdcUnits));
  await new VenueControl(file.venueUrl).play('resolve', market.ticker, { outcome: side === 'yes' ? 'no' : 'yes' });
  await page.getByText('The market ended, and the payout was less than the loan.').waitFor();
  await page.getByText(`Lost: ${dollarsOfUnits(impairedUsdcUnits)}`, { exact: true }).waitFor();
  await page.getByText('Nothing is lent.').waitFor();
  await inspect(page, 'pool-losses');
});

test('leaving is asked for, and the page says when the waiting time ends', async () => {
  const ask = page.getByRole('form', { name: 'Ask to leave' });
  const button = ask.getByRole('button', { name: 'Ask to leave' });
  expect(await ask.locator('#request-hint').textContent()).toBe('Say that you know it cannot be taken back.');
  await ask.getByLabel('Shares to ask for; empty for all').fill('100');
  await ask.getByLabel('I know that this cannot be taken back').check();
  await button.click();
  const request = () => chain.readContract({ ...pool(), functionName: 'redeemRequestOf', args: [bobAddress()] });
  await expect.poll(async () => (await request()).shares).toBe(100n * 10n ** 12n);
  await shows('asked-cap', async () => dollarsHeld((await request()).capUsdcUnits));
  await page.getByText(/^Its waiting time ends /).waitFor();
});

test('after the waiting time what was asked for is withdrawn', async () => {
  await page.getByRole('link', { name: 'Break it' }).click();
  const clock = page.getByRole('region', { name: 'Clock' });
  await clock.getByLabel('Go forward by').selectOption({ label: 'a day' });
  await clock.getByRole('button', { name: 'Move the clock' }).click();
  await clock.getByText('It never goes back.').waitFor();
  await page.getByRole('link', { name: 'Pool' }).click();
  const request = () => chain.readContract({ ...pool(), functionName: 'redeemRequestOf', args: [bobAddress()] });
  const { capUsdcUnits } = await request();
  const before = await usdcOf(bobAddress());
  await page.getByRole('button', { name: `Withdraw ${dollarsHeld(capUsdcUnits)}` }).click();
  await expect.poll(async () => (await request()).shares, { timeout: patienceMs }).toBe(0n);
  expect((await usdcOf(bobAddress())) - before).toBe(capUsdcUnits);
});

test('no other host is asked, and no content policy is broken', () => {
  const known = new Set([file.consoleUrl, file.apiUrl, file.rpcUrl].map((url) => new URL(url).host));
  expect([...hosts].filter((host) => !known.has(host))).toEqual([]);
  expect(violations).toEqual([]);
});
