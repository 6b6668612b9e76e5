import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type FeeReport, Lev, type Market } from '@core/sdk';
import { launchBrowser } from '@core/testkit/browser';
import { vaultAbi } from '@core/vault';
import { VenueControl } from '@core/venue-sim/control';
import type { Browser, BrowserContext, Page, WebSocketRoute } from 'playwright-core';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  decodeEventLog,
  erc20Abi,
  type Hex,
  http,
  type PublicClient,
  parseEther,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { giveBrowserWallet, type TestWallet } from '../testing/browserWallet.ts';
import { inspect } from '../testing/inspect.ts';
import { openSides } from '../testing/openBySdk.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { serveFiles } from '../testing/serveFiles.ts';
import { accountOf, type RunningStack, type StackFile, startStack } from '../testing/startStack.ts';

/** A wallet has sixty requests a minute, and each reload takes some of them: a minute may pass until the next. */
const patienceMs = 120_000;
const dist = fileURLToPath(new URL('../dist/', import.meta.url));

let stack: RunningStack;
let file: StackFile;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let chain: PublicClient;
let wallet: TestWallet;
/** A market that outlasts the tests and is offered on `side`. */
let market: Market;
let side: 'yes' | 'no';
let usdc: Hex;
/** Who trades: an account that the stack does not know, with nothing in it at first. */
const traderKey = generatePrivateKey();
const trader = privateKeyToAccount(traderKey);
const hosts = new Set<string>();
const violations: string[] = [];

beforeAll(async () => {
  stack = await startStack();
  file = stack.file();
  chain = createPublicClient({ transport: http(file.rpcUrl), pollingInterval: 500 });
  const [first] = await openSides(file);
  if (first === undefined) throw new Error('no side takes positions');
  ({ market, side } = first);
  browser = await launchBrowser();
  context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(patienceMs);
  page = await context.newPage();
  wallet = await giveBrowserWallet(page, { rpcUrl: file.rpcUrl, account: { privateKey: traderKey } });
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('websocket', (socket) => hosts.add(new URL(socket.url()).host));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text());
  });
});

beforeEach(() => reportFailure(page));

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Gives the trader coin for gas, and USDC out of the account of bob. */
async function fundTrader(units: bigint): Promise<void> {
  const anvil = createTestClient({ mode: 'anvil', transport: http(file.rpcUrl) });
  await anvil.setBalance({ address: trader.address, value: parseEther('10') });
  const bob = createWalletClient({
    account: privateKeyToAccount(accountOf(file, 'bob').privateKey),
    transport: http(file.rpcUrl),
  });
  const args = [trader.address, units] as const;
  const hash = await bob.writeContract({ address: usdc, abi: erc20Abi, functionName: 'transfer', args, chain: null });
  await chain.waitForTransactionReceipt({ hash });
}

