import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type FeeReport, Lev, type Market } from '@core/sdk';
import { launchBrowser } from '@core/testkit/browser';
import { vaultAbi } from '@core/vault';
import { VenueControl } from '@core/venue-sim/control';
import type { Browser, BrowserContext, Page, WebSocketRoute } from 'playwright-core';
import {
  concat,
  createPublicClient,
  createTestClient,
  createWalletClient,
  decodeEventLog,
  erc20Abi,
  getCreate2Address,
  type Hex,
  http,
  type PublicClient,
  parseEther,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { serializeErc6492Signature } from 'viem/utils';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { giveBrowserWallet, type TestWallet } from '../testing/browserWallet.ts';
import { inspect } from '../testing/inspect.ts';
import { openSideOf } from '../testing/openBySdk.ts';
import { reportFailure } from '../testing/reportFailure.ts';
import { serveFiles } from '../testing/serveFiles.ts';
import { sharedStack } from '../testing/sharedStack.ts';
import { accountOf, type RunningStack, type StackFile } from '../testing/startStack.ts';

/** Timeout of a step. A wallet has sixty requests a minute, so that a reload may wait up to a minute for the next. */
const patienceMs = 120_000;
/** Code of a wallet that returns 0x1626ba7e, the ERC-1271 value for a valid signature, to every call. */
const validSignatureCode: Hex = '0x631626ba7e60e01b60005260206000f3';
const dist = fileURLToPath(new URL('../dist/', import.meta.url));

let stack: RunningStack;
let file: StackFile;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let chain: PublicClient;
let wallet: TestWallet;
/** Market that outlasts the tests and accepts positions on `side`. */
let market: Market;
let side: 'yes' | 'no';
let usdc: Hex;
/** Key of the trader: an account unknown to the stack, empty at first. */
const traderKey = generatePrivateKey();
const trader = privateKeyToAccount(traderKey);
const hosts = new Set<string>();
const violations: string[] = [];

beforeAll(async () => {
  stack = await sharedStack();
  file = stack.file();
  chain = createPublicClient({ transport: http(file.rpcUrl), pollingInterval: 500 });
  ({ market, side } = await openSideOf(file));
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
});

/** Transfer ETH for gas, and USDC from the account of dave, to the trader. */
async function fundTrader(units: bigint): Promise<void> {
  const anvil = createTestClient({ mode: 'anvil', transport: http(file.rpcUrl) });
  await anvil.setBalance({ address: trader.address, value: parseEther('10') });
  const dave = createWalletClient({
    account: privateKeyToAccount(accountOf(file, 'dave').privateKey),
    transport: http(file.rpcUrl),
  });
  const args = [trader.address, units] as const;
  const hash = await dave.writeContract({ address: usdc, abi: erc20Abi, functionName: 'transfer', args, chain: null });
  await chain.waitForTransactionReceipt({ hash });
}

const figure = (name: string) => page.locator(`[data-figure="${name}"]`);
/** Return the exact units of a figure; with a dialog above the ticket, those of the dialog. */
const unitsOf = (name: string) => figure(name).last().getAttribute('data-units');

const button = (name: string | RegExp) => page.getByRole('button', { name });

async function post(path: string, { body = {}, origin = file.consoleUrl, cookie = '' } = {}) {
  const headers = { 'content-type': 'application/json', origin, cookie };
  const response = await fetch(`${file.consoleUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as Readonly<Record<string, string>>;
  return { status: response.status, body: answer, cookie: response.headers.get('set-cookie') ?? '' };
}

/** Sign the server's challenge for `address` with the key of `signer`. */
async function signedChallenge(address: string, signer: `0x${string}`) {
  const { nonce = '', message = '' } = (await post('/session/challenge', { body: { address } })).body;
  return { nonce, signature: await privateKeyToAccount(signer).signMessage({ message }) };
}

test('sign-in: a contract wallet, deployed or not → accepted when its contract accepts the signature', async () => {
  const anvil = createTestClient({ mode: 'anvil', transport: http(file.rpcUrl) });
  const [alice] = file.accounts;
  if (alice === undefined) throw new Error('the stack lists no accounts');
  const signIn = async (address: Hex, wrap = (signature: Hex) => signature) => {
    const { nonce, signature } = await signedChallenge(address, alice.privateKey);
    return (await post('/session', { body: { nonce, signature: wrap(signature) } })).status;
  };
  const accepting = privateKeyToAccount(generatePrivateKey()).address;
  await anvil.setCode({ address: accepting, bytecode: validSignatureCode });
  expect(await signIn(accepting)).toBe(201);
  const refusing = privateKeyToAccount(generatePrivateKey()).address;
  // A contract that returns zero to every call.
  await anvil.setCode({ address: refusing, bytecode: '0x600060005260206000f3' });
  expect(await signIn(refusing)).toBe(401);
  const bytecode = concat(['0x6010600c60003960106000f3', validSignatureCode]);
  const factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
  const salt = generatePrivateKey();
  const undeployed = getCreate2Address({ from: factory, salt, bytecode });
  expect(await chain.getCode({ address: undeployed })).toBeUndefined();
  const wrapped = (signature: Hex) =>
    serializeErc6492Signature({ address: factory, data: concat([salt, bytecode]), signature });
  expect(await signIn(undeployed)).toBe(401);
  expect(await signIn(undeployed, wrapped)).toBe(201);
});

test('sign-in: a signed challenge → one session, for the signing wallet, on pages of this site only', async () => {
  const [alice, bob] = file.accounts;
  if (alice === undefined || bob === undefined) throw new Error('the stack lists no accounts');
  const theirs = await signedChallenge(alice.address, bob.privateKey);
  expect((await post('/session', { body: theirs })).status).toBe(401);
  const own = await signedChallenge(alice.address, alice.privateKey);
  const sessionAnswer = await post('/session', { body: own });
  expect(sessionAnswer).toMatchObject({ status: 201, body: { address: alice.address } });
  expect(sessionAnswer.cookie).toMatch(/HttpOnly; SameSite=Strict/);
  expect((await post('/session', { body: own })).status).toBe(401);
  const [cookie = ''] = sessionAnswer.cookie.split(';');
  expect((await post('/session/token', { cookie, origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await post('/session/token', { cookie: cookie.replace(/.$/, '') })).body['address']).toBeNull();
  const { token = '', address } = (await post('/session/token', { cookie })).body;
  expect(address).toBe(alice.address);
  const visitor = (await post('/session/token')).body['token'] ?? '';
  const quotes = async (bearer: string) => {
    const me = new Lev({ baseUrl: file.apiUrl }).asUser(bearer);
    const { data } = await me.markets.list({ accepting_new_positions: true }).firstPage();
    const market = data[0];
    if (market === undefined) throw new Error('no market accepts positions');
    const side = market.sided_eligibility.yes.accepting_new_positions ? 'yes' : 'no';
    const quote = await me.quotes.draft({ ticker: market.ticker, side, leverage: '2', notionalUsd: '20' });
    return quote.authority_public_key;
  };
  expect(await quotes(token)).toBe(alice.address);
  expect(file.accounts.map(({ address }) => address)).not.toContain(await quotes(visitor));
});

test('pages: files and responses → the partner key is in none of them', async () => {
  const { apiKey } = file.partner;
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
  for (const name of names) expect(readFileSync(`${dist}${name}`, 'utf8')).not.toContain(apiKey);
  for (const path of ['/config.json', '/session', '/']) {
    expect(await (await fetch(`${file.consoleUrl}${path}`)).text()).not.toContain(apiKey);
  }
});

test('markets: search and category → the visitor finds a market', async () => {
  await page.goto(file.consoleUrl);
  const rows = page.locator('tbody tr');
  await rows.first().waitFor();
  await page.getByLabel('Show markets not offered now').check();
  const all = await rows.count();
  await page.getByLabel('Category').selectOption('crypto');
  await expect.poll(() => rows.count()).toBeLessThan(all);
  await page.keyboard.press('/');
  await page.keyboard.type('no market has this name');
  await page.getByText(/^0 of /).waitFor();
  await button('Show all markets').click();
  await expect.poll(() => rows.count()).toBe(all);
  // A heading sorts: the prices of YES are in order.
  await button('YES').click();
  const prices = async () =>
    (await page.locator('td[data-label="YES"]').allTextContents())
      .filter((text) => text !== '–')
      .map(Number.parseFloat);
  await expect
    .poll(async () => {
      const shownPrices = await prices();
      return JSON.stringify(shownPrices) === JSON.stringify(shownPrices.toSorted((left, right) => right - left));
    })
    .toBe(true);
  await inspect(page, 'markets');
  await page.getByLabel('Show markets not offered now').uncheck();
  await page.locator('tbody a').first().click();
  await page.getByRole('form', { name: 'Ticket' }).waitFor();
  // A disabled button states its reason.
  expect(await page.locator('#ticket-hint').textContent()).toBe('Sign in with a wallet to open a position.');
});

/** Open the page of the market and enter a size in the ticket. */
async function sizeTicket(): Promise<void> {
  await page.goto(`${file.consoleUrl}/#/markets/${encodeURIComponent(market.ticker)}`);
  // The page restores an earlier opening of the market.
  const again = button('Open another');
  await again.or(page.getByRole('slider')).first().waitFor();
  if (await again.isVisible()) await again.click();
  await page.getByRole('radio', { name: new RegExp(`^${side}`, 'i') }).check();
}

test('ticket: every leverage of the slider → the figures of a fee report to the unit', async () => {
  const { token = '' } = (await post('/session/token')).body;
  const me = new Lev({ baseUrl: file.apiUrl }).asUser(token);
  await sizeTicket();
  const slider = page.getByRole('slider');
  for (const key of ['Home', 'ArrowRight']) {
    await slider.press(key);
    const leverage = Number(await slider.inputValue());
    // The price may move between the two reads: repeat until both belong to the same moment.
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
          const exactUnits = [
            report.total_user_amount_usdc_units,
            report.collateral_usdc_units,
            report.origination_fee_usdc_units,
            report.expected_open_trading_fee_usdc_units,
            report.net_max_gain_usdc_units,
          ];
          const names = ['total', 'collateral', 'origination', 'trading', 'gain'];
          const pageUnits = await Promise.all(names.map((name) => unitsOf(name)));
          return JSON.stringify(pageUnits) === JSON.stringify(exactUnits);
        },
        { interval: 1_500, timeout: patienceMs },
      )
      .toBe(true);
  }
});

