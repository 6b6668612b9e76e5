import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Lev, type OpenPosition } from '@core/sdk';
import { launchBrowser } from '@core/testkit/browser';
import { liquidityPoolAbi, vaultAbi } from '@core/vault';
import { VenueControl } from '@core/venue-sim/control';
import type { Browser, Page } from 'playwright-core';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  type PublicClient,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inspect } from '../testing/inspect.ts';
import { type OpenSide, openBySdk, openSides, userOf } from '../testing/openBySdk.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { accountOf, type OwnStack, type StackFile, startStack } from '../testing/startStack.ts';
import { cents, dollarsHeld, dollarsOfUnits } from '../web/src/money.ts';
import { sharePriceText, sharesText } from '../web/src/provide/shares.ts';

const patienceMs = 60_000;

/** Stack of this file alone: it advances the clock and loses loans. */
let stack: OwnStack;
let file: StackFile;
let browser: Browser;
let page: Page;
let chain: PublicClient;
let sides: readonly OpenSide[];
/** Tickers of markets that a test has changed permanently. */
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

/** Send from an address without its key; possible on a local chain only. */
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

test('pool: a visitor → share price and return, and the reason why a deposit is disabled', async () => {
  await page.goto(`${file.consoleUrl}#/pool`);
  await shows('share-price', async () =>
    sharePriceText(await chain.readContract({ ...pool(), functionName: 'convertToAssets', args: [10n ** 12n] })),
  );
  await shows('withdrawable', async () => dollarsHeld((await bookOf()).idleUsdcUnits));
  expect(await page.locator('#deposit-hint').textContent()).toBe('Sign in with a wallet to deposit.');
  await figure('apr-7').getByText('after 7 days').waitFor();
  // Interest of 10 %, of which the protocol keeps a fifth, at a cap of 80 %.
  await figure('yield-cap').getByText('6.4 %').waitFor();
  const guide = await page.getByRole('link', { name: 'Guide for liquidity providers' }).getAttribute('href');
  expect(await (await fetch(new URL(guide ?? '', file.consoleUrl))).text()).toMatch(/^# For liquidity providers/);
});

/** Open the drawer of an action and return its curl line and its code. */
async function drawerOf(action: string): Promise<{ readonly curl: string; readonly code: string }> {
  const drawer = page.locator('details.drawer').filter({ hasText: `${action} as curl and code` });
  await drawer.locator('summary').click();
  const curl = (await drawer.locator('[data-code="curl"]').textContent()) ?? '';
  const code = (await drawer.locator('[data-code="code"]').textContent()) ?? '';
  await drawer.locator('summary').click();
  return { curl, code };
}
const bodyOfCurl = (curl: string): unknown => JSON.parse(/-d '(.*)'$/.exec(curl)?.[1] ?? '');

test('ticket: its curl command → accepted by the service', async () => {
  const [chosen] = sides;
  if (chosen === undefined) throw new Error('no market accepts positions');
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

test('tour: observed effects → complete every step, up to a liquidated position', async () => {
  await page.getByRole('link', { name: 'Break it' }).click();
  const step = (name: string, isDone: boolean) => page.locator(`[data-step="${name}"][data-done="${isDone}"]`);
  await step('sign-in', false).getByRole('button', { name: 'Sign in as alice' }).click();
  await step('sign-in', true).waitFor();
  await step('open', false)
    .getByRole('link', { name: /^Open one in / })
    .waitFor();
  // Opened by another program: the tour reads the actual state, not the clicks.
  const { openSide, position } = await openBySdk(file, 'alice', sides);
  used.add(openSide.market.ticker);
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
  await page.getByText('All steps are done.').waitFor();
  const { status } = await userOf(file, position.wallet_address).positions.get(position.id);
  expect(status).toBe('liquidated');
  await inspect(page, 'break-it-done');
});

test('scenarios: all are listed → one is played, and a refused one states its reason', async () => {
  const studio = page.getByRole('form', { name: 'Scenario' });
  const spare = sides.find(({ market }) => !used.has(market.ticker));
  if (spare === undefined) throw new Error('no unused market remains');
  const { ticker } = spare.market;
  const names = await studio.getByLabel('Scenario').locator('option').allTextContents();
  const scenarioNames = ['crash', 'depth drain', 'feed freeze', 'ghost fill', 'void', 'resolve', 'calm'];
  expect(names).toEqual(expect.arrayContaining(scenarioNames));
  const play = studio.getByRole('button', { name: 'Run' });
  expect(await studio.locator('#studio-hint').textContent()).toBe('Choose a market.');
  await studio.getByLabel('Market').selectOption(ticker);
  await studio.getByLabel('Scenario').selectOption('dispute');
  await play.click();
  await studio.getByRole('alert').filter({ hasText: 'only a proposal can be disputed' }).waitFor();
  await studio.getByLabel('Scenario').selectOption('depth_drain');
  await studio.getByLabel('remaining pct').fill('0');
  await studio.getByLabel('seconds').fill('3600');
  await play.click();
  await studio.getByText('Done: depth drain.').waitFor();
  const user = userOf(file, bobAddress());
  const asksOf = async () => (await user.markets.get(ticker, { expand: ['prices'] })).prices?.yes_ask_price_usd_pips;
  await expect.poll(asksOf, { timeout: patienceMs, interval: 1_000 }).toBeNull();
  await studio.getByLabel('Scenario').selectOption('calm');
  await play.click();
  await expect.poll(asksOf, { timeout: patienceMs, interval: 1_000 }).toMatch(/^\d+$/);
});

test('operator page: a running stack → tasks, due work, breakers, invariants, caps and keys', async () => {
  const { position, openSide } = await openBySdk(
    file,
    'alice',
    sides.filter(({ market }) => !used.has(market.ticker)),
  );
  used.add(openSide.market.ticker);
  await page.getByRole('link', { name: 'Operate' }).click();
  await page.locator('[data-task="advanceDue"]').getByText('running').waitFor();
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
  const debtRow = page.locator(`[data-debt="${position.on_chain_position_key}"]`);
  await debtRow
    .locator('td')
    .last()
    .getByText(/^[\d.]+ %$/)
    .waitFor();
  const alice = accountOf(file, 'alice');
  const { positions } = userOf(file, alice.address);
  const { risk } = (await positions.get(position.id)) as OpenPosition;
  expect(await debtRow.locator('td').nth(4).textContent()).toBe(cents(risk.current_liquidation_price_usd_pips));
  const wallet = createWalletClient({ account: privateKeyToAccount(alice.privateKey), transport: http(file.rpcUrl) });
  await positions.addMargin(position, { wallet, amountUsd: '500' });
  await debtRow.waitFor({ state: 'detached' });
  await page.locator('[data-exit="crypto"]').getByText('open').waitFor();
  await page.locator('[data-key]').first().getByText('active').waitFor();
  // A key is shown by its public prefix only.
  expect(await page.locator('main').textContent()).not.toContain(file.partner.apiKey);
  process.kill(file.processes['price-signer'] ?? 0, 'SIGSTOP');
  await page.locator('[data-state="signers"][data-good="false"]').getByText('1 respond, 2 required').waitFor();
  process.kill(file.processes['price-signer'] ?? 0, 'SIGCONT');
  await page.locator('[data-state="signers"][data-good="true"]').waitFor();
});

test('operator page: one stream → the history of the last hour, and at most one request per second', async () => {
  const urls: string[] = [];
  const record = (request: { url(): string }): unknown => urls.push(request.url());
  page.on('request', record);
  await page.reload();
  const sparklineOf = (name: string) => figure(name).locator('.sparkline');
  for (const name of ['lead-head', 'lead-nonce', 'lead-refusals']) await sparklineOf(name).waitFor();
  await shows('lead-tasks', async () => `${await page.locator('[data-task]').count()} running`);
  expect(urls.filter((url) => url.includes('/operate/'))).toEqual([`${file.consoleUrl}/operate/stream`]);
  urls.length = 0;
  const ageTexts = new Set<string | null>();
  const seconds = 24;
  for (let second = 0; second < seconds; second += 1) {
    await delay(1_000);
    ageTexts.add(await page.locator('[data-task="removeExpired"]').textContent());
  }
  page.off('request', record);
  expect(urls.filter((url) => url.includes('/operate/'))).toEqual([]);
  expect(urls.length / seconds).toBeLessThanOrEqual(1);
  // Figures change meanwhile.
  expect(ageTexts.size).toBeGreaterThan(2);
  await inspect(page, 'operate');
});

test('operator page: a program or the whole stream is silent → it is named, and its figures are marked as old', async () => {
  const isOld = (name: string) => figure(name).locator('xpath=ancestor::div[@data-old="true"]');
  await stack.whileUnsupervised(async () => {
    await stack.whileSuspended(['keeper'], async () => {
      await page.getByText('No status from keeper: no response in time').waitFor();
      await isOld('followed').waitFor();
      const alerts = page.getByRole('region', { name: 'Alerts that are true now' });
      await alerts.getByText('pending, fires after 1 min').waitFor();
      expect(await alerts.getByRole('link').allTextContents()).toEqual(['ProgramAway']);
      // The API continues.
      await page.locator('[data-old="false"] [data-state="service"]').waitFor();
    });
    await expect.poll(() => isOld('followed').count(), { timeout: patienceMs }).toBe(0);
    await stack.whileSuspended(['console'], async () => {
      await page.getByText(/^No figures since /).waitFor();
      await isOld('lead-head').waitFor();
    });
  });
  await expect.poll(() => isOld('lead-head').count(), { timeout: patienceMs }).toBe(0);
});

test('local routes: pages of other machines → refused', async () => {
  const statusOf = async (headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      // A stream does not end by itself.
      get(`${file.consoleUrl}/operate/stream`, { headers }, (answer) => {
        resolve(answer.statusCode);
        answer.destroy();
      }).once('error', reject);
    });
  expect(await statusOf({})).toBe(200);
  expect(await statusOf({ host: 'elsewhere.example' })).toBe(403);
  expect(await statusOf({ origin: 'https://elsewhere.example' })).toBe(403);
  expect(await statusOf({ 'x-forwarded-for': '10.0.0.9' })).toBe(403);
});

test('deposit: a reload in the middle → the previewed shares', async () => {
  await page.goto(`${file.consoleUrl}#/pool`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Sign in', { exact: true }).click();
  await page.getByRole('button', { name: 'bob', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.reload();
  const bobShares = () => chain.readContract({ ...pool(), functionName: 'balanceOf', args: [bobAddress()] });
  const before = await bobShares();
  const form = page.getByRole('form', { name: 'Deposit' });
  await form.getByLabel('Deposit, USD').fill('250');
  await page
    .locator('#deposit-hint')
    .getByText(/^You receive .* shares\.$/)
    .waitFor();
  const { curl, code } = await drawerOf('Deposit');
  expect(bodyOfCurl(curl)).toMatchObject({
    method: 'eth_call',
    params: [{ to: file.contracts.pool, from: bobAddress() }, 'latest'],
  });
  expect(code).toContain(`args: [250000000n, '${bobAddress()}']`);
  const hintText = (await page.locator('#deposit-hint').textContent()) ?? '';
  await form.getByRole('button', { name: 'Deposit', exact: true }).click();
  await page.getByText('Confirmed.').waitFor();
  expect(hintText).toBe(`You receive ${sharesText((await bobShares()) - before)} shares.`);
  await shows('own-shares', async () => sharesText(await bobShares()));
});

test('loans: open, impaired and lost → shown with market and reason', async () => {
  const { position, openSide } = await openBySdk(
    file,
    'carol',
    sides.filter(({ market }) => !used.has(market.ticker)),
  );
  const { market, side } = openSide;
  await shows('lent', async () => dollarsHeld((await bookOf()).lentUsdcUnits));
  await page.getByRole('link', { name: `${side.toUpperCase()} · ${market.title ?? market.ticker}` }).waitFor();
  await page.getByRole('button', { name: 'Utilisation', exact: true }).click();
  const utilisationChart = page.getByRole('figure', { name: /^Utilisation since/ });
  // The loan is the last change of the pool: the line ends at the figure above it.
  const lastOf = async () => (await utilisationChart.getAttribute('aria-label'))?.split(' to ').at(-1);
  await expect
    .poll(async () => (await lastOf()) === (await figure('utilisation').textContent()), { timeout: patienceMs })
    .toBe(true);
  await page.getByRole('button', { name: 'Share price', exact: true }).click();
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
  await page.getByText(`Impaired: ${dollarsOfUnits(impairedUsdcUnits)}`).waitFor();
  await shows('impaired', async () => dollarsHeld((await bookOf()).impairedUsdcUnits));
  await new VenueControl(file.venueUrl).play('resolve', market.ticker, { outcome: side === 'yes' ? 'no' : 'yes' });
  await page.getByText('The market payout was less than the loan.').waitFor();
  await page.getByText(`Lost: ${dollarsOfUnits(impairedUsdcUnits)}`, { exact: true }).waitFor();
  await page.getByText('No loans.').waitFor();
  await inspect(page, 'pool-losses');
});

test('withdrawal: a request → the page shows the end of the waiting time', async () => {
  const ask = page.getByRole('form', { name: 'Request withdrawal' });
  const button = ask.getByRole('button', { name: 'Request withdrawal' });
  expect(await ask.locator('#request-hint').textContent()).toBe('Confirm that this cannot be undone.');
  await ask.getByLabel('Shares to withdraw (empty for all)').fill('100');
  await ask.getByLabel('I understand that this cannot be undone').check();
  await button.click();
  const request = () => chain.readContract({ ...pool(), functionName: 'redeemRequestOf', args: [bobAddress()] });
  await expect.poll(async () => (await request()).shares).toBe(100n * 10n ** 12n);
  await shows('requested-cap', async () => dollarsHeld((await request()).capUsdcUnits));
  await page.getByText(/^Withdrawable from .+, in 23 h\.$/).waitFor();
  await inspect(page, 'pool-leaving');
});

test('withdrawal: after the waiting time → the requested amount is paid', async () => {
  await page.getByRole('link', { name: 'Break it' }).click();
  const clock = page.getByRole('region', { name: 'Clock' });
  await clock.getByLabel('Advance by').selectOption({ label: 'a day' });
  await clock.getByRole('button', { name: 'Advance clock' }).click();
  await clock.getByText('The clock cannot be set back.').waitFor();
  await page.getByRole('link', { name: 'Pool' }).first().click();
  const request = () => chain.readContract({ ...pool(), functionName: 'redeemRequestOf', args: [bobAddress()] });
  const { capUsdcUnits } = await request();
  const before = await usdcOf(bobAddress());
  await page.getByRole('button', { name: `Withdraw ${dollarsHeld(capUsdcUnits)}` }).click();
  await expect.poll(async () => (await request()).shares, { timeout: patienceMs }).toBe(0n);
  expect((await usdcOf(bobAddress())) - before).toBe(capUsdcUnits);
});

test('pages: all requests of the tests → no other host, and no violation of the content security policy', () => {
  const stackHosts = new Set([file.consoleUrl, file.apiUrl, file.rpcUrl].map((url) => new URL(url).host));
  expect([...hosts].filter((host) => !stackHosts.has(host))).toEqual([]);
  expect(violations).toEqual([]);
});