/** Holds programs of the stack still while something is done. */
async function whileStopped(names: readonly string[], work: () => Promise<void>): Promise<void> {
  const pids = names.map((name) => {
    const pid = stack.file().processes[name];
    if (pid === undefined) throw new Error(`the stack has no program ${name}`);
    return pid;
  });
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

const figure = (name: string) => page.locator(`[data-figure="${name}"]`);
const unitsOf = (name: string, of: Page = page) => of.locator(`[data-figure="${name}"]`).getAttribute('data-units');

const button = (name: string | RegExp) => page.getByRole('button', { name });

async function post(path: string, { body = {}, origin = file.consoleUrl, cookie = '' } = {}) {
  const headers = { 'content-type': 'application/json', origin, cookie };
  const response = await fetch(`${file.consoleUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as Readonly<Record<string, string>>;
  return { status: response.status, body: answer, cookie: response.headers.get('set-cookie') ?? '' };
}

/** Signs the server's challenge for `address` with the key of `signer`. */
async function signedChallenge(address: string, signer: `0x${string}`) {
  const { nonce = '', message = '' } = (await post('/session/challenge', { body: { address } })).body;
  return { nonce, signature: await privateKeyToAccount(signer).signMessage({ message }) };
}

test('a token is for the user who has signed for the wallet, once, on a page of this site', async () => {
  const [alice, bob] = file.accounts;
  if (alice === undefined || bob === undefined) throw new Error('a stack has accounts');
  const theirs = await signedChallenge(alice.address, bob.privateKey);
  expect((await post('/session', { body: theirs })).status).toBe(401);
  const own = await signedChallenge(alice.address, alice.privateKey);
  const opened = await post('/session', { body: own });
  expect(opened).toMatchObject({ status: 201, body: { address: alice.address } });
  expect(opened.cookie).toMatch(/HttpOnly; SameSite=Strict/);
  expect((await post('/session', { body: own })).status).toBe(401);
  const [cookie = ''] = opened.cookie.split(';');
  expect((await post('/session/token', { cookie, origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await post('/session/token', { cookie: cookie.replace(/.$/, '') })).body['address']).toBeNull();
  const { token = '', address } = (await post('/session/token', { cookie })).body;
  expect(address).toBe(alice.address);
  const visitor = (await post('/session/token')).body['token'] ?? '';
  const quotes = async (bearer: string) => {
    const me = new Lev({ baseUrl: file.apiUrl }).asUser(bearer);
    const { data } = await me.markets.list({ accepting_new_positions: true }).firstPage();
    const market = data[0];
    if (market === undefined) throw new Error('no market takes positions');
    const side = market.sided_eligibility.yes.accepting_new_positions ? 'yes' : 'no';
    const quote = await me.quotes.draft({ ticker: market.ticker, side, leverage: '2', notionalUsd: '20' });
    return quote.authority_public_key;
  };
  expect(await quotes(token)).toBe(alice.address);
  expect(file.accounts.map(({ address: known }) => known)).not.toContain(await quotes(visitor));
});

test('the partner key is in no file and no answer that a page can read', async () => {
  const { apiKey } = file.partner;
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
  for (const name of names) expect(readFileSync(`${dist}${name}`, 'utf8')).not.toContain(apiKey);
  for (const path of ['/config.json', '/session', '/']) {
    expect(await (await fetch(`${file.consoleUrl}${path}`)).text()).not.toContain(apiKey);
  }
});

test('a visitor finds a market by search and category', async () => {
  await page.goto(file.consoleUrl);
  await page.locator('.markets .card').first().waitFor();
  const all = await page.locator('.markets .card').count();
  await page.getByLabel('Category').selectOption('crypto');
  await expect.poll(() => page.locator('.markets .card').count()).toBeLessThan(all);
  await page.getByLabel('Search').fill('no market has this name');
  await page.getByText(/^0 of /).waitFor();
  await page.getByLabel('Search').fill('');
  await page.getByLabel('Category').selectOption('all');
  await inspect(page, 'markets');
  await page.getByLabel('Takes positions').check();
  await page.locator('.markets a').first().click();
  await page.getByRole('form', { name: 'Ticket' }).waitFor();
  // A button that cannot be pressed says why.
  expect(await page.locator('#ticket-hint').textContent()).toBe('Sign in with a wallet to open a position.');
});

/** Shows the page of the market, with a size in the ticket. */
async function sizeTicket(): Promise<void> {
  await page.goto(`${file.consoleUrl}/#/markets/${encodeURIComponent(market.ticker)}`);
  // A market that was opened in before still shows that opening.
  const again = button('Open another');
  await again.or(page.getByRole('slider')).first().waitFor();
  if (await again.isVisible()) await again.click();
  await page.getByRole('radio', { name: new RegExp(`^${side}`, 'i') }).check();
}

test('the ticket shows the figures of a fee report to the unit, and the slider moves them', async () => {
  const { token = '' } = (await post('/session/token')).body;
  const me = new Lev({ baseUrl: file.apiUrl }).asUser(token);
  await sizeTicket();
  const slider = page.getByRole('slider');
  for (const key of ['Home', 'ArrowRight']) {
    await slider.press(key);
    const leverage = Number(await slider.inputValue());
    // The price may move between the two: both are asked until they are of the same moment.
    await expect
      .poll(
        async () => {
          const { prices } = await me.markets.get(market.ticker, { expand: ['prices'] });
          const report: FeeReport = await me.quotes.feeReport({
            market_ticker: market.ticker,
            effective_side: side,
            leverage_bps: leverage,
            notional_amount_usd_pips: '1000000',
            entry_price_usd_pips: prices?.[`${side}_ask_price_usd_pips`] ?? '',
          });
          const expected = [
            report.total_user_amount_usdc_units,
            report.collateral_usdc_units,
            report.origination_fee_usdc_units,
            report.expected_open_trading_fee_usdc_units,
            report.net_max_gain_usdc_units,
          ];
          const names = ['total', 'collateral', 'origination', 'trading', 'gain'];
          const shown = await Promise.all(names.map((name) => unitsOf(name)));
          return JSON.stringify(shown) === JSON.stringify(expected);
        },
        { interval: 1_500, timeout: patienceMs },
      )
      .toBe(true);
  }
});

test('a named account signs in, is found again after a reload, and leaves no key behind', async () => {
  await page.getByText('Sign in', { exact: true }).click();
  await button('alice').click();
  await button('Sign out').waitFor();
  await page.getByLabel('Before and after').waitFor();
  await inspect(page, 'market');
  await page.reload();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain(
    accountOf(file, 'alice').privateKey,
  );
  await button('Sign out').click();
  await page.getByText('Sign in', { exact: true }).click();
  await button('Test wallet').click();
  await button('Sign out').waitFor();
});

const primary = () => page.locator('button[aria-describedby="opening-hint"]');
const opening = () => page.getByRole('region', { name: 'Opening' });

/** Presses the button of the opening as soon as it can be pressed, whatever it says. */
async function goOn(): Promise<void> {
  await page.locator('button[aria-describedby="opening-hint"][aria-disabled="false"]').click();
}

/** Presses that button until the wallet is asked: a signature may expire while the page waits for its next request. */
async function goOnToTheWallet(): Promise<void> {
  let isAsked = false;
  const noteAsked = async (): Promise<void> => {
    await wallet.asked();
    isAsked = true;
  };
  void noteAsked();
  const press = (selector: string): void => document.querySelector<HTMLButtonElement>(selector)?.click();
  const ready = 'button[aria-describedby="opening-hint"][aria-disabled="false"]';
  await expect
    .poll(
      async () => {
        if (!isAsked) await page.evaluate(press, ready);
        return isAsked;
      },
      { timeout: patienceMs, interval: 500 },
    )
    .toBe(true);
}

/** What this tab keeps of its opening. */
async function keptOpening(): Promise<{
  readonly stage: string;
  readonly quote?: { readonly signature_expiry: string };
}> {
  const texts = await page.evaluate(() => Object.values(sessionStorage));
  return JSON.parse(texts.find((text) => text.includes('"stage"')) ?? '{"stage":"none"}');
}

test('what stands in the way of an opening is said, and nothing is lost by it', async () => {
  usdc = (await new Lev({ baseUrl: file.apiUrl }).contractInfo()).polygon_usdc_token_address as Hex;
  await sizeTicket();
  await page.getByRole('slider').press('Home');
  await button('Review').click();
  // Insufficient balance.
  await page.getByText('the wallet has $0.00').waitFor();
  expect(await primary().getAttribute('aria-disabled')).toBe('true');
  await fundTrader(1_000_000_000n);
  await page.reload();
  await primary().waitFor();
  await inspect(page, 'opening');
  // A rejected signature.
  wallet.answer('refuse');
  await goOn();
  await opening().getByRole('alert').filter({ hasText: 'The wallet refused' }).waitFor();
  // The wrong chain.
  wallet.answer('send');
  wallet.choose(1);
  await goOn();
  await opening().getByRole('alert').filter({ hasText: 'is on another chain' }).waitFor();
  wallet.choose(null);
  // A signature that expires while the page does nothing.
  await button('Get a new quote and open').waitFor();
  // One that expires while the wallet is looked at: the chain refuses it before anything is spent.
  wallet.answer('hold', usdc);
  await goOnToTheWallet();
  const { quote } = await keptOpening();
  await expect
    .poll(async () => (await chain.getBlock()).timestamp > BigInt(quote?.signature_expiry ?? 0), {
      timeout: patienceMs,
    })
    .toBe(true);
  await wallet.confirm();
  await opening().getByRole('alert').filter({ hasText: 'The quote has expired' }).waitFor();
  expect(await primary().textContent()).toBe('Open this position');
});

/** Figures of the signed quote that was sent, as the page showed them. */
let shown: Readonly<Record<'total' | 'collateral' | 'borrowed', string | null>>;

test('an opening goes on after a reload in the middle of every step', async () => {
  // The promotion: the service gets the request and cannot answer.
  await whileStopped(['api'], async () => {
    await goOn();
    await button('Working …').waitFor();
    await page.reload();
  });
  // The allowance: taken back, so that it is asked for again, and the wallet never answers.
  const zero = [file.contracts.vault, 0n] as const;
  const owner = createWalletClient({ account: trader, transport: http(file.rpcUrl) });
  const hash = await owner.writeContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'approve',
    args: zero,
    chain: null,
  });
  await chain.waitForTransactionReceipt({ hash });
  wallet.answer('hold', usdc);
  await goOnToTheWallet();
  await page.reload();
  // The call: the wallet never answers.
  wallet.answer('hold', file.contracts.vault);
  await goOnToTheWallet();
  await page.reload();
  expect((await keptOpening()).stage).toBe('approved');
  // The call: it is sent, and its answer is lost. The service cannot see it yet.
  wallet.answer('hold-unheard', file.contracts.vault);
  await goOnToTheWallet();
  shown = {
    total: await unitsOf('total'),
    collateral: await unitsOf('collateral'),
    borrowed: await unitsOf('borrowed'),
  };
  await whileStopped(['keeper'], async () => {
    await wallet.confirm();
    await page.reload();
    await goOn();
    await expect.poll(async () => (await keptOpening()).stage).toBe('sent');
    await page.reload();
    await button('Working …').waitFor();
  });
  wallet.answer('send');
  // What was sent is followed by itself.
  await button('Open another').waitFor();
  expect((await chain.getContractEvents(created())).length).toBe(1);
});