test('leverage: a size → the slider ends at the leverage that the service grants', async () => {
  const { token = '' } = (await post('/session/token')).body;
  const me = new Lev({ baseUrl: file.apiUrl }).asUser(token);
  await sizeTicket();
  const { leverage } = await me.markets.get(market.ticker);
  const order = { ticker: market.ticker, side, leverage: String(leverage[`max_${side}_bps`] / 10_000) };
  await expect
    .poll(
      async () => {
        const draft = await me.quotes.draft({ ...order, notionalUsd: '100', allowRevision: true });
        const grantedBps = await figure('granted-leverage').getAttribute('data-units');
        const end = await page.getByRole('slider').getAttribute('max');
        return [grantedBps, end].every((bps) => bps === String(draft.leverage_bps));
      },
      { interval: 1_500, timeout: patienceMs },
    )
    .toBe(true);
});

test('sign-in: a named account → still signed in after a reload, and no key is stored', async () => {
  await page.getByText('Sign in', { exact: true }).click();
  await button('dave').click();
  await button('Sign out').waitFor();
  await page.getByLabel('Before and after').waitFor();
  await inspect(page, 'market');
  await page.reload();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain(
    accountOf(file, 'dave').privateKey,
  );
  await button('Sign out').click();
  await page.getByText('Sign in', { exact: true }).click();
  await button('Test wallet').click();
  await button('Sign out').waitFor();
});