const created = () =>
  ({
    address: file.contracts.vault,
    abi: vaultAbi,
    eventName: 'PositionCreated',
    args: { user: trader.address },
    fromBlock: 'earliest',
  }) as const;

/** The trader's newest position on chain. */
async function newestKey(): Promise<Hex> {
  const key = (await chain.getContractEvents(created())).at(-1)?.args.positionKey;
  if (key === undefined) throw new Error('the trader has no position');
  return key;
}

test('ticket, service and chain have the same figures to the unit', async () => {
  const partner = new Lev({ baseUrl: file.apiUrl, apiKey: file.partner.apiKey });
  const me = partner.asUser(() => partner.tokens.create({ wallet_address: trader.address }));
  const key = await newestKey();
  const read = { address: file.contracts.vault, abi: vaultAbi, args: [key] } as const;
  await page.getByRole('link', { name: 'Look at it' }).click();
  await figure('tokens').waitFor();
  const [position, log] = await Promise.all([
    chain.readContract({ ...read, functionName: 'positionOf' }),
    chain.getContractEvents(created()).then(([first]) => first),
  ]);
  const held = await me.positions.byKey(key);
  if (held === null || !('current' in held) || log === undefined) throw new Error('the position is open');
  expect([await unitsOf('tokens'), held.current.position_token_units]).toEqual(
    Array.from({ length: 2 }, () => String(position.tokenUnits)),
  );
  // What the ticket showed as paid in all is what left the wallet.
  const { logs } = await chain.getTransactionReceipt({ hash: log.transactionHash });
  const paid = logs
    .filter(({ address }) => address.toLowerCase() === usdc.toLowerCase())
    .map(({ topics, data }) => decodeEventLog({ abi: erc20Abi, eventName: 'Transfer', topics, data }).args)
    .filter(({ from }) => from === trader.address)
    .reduce((sum, { value }) => sum + value, 0n);
  expect(String(paid)).toBe(shown.total);
  expect(String(position.collateralUsdcUnits)).toBe(shown.collateral);
  expect(String(position.notionalUsdcUnits - position.collateralUsdcUnits)).toBe(shown.borrowed);
  await expect
    .poll(
      async () => {
        const liquidation = await chain.readContract({ ...read, functionName: 'liquidationPriceOf' });
        const now = await me.positions.get(held.id);
        const served = 'risk' in now ? now.risk.current_liquidation_price_usd_pips : null;
        return [await unitsOf('liquidation'), served].every((pips) => pips === String(liquidation));
      },
      { timeout: patienceMs },
    )
    .toBe(true);
});