const primary = () => page.locator('button[aria-describedby="opening-hint"]');
const opening = () => page.getByRole('region', { name: 'Opening' });

/** Review the order; a dangerous one requires a second click. */
async function review(): Promise<void> {
  await page.locator('button[type="submit"][aria-describedby="ticket-hint"][aria-disabled="false"]').click();
  const accept = button('Accept the risk and review');
  await accept.or(page.getByRole('dialog')).first().waitFor();
  if (await accept.isVisible()) await accept.click();
}

/** Click the button of the opening as soon as it is enabled, whatever its text. */
async function continueOpening(): Promise<void> {
  await page.locator('button[aria-describedby="opening-hint"][aria-disabled="false"]').click();
}

/** Click that button until the wallet is prompted: a signature may expire during the page's request limit. */
async function continueToWallet(): Promise<void> {
  let isPrompted = false;
  const watchPrompt = async (): Promise<void> => {
    await wallet.waitForRequest();
    isPrompted = true;
  };
  void watchPrompt();
  const press = (selector: string): void => document.querySelector<HTMLButtonElement>(selector)?.click();
  const ready = 'button[aria-describedby="opening-hint"][aria-disabled="false"]';
  await expect
    .poll(
      async () => {
        if (!isPrompted) await page.evaluate(press, ready);
        return isPrompted;
      },
      { timeout: patienceMs, interval: 500 },
    )
    .toBe(true);
}