test('with a node alone, and everything else at a standstill, the owner repays and takes the tokens', async () => {
  await inspect(page, 'position');
  await page.getByRole('link', { name: 'Portfolio' }).click();
  await page.locator('.markets .card').filter({ hasText: 'Health' }).waitFor();
  await inspect(page, 'portfolio');
  const site = await serveFiles(dist);
  const programs = ['api', 'keeper', 'venue-sim', 'price-signer', 'second-price-signer', 'console'];
  await whileStopped(programs, async () => {
    const exit = await context.newPage();
    await giveBrowserWallet(exit, { rpcUrl: file.rpcUrl, account: { privateKey: traderKey } });
    await exit.goto(`${site.url}/exit.html`);
    await exit.getByLabel('Address of a node (RPC)').fill(file.rpcUrl);
    await exit.getByLabel('Vault contract').fill(file.contracts.vault);
    await exit.getByLabel('Pool contract').fill(file.contracts.pool);
    await exit.getByRole('button', { name: 'Connect' }).click();
    await exit.getByRole('button', { name: 'Test wallet' }).click();
    await exit.getByRole('button', { name: 'Repay and take the tokens' }).waitFor();
    await inspect(exit, 'exit');
    await exit.getByRole('button', { name: 'Repay and take the tokens' }).click();
    await exit.getByRole('button', { name: 'Repay and take the tokens' }).waitFor({ state: 'detached' });
    expect(await exit.getByRole('button', { name: 'Claim' }).count()).toBe(1);
    await exit.close();
  });
  await site.close();
});