/** Return the opening that this tab has stored. */
async function storedOpening(): Promise<{
  readonly stage: string;
  readonly quote?: { readonly signature_expiry: string };
}> {
  const texts = await page.evaluate(() => Object.values(sessionStorage));
  return JSON.parse(texts.find((text) => text.includes('"stage"')) ?? '{"stage":"none"}');
}

test('opening: every obstacle → reported with its reason, without a loss', async () => {
  usdc = (await new Lev({ baseUrl: file.apiUrl }).contractInfo()).polygon_usdc_token_address as Hex;
  await sizeTicket();
  // The highest leverage is dangerous here: the first click only accepts the warning.
  await page.getByRole('slider').press('End');
  await page.getByRole('alert').filter({ hasText: 'of your collateral' }).waitFor();
  await button('Review').click();
  await button('Accept the risk and review').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('slider').press('Home');
  await review();
  // Insufficient balance.
  await page.getByText('the wallet has $0.00').waitFor();
  expect(await primary().getAttribute('aria-disabled')).toBe('true');
  await fundTrader(1_000_000_000n);
  await page.reload();
  await primary().waitFor();
  await inspect(page, 'opening');
  // A rejected signature.
  wallet.answer('refuse');
  await continueOpening();
  await opening().getByRole('alert').filter({ hasText: 'The wallet refused: nothing was sent.' }).waitFor();
  // The wrong chain.
  wallet.answer('send');
  wallet.choose(1);
  await continueOpening();
  await opening()
    .getByRole('alert')
    .filter({ hasText: 'Nothing was sent: Test wallet is on another network' })
    .waitFor();
  wallet.choose(null);
  // A signature that expires while the page is idle.
  await button('Get a new quote and open').waitFor();
  // One that expires while the wallet is prompting: the chain refuses the call before any cost.
  wallet.answer('hold', usdc);
  await continueToWallet();
  const { quote } = await storedOpening();
  await expect
    .poll(async () => (await chain.getBlock()).timestamp > BigInt(quote?.signature_expiry ?? 0), {
      timeout: patienceMs,
    })
    .toBe(true);
  await wallet.confirm();
  await opening().getByRole('alert').filter({ hasText: 'The quote has expired' }).waitFor();
  expect(await primary().textContent()).toBe('Open this position');
});

/** Figures of the sent quote, as the page showed them. */
let quoteFigures: Readonly<Record<'total' | 'collateral' | 'borrowed', string | null>>;