test('a restart of the service cuts the sockets: a banner says so, and the same page goes on by itself', async () => {
  await sizeTicket();
  const loadedAt = await page.evaluate(() => performance.timeOrigin);
  const ask = page.getByRole('radio', { name: new RegExp(`^${side}`, 'i') });
  const askText = () => ask.locator('..').textContent();
  process.kill(stack.file().processes['api'] ?? 0, 'SIGKILL');
  const banner = page.getByText('The live connection is cut');
  await banner.waitFor();
  await expect.poll(() => banner.count(), { timeout: patienceMs }).toBe(0);
  const before = await askText();
  await new VenueControl(file.venueUrl).play('crash', market.ticker, { side, by: '0.1' });
  await expect.poll(askText, { timeout: patienceMs }).not.toBe(before);
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadedAt);
});

test('a cut socket shows as a banner, and the same page goes on by itself', async () => {
  const cut = await context.newPage();
  const sockets: WebSocketRoute[] = [];
  let isCut = false;
  await cut.routeWebSocket(/^ws:/, async (socket) => {
    // Refused while the line is cut; else everything goes to the service and back.
    if (isCut) return socket.close({ code: 3_000 });
    socket.connectToServer();
    sockets.push(socket);
    return undefined;
  });
  await cut.goto(`${file.consoleUrl}#/markets/${encodeURIComponent(market.ticker)}`);
  await cut.getByRole('form', { name: 'Ticket' }).waitFor();
  await expect.poll(() => sockets.length, { timeout: patienceMs }).toBeGreaterThan(0);
  const openedBefore = sockets.length;
  isCut = true;
  await Promise.all(sockets.map((socket) => socket.close({ code: 3_000 })));
  const banner = cut.getByText('The live connection is cut');
  await banner.waitFor();
  isCut = false;
  await banner.waitFor({ state: 'detached' });
  expect(sockets.length).toBeGreaterThan(openedBefore);
  await cut.close();
});

test('no other host is asked, and no content policy is broken', () => {
  const known = new Set([file.consoleUrl, file.apiUrl, file.rpcUrl].map((url) => new URL(url).host));
  expect([...hosts].filter((host) => !known.has(host))).toEqual([]);
  expect(violations).toEqual([]);
});

test('the content policy knows no inline script, and the first load is at most 150 kB', async () => {
  const response = await fetch(file.consoleUrl);
  expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self';/);
  const html = await response.text();
  const loaded = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name]) => `${dist}${name}`);
  expect(loaded.length).toBeGreaterThan(1);
  const bytes = loaded.reduce((sum, name) => sum + gzipSync(readFileSync(name)).length, gzipSync(html).length);
  expect(bytes).toBeLessThanOrEqual(150_000);
});