test('opening: a reload in every step → the opening resumes', async () => {
  // The promotion: the service receives the request and cannot respond.
  await stack.whileSuspended(['api'], async () => {
    await continueOpening();
    await button('Working …').waitFor();
    await page.reload();
  });
  // The allowance: revoked, so that it is requested again, and the wallet never responds.
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
  await continueToWallet();
  await page.reload();
  // The call: the wallet never responds.
  wallet.answer('hold', file.contracts.vault);
  await continueToWallet();
  await page.reload();
  expect((await storedOpening()).stage).toBe('approved');
  // The call: sent, with its response lost. The service has not indexed it yet.
  wallet.answer('hold-and-drop', file.contracts.vault);
  await continueToWallet();
  quoteFigures = {
    total: await unitsOf('total'),
    collateral: await unitsOf('collateral'),
    borrowed: await unitsOf('borrowed'),
  };
  await stack.whileSuspended(['keeper'], async () => {
    await wallet.confirm();
    await page.reload();
    await continueOpening();
    await expect.poll(async () => (await storedOpening()).stage).toBe('sent');
    await page.reload();
    await button('Working …').waitFor();
  });
  wallet.answer('send');
  // A sent opening is tracked without a click.
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

/** Return the key of the trader's newest position on chain. */
async function newestKey(): Promise<Hex> {
  const key = (await chain.getContractEvents(created())).at(-1)?.args.positionKey;
  if (key === undefined) throw new Error('the trader has no position');
  return key;
}

test('opening: open position → ticket, service and chain have the same figures to the unit', async () => {
  const partner = new Lev({ baseUrl: file.apiUrl, apiKey: file.partner.apiKey });
  const me = partner.asUser(() => partner.tokens.create({ wallet_address: trader.address }));
  const key = await newestKey();
  const read = { address: file.contracts.vault, abi: vaultAbi, args: [key] } as const;
  await page.getByRole('link', { name: 'View position' }).click();
  await figure('tokens').waitFor();
  const [position, log] = await Promise.all([
    chain.readContract({ ...read, functionName: 'positionOf' }),
    chain.getContractEvents(created()).then(([first]) => first),
  ]);
  const record = await me.positions.byKey(key);
  if (record === null || !('current' in record) || log === undefined) throw new Error('the position is not open');
  expect([await unitsOf('tokens'), record.current.position_token_units]).toEqual(
    Array.from({ length: 2 }, () => String(position.tokenUnits)),
  );
  // The total that the ticket showed equals the amount that left the wallet.
  const { logs } = await chain.getTransactionReceipt({ hash: log.transactionHash });
  const paid = logs
    .filter(({ address }) => address.toLowerCase() === usdc.toLowerCase())
    .map(({ topics, data }) => decodeEventLog({ abi: erc20Abi, eventName: 'Transfer', topics, data }).args)
    .filter(({ from }) => from === trader.address)
    .reduce((sum, { value }) => sum + value, 0n);
  expect(String(paid)).toBe(quoteFigures.total);
  expect(String(position.collateralUsdcUnits)).toBe(quoteFigures.collateral);
  expect(String(position.notionalUsdcUnits - position.collateralUsdcUnits)).toBe(quoteFigures.borrowed);
  await expect
    .poll(
      async () => {
        const liquidation = await chain.readContract({ ...read, functionName: 'liquidationPriceOf' });
        const now = await me.positions.get(record.id);
        const servicePips = 'risk' in now ? now.risk.current_liquidation_price_usd_pips : null;
        return [await unitsOf('liquidation'), servicePips].every((pips) => pips === String(liquidation));
      },
      { timeout: patienceMs },
    )
    .toBe(true);
});

test('exit page: only a node is running → the owner repays and withdraws the tokens', async () => {
  await inspect(page, 'position');
  await page.getByRole('link', { name: 'Portfolio' }).first().click();
  await page.getByRole('region', { name: 'Open positions' }).getByRole('button', { name: 'Close' }).waitFor();
  await inspect(page, 'portfolio');
  const site = await serveFiles(dist);
  const programs = ['api', 'keeper', 'venue-sim', 'price-signer', 'second-price-signer', 'console'];
  await stack.whileSuspended(programs, async () => {
    const exit = await context.newPage();
    const exitWallet = await giveBrowserWallet(exit, { rpcUrl: file.rpcUrl, account: { privateKey: traderKey } });
    // Allowance and call are sent, and neither hash is returned.
    exitWallet.answer('send-and-fail');
    await exit.goto(`${site.url}/exit.html`);
    await exit.getByLabel('Address of a node (RPC)').fill(file.rpcUrl);
    await exit.getByLabel('Vault contract').fill(file.contracts.vault);
    await exit.getByLabel('Pool contract').fill(file.contracts.pool);
    await exit.getByRole('button', { name: 'Connect' }).click();
    await exit.getByRole('button', { name: 'Test wallet' }).click();
    await exit.getByRole('button', { name: 'Repay and withdraw tokens' }).waitFor();
    await inspect(exit, 'exit');
    await exit.getByRole('button', { name: 'Repay and withdraw tokens' }).click();
    await exit.getByRole('button', { name: 'Repay and withdraw tokens' }).waitFor({ state: 'detached' });
    expect(await exit.getByRole('button', { name: 'Claim' }).count()).toBe(1);
    await exit.close();
  });
  await site.close();
});

test('live connection: the service restarts → a banner, and the page reconnects', async () => {
  await sizeTicket();
  const loadedAt = await page.evaluate(() => performance.timeOrigin);
  const ask = page.getByRole('radio', { name: new RegExp(`^${side}`, 'i') });
  const askText = () => ask.locator('..').textContent();
  const banner = page.getByText('Live connection lost');
  // The service stays away until the page has said so.
  await stack.whileUnsupervised(async () => {
    process.kill(stack.file().processes['api'] ?? 0, 'SIGKILL');
    await banner.waitFor();
  });
  await expect.poll(() => banner.count(), { timeout: patienceMs }).toBe(0);
  const before = await askText();
  const venue = new VenueControl(file.venueUrl);
  await venue.play('crash', market.ticker, { side, by: '0.1' });
  await expect.poll(askText, { timeout: patienceMs }).not.toBe(before);
  await venue.play('calm', market.ticker, {});
  await venue.pin([market.ticker], '0.5');
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadedAt);
});

test('live connection: the socket is cut → a banner, and the page reconnects', async () => {
  const cut = await context.newPage();
  const sockets: WebSocketRoute[] = [];
  let isDisconnected = false;
  await cut.routeWebSocket(/^ws:/, async (socket) => {
    // Refuse new connections while the line is cut; otherwise forward both directions.
    if (isDisconnected) return socket.close({ code: 3_000 });
    socket.connectToServer();
    sockets.push(socket);
    return undefined;
  });
  await cut.goto(`${file.consoleUrl}#/markets/${encodeURIComponent(market.ticker)}`);
  await cut.getByRole('form', { name: 'Ticket' }).waitFor();
  await expect.poll(() => sockets.length, { timeout: patienceMs }).toBeGreaterThan(0);
  const openedBefore = sockets.length;
  isDisconnected = true;
  await Promise.all(sockets.map((socket) => socket.close({ code: 3_000 })));
  const banner = cut.getByText('Live connection lost');
  await banner.waitFor();
  isDisconnected = false;
  await banner.waitFor({ state: 'detached' });
  expect(sockets.length).toBeGreaterThan(openedBefore);
  await cut.close();
});

test('pages: all requests of the tests → no other host, and no violation of the content security policy', () => {
  const stackHosts = new Set([file.consoleUrl, file.apiUrl, file.rpcUrl].map((url) => new URL(url).host));
  expect([...hosts].filter((host) => !stackHosts.has(host))).toEqual([]);
  expect(violations).toEqual([]);
});

test('pages: first load → no inline script is allowed, and at most 160 kB', async () => {
  const response = await fetch(file.consoleUrl);
  expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self';/);
  const html = await response.text();
  const loaded = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name]) => `${dist}${name}`);
  expect(loaded.length).toBeGreaterThan(1);
  const bytes = loaded.reduce((sum, name) => sum + gzipSync(readFileSync(name)).length, gzipSync(html).length);
  expect(bytes).toBeLessThanOrEqual(160_000);
});
