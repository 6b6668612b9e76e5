import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { StackFile } from '@core/devnet/stack-file';
import { RunningStack } from '@core/devnet/testing';
import { pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import { isCode, Lev, type LevUser, type Position, type Quote, type Wallet } from '@core/sdk';
import { createPositionFieldsOf, toCreateRequestStruct, vaultAbi } from '@core/vault';
import { Client } from 'pg';
import { createWalletClient, erc20Abi, type Hex, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { walletOf } from '../src/wallet.ts';
import { completionsOf } from '../testing/completions.ts';
import { sideOf, steadyMarket } from '../testing/steadyMarkets.ts';
import { golden, Terminal } from '../testing/terminal.ts';

const stack = new RunningStack();
let file: StackFile;
let terminal: Terminal;
let ticker: string;
let side: 'yes' | 'no';

beforeAll(async () => {
  file = await stack.start();
  terminal = new Terminal({ LEV_STATE_DIR: stack.stateDir });
  const market = await steadyMarket(terminal, stack.file().venueUrl);
  ticker = market.ticker;
  side = sideOf(market);
});
afterAll(() => stack.remove());

describe('at a terminal', () => {
  test('a position is quoted, opened, shown and closed', async () => {
    const quoted = await terminal.run('quote', ticker, '--side', side, '--notional', '40');
    expect([quoted.code, quoted.err]).toEqual([0, '']);
    expect(
      golden(quoted.out)
        .split('\n')
        .map((line) => line.split('  ')[0]),
    ).toEqual([
      'draft',
      'outcome',
      'notional',
      'entry',
      'total cost',
      'holding cost',
      'round trip',
      'break-even price',
      'liquidation price',
      'payout if it wins',
      'requirements',
      '',
    ]);
    const steps = await terminal.lines('open', ticker, '--side', side, '--notional', '40');
    expect(steps.map(({ step }) => step)).toEqual([
      'draft',
      'quote',
      'approve',
      'send',
      'sign',
      'send',
      'wait',
      'done',
    ]);
    const position = steps.at(-1)?.['result'] as Position;
    expect(position.status).toBe('open');
    expect(await completionsOf(['close', ''], stack.stateDir)).toContain(`${position.id}\t${ticker} ${side}, open`);
    const key = position.on_chain_position_key;
    expect(await completionsOf(['close', key.slice(0, 10)], stack.stateDir)).toContain(
      `${key}\t${ticker} ${side}, open`,
    );
    const listed = await terminal.run('positions');
    expect(golden(listed.out)).toBe(
      `POSITION  MARKET  SIDE  STATUS  NOTIONAL  NET PNL\npos_…  ${ticker}  ${side}  open  #  #\n`,
    );
    const sale = await terminal.run('close', position.id, '--min-price', '0.01');
    expect(sale.code).toBe(0);
    // One close is no measurement.
    expect(sale.out).toMatch(/^cost of the sale: not measured, at the bid \d+\.\d+ USD, of \d+\.\d+ USD at the mid$/m);
    expect(golden(sale.out)).toMatch(
      /^sold {2}# tokens at # ¢\nrepaid {2}# USD\nfees {2}# USD\nto the wallet {2}# USD$/m,
    );
    expect(sale.out).toMatch(/^ended.*\nreceived +\d+\.\d+ USD$/m);
    const detail = await terminal.json('positions', position.on_chain_position_key);
    expect(detail.document).toMatchObject({ id: position.id, status: 'closed' });
  });

  test('a shell completes tickers and accounts', async () => {
    const begun = ticker.slice(0, -2);
    const lines = await completionsOf(['quote', begun], stack.stateDir);
    const tickers = lines.map((line) => line.split('\t')[0] ?? '').filter((line) => !line.startsWith(':'));
    expect(tickers).toContain(ticker);
    expect(tickers.filter((one) => !one.startsWith(begun))).toEqual([]);
    expect((await completionsOf(['positions', '--as', 'bo'], stack.stateDir))[0]).toMatch(/^bob\t0x/);
  });

  test('a rejection is one document with its code and the request that would be accepted', async () => {
    // Where the machine is busy, the book of a moment may be too old for any quote.
    await vi.waitFor(
      async () => {
        const { code, document } = await terminal.json('quote', ticker, '--side', side, '--notional', '0.01');
        expect(code).toBe(3);
        expect(document).toMatchObject({
          error: { code: 'quote_notional_below_minimum', exit_code: 3, suggested: { market_ticker: ticker } },
        });
      },
      { timeout: 60_000, interval: 500 },
    );
  });

  test('a lowered order is reported, confirmed at a terminal, and rejected under --no-revision', async () => {
    const words = ['open', ticker, '--side', side, '--notional', '20', '--leverage', '10'];
    const person = new Terminal({ LEV_STATE_DIR: stack.stateDir }, ['n']);
    const declined = await person.run(...words);
    expect(declined.out).toMatch(/^Lowered leverage from 10x to \d/);
    expect(declined.err).toMatch(/^Open 20\.00 USD at [\d.]+x instead\? \[y\/N\] $/);
    expect(declined.out).toContain('No position was opened.');
    const refusal = await terminal.run(...words, '--no-revision');
    expect(refusal.code).toBe(3);
    expect(refusal.err).toMatch(
      /\n {2}Try: lev open .* --no-revision --leverage [\d.]+ --notional 20\.00 --slippage 500\n$/,
    );
  });

  test('a sale above the bid is reported as waiting for its price', async () => {
    const steps = await terminal.lines('open', ticker, '--side', side, '--notional', '40');
    const position = steps.at(-1)?.['result'] as Position;
    const sale = await terminal.run('close', position.id, '--min-price', '0.99');
    expect(sale.code).toBe(0);
    expect(sale.out).toContain('Waiting for the price: minimum 99.0 ¢, bid ');
    expect((await terminal.run('close', position.id, '--min-price', '0.01')).out).toContain('ended');
  });

  test('a sale that is not done in time is reported as requested, and is done later', async () => {
    const steps = await terminal.lines('open', ticker, '--side', side, '--notional', '40');
    const position = steps.at(-1)?.['result'] as Position;
    const keepers = Object.entries(stack.file().processes).filter(([name]) => name.startsWith('keeper'));
    expect(keepers.length).toBeGreaterThan(0);
    const signalAll = (signal: NodeJS.Signals): void => {
      for (const [, pid] of keepers) process.kill(pid, signal);
    };
    signalAll('SIGSTOP');
    const sale = await terminal
      .run('close', position.id, '--min-price', '0.01', '--wait', '3s')
      .finally(() => signalAll('SIGCONT'));
    expect(sale.code).toBe(6);
    expect(sale.err).toBe(
      '✖ outcome_unknown: The sale is requested, and not done after 3 s. The request stays: do not send it again. ' +
        `\`lev positions ${position.id}\` shows the position; --wait waits longer.\n`,
    );
    await vi.waitFor(
      async () => {
        const { document } = await terminal.json('positions', position.id);
        expect(document).toMatchObject({ status: 'closed' });
      },
      { timeout: 60_000, interval: 500 },
    );
  });

  test('credentials and networks have exit codes of their own', async () => {
    const own = { LEV_STATE_DIR: stack.stateDir };
    const rejection = await new Terminal({ ...own, LEV_API_KEY: 'sbx_skey_none' }).json('markets');
    expect([rejection.code, rejection.document]).toMatchObject([4, { error: { code: 'unauthorized' } }]);
    const silent = await new Terminal({ ...own, LEV_API_URL: 'http://127.0.0.1:9' }).json('markets');
    expect([silent.code, silent.document]).toMatchObject([5, { error: { code: 'network_failed' } }]);
  });

  test('--curl prints the request without a credential', async () => {
    const { err } = await terminal.run('markets', '--limit', '1', '--curl');
    expect(err.trim()).toBe(
      `curl -X GET '${file.apiUrl}/markets?expand=prices&sort=depth_desc&limit=2&accepting_new_positions=true' ` +
        `-H 'accept: application/json' -H "authorization: Api-Key $LEV_API_KEY"`,
    );
  });

  test('accounts are funded, the clock is moved, scenarios are listed', async () => {
    expect((await terminal.run('fund', 'bob', '--usd', '12.5')).out).toMatch(/^12\.50 USDC for 0x/);
    expect((await terminal.run('accounts')).out).toMatch(/bob +0x\w{40} +100012\.50/);
    expect((await terminal.run('clock', 'advance', '2s')).out).toMatch(/^clock set to 20/);
    expect((await terminal.run('scenario')).out).toMatch(/^crash +yes +/m);
    expect((await terminal.run('status')).out).toMatch(/^ready +yes/);
    expect((await terminal.run('logs', 'api', '--lines', '1')).out).toMatch(/^── api\n\d\d:\d\d:\d\d\.\d{3} [A-Z]/);
  });

  test('an operator disables a market, and issues and revokes keys', async () => {
    await terminal.run('markets', 'disable', ticker, '--reason', 'maintenance');
    const exitCode = await vi.waitFor(
      async () => {
        const { code, document } = await terminal.json('quote', ticker, '--side', side);
        expect(document).toMatchObject({ error: { code: 'risk_engine_market_disabled' } });
        return code;
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(exitCode).toBe(3);
    await terminal.run('markets', 'enable', ticker);
    const { document } = await terminal.json('keys', 'issue', 'other');
    const { id } = document as { id: string };
    expect((await terminal.run('keys', 'issue', 'other')).code).toBe(2);
    expect((await terminal.run('keys', 'revoke', id)).code).toBe(0);
    expect((await terminal.run('partners')).out).toMatch(/other +sandbox +key_\w+ +sbx_skey_\S+ +revoked/);
    expect((await terminal.json('migrate')).document).toEqual({ applied: [] });
    expect((await terminal.run('positions', 'unfreeze', `0x${'00'.repeat(32)}`)).code).toBe(2);
  });

  test('a position that awaits review is listed with its reason until it is unfrozen', async () => {
    expect((await terminal.json('positions', 'frozen')).document).toEqual([]);
    const { document } = await terminal.json('positions', '--all', '--limit', '1');
    const [{ on_chain_position_key: key }] = document as [Position];
    const database = new Client({ connectionString: file.databaseUrl });
    await database.connect();
    await database.query("UPDATE positions SET frozen_reason = 'unknown_quote' WHERE position_key = $1", [key]);
    await database.end();
    expect((await terminal.json('positions', 'frozen')).document).toMatchObject([
      { position_key: key, frozen_reason: 'unknown_quote' },
    ]);
    expect((await terminal.run('positions', 'frozen', '--limit', '1')).out).toMatch(
      `${key}  closed  unknown_quote  20`,
    );
    expect((await terminal.run('positions', 'unfreeze', key)).code).toBe(0);
    expect((await terminal.json('positions', 'frozen')).document).toEqual([]);
  });

  test('events are printed one per line', async () => {
    const [first] = await terminal.lines('listen', '--count', '1');
    expect(first).toMatchObject({ type: 'snapshot' });
  });
});

describe('doctor', () => {
  const unreachable = 'http://127.0.0.1:9';
  const stranger = '0x00000000000000000000000000000000000000aa';
  const deadPid = 2 ** 22 - 1;

  /** Return a folder with a changed copy of the stack file; none for null. */
  function folderWith(change: (whole: StackFile) => unknown): string {
    const folder = mkdtempSync(path.join(tmpdir(), 'fault-'));
    const changed = change(structuredClone(file));
    if (changed === null) return folder;
    writeFileSync(path.join(folder, 'stack.json'), typeof changed === 'string' ? changed : JSON.stringify(changed));
    return folder;
  }

  const faults: readonly (readonly [name: string, check: string, change: (whole: StackFile) => unknown])[] = [
    ['no stack runs', 'running', () => null],
    ['a torn file', 'stack file', () => '{"apiUrl":'],
    ['a dead program', 'processes', (whole) => ({ ...whole, processes: { keeper: deadPid } })],
    [
      'a program that is being restarted',
      'processes',
      (whole) => ({
        ...whole,
        programs: { keeper: { state: 'restarting', since: new Date().toISOString(), restarts: 1, lastEnd: 'SIGKILL' } },
      }),
    ],
    ['a silent chain', 'chain', (whole) => ({ ...whole, rpcUrl: unreachable })],
    ['another chain', 'chain', (whole) => ({ ...whole, chainId: 137 })],
    ['another deployment', 'contracts', (whole) => ({ ...whole, contracts: { ...whole.contracts, pool: stranger } })],
    ['no database', 'database', (whole) => ({ ...whole, databaseUrl: 'postgres://a:b@127.0.0.1:9/lev' })],
    ['a silent venue', 'venue', (whole) => ({ ...whole, venueUrl: unreachable })],
    ['a silent service', 'api', (whole) => ({ ...whole, apiUrl: `${unreachable}/v1/prediction-markets` })],
    ['a revoked key', 'api key', (whole) => ({ ...whole, partner: { apiKey: 'sbx_skey_gone' } })],
    ['another signer', 'signer', (whole) => ({ ...whole, signerAddress: stranger })],
  ];

  test('passes every check of a healthy stack', async () => {
    const { code, document } = await terminal.json('doctor');
    expect(document).toMatchObject({ failed: 0 });
    expect(code).toBe(0);
  });

  test.each(faults)('finds %s', async (_name, check, change) => {
    const { code, document } = await new Terminal({ LEV_STATE_DIR: folderWith(change) }).json('doctor');
    const { checks } = document as { checks: { name: string; ok: boolean; fix: string | null }[] };
    expect(code).toBe(7);
    const failed = checks.filter(({ ok }) => !ok);
    expect(failed.map(({ name }) => name)).toEqual([check]);
    expect(failed[0]?.fix).toMatch(/\w+/);
  });

  test('finds a pending migration, and its fix works', async () => {
    const name = 'without_migrations';
    const server = new Client({ connectionString: file.databaseUrl });
    await server.connect();
    await server.query(`CREATE DATABASE ${name}`);
    await server.end();
    const databaseUrl = Object.assign(new URL(file.databaseUrl), { pathname: `/${name}` }).href;
    const behind = new Terminal({ LEV_STATE_DIR: stack.stateDir, DATABASE_URL: databaseUrl });
    const { code, document } = await behind.json('doctor');
    expect([code, document]).toMatchObject([7, { failed: 1 }]);
    const { checks } = document as { checks: { name: string; ok: boolean; detail: string; fix: string | null }[] };
    const failure = checks.find(({ ok }) => !ok);
    expect(failure).toMatchObject({ name: 'migrations', fix: expect.stringContaining('lev migrate') });
    const { applied } = (await behind.json('migrate')).document as { applied: readonly string[] };
    expect(failure?.detail).toBe(`${applied.length} pending: ${applied.join(', ')}`);
    expect((await behind.json('doctor')).document).toMatchObject({ failed: 0 });
  });

  test('finds secrets readable by other users', async () => {
    const folder = folderWith((whole) => whole);
    writeFileSync(path.join(folder, 'secrets.json'), '{}');
    chmodSync(path.join(folder, 'secrets.json'), 0o644);
    const { document } = await new Terminal({ LEV_STATE_DIR: folder }).json('doctor');
    expect(document).toMatchObject({
      failed: 1,
      checks: expect.arrayContaining([expect.objectContaining({ name: 'files', ok: false })]),
    });
  });
});

describe('the client on chain', () => {
  let me: LevUser;
  let wallet: Wallet;
  let address: Hex;
  let chain: ReturnType<typeof chainOf>;

  const chainOf = (privateKey: Hex) =>
    createWalletClient({
      account: privateKeyToAccount(privateKey),
      chain: foundry,
      transport: http(file.rpcUrl),
    }).extend(publicActions);
  const mined = async (hash: Promise<Hex>): Promise<void> => {
    expect((await chain.waitForTransactionReceipt({ hash: await hash })).status).toBe('success');
  };
  const usdcOf = (): Promise<bigint> =>
    chain.readContract({ address: file.contracts.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [address] });

  beforeAll(() => {
    const carol = file.accounts.find(({ name }) => name === 'carol');
    if (carol === undefined) throw new Error('the stack has no carol');
    address = carol.address;
    wallet = walletOf(file, carol.privateKey);
    chain = chainOf(carol.privateKey);
    const lev = new Lev({ baseUrl: file.apiUrl, apiKey: file.partner.apiKey, chain: file.rpcUrl });
    me = lev.asUser(() => lev.tokens.create({ wallet_address: address }));
  });

  async function quoteOf(notionalUsd: string): Promise<Quote> {
    const draft = await me.quotes.draft({ ticker, side, leverage: '2', notionalUsd, allowRevision: true });
    return me.quotes.promote(draft);
  }
  const tokensOf = (position: Position): bigint =>
    'current' in position ? BigInt(position.current.position_token_units) : 0n;

  test('preflight names unmet requirements with the transaction that fixes each', async () => {
    const draft = await me.quotes.draft({ ticker, side, leverage: '2', notionalUsd: '40', allowRevision: true });
    const requirements = await me.preflight(draft, { account: address });
    const missing = requirements.filter(({ isMet }) => !isMet);
    expect(requirements.map(({ name }) => name)).toEqual([
      'chain',
      'wallet',
      'quote',
      'market',
      'expiry',
      'vault',
      'balance',
      'gas',
      'allowance',
    ]);
    expect(missing).toMatchObject([
      {
        name: 'allowance',
        token: file.contracts.usdc,
        spender: file.contracts.vault,
        need: draft.total_user_amount_usdc_units,
        have: '0',
        transaction: { to: file.contracts.usdc, value: '0' },
      },
    ]);
  });

  test('preflight names a user limit that the quote does not meet', async () => {
    const draft = await me.quotes.draft({ ticker, side, leverage: '2', notionalUsd: '40', allowRevision: true });
    const limitsOf = (tokens: bigint, pips: bigint, fee: bigint) => ({
      minPositionTokenUnits: tokenUnits(tokens),
      maxLiquidationPricePips: pricePips(pips),
      venueFeeUsdcUnits: usdcUnits(fee),
    });
    const metBy = async (limits: ReturnType<typeof limitsOf>) =>
      (await me.preflight(draft, { account: address, limits })).slice(-3).map(({ name, isMet }) => [name, isMet]);
    const tokens = BigInt(draft.min_expected_position_token_units);
    const pips = BigInt(draft.current_liquidation_price_usd_pips);
    const fee = BigInt(draft.expected_open_trading_fee_usdc_units);
    const names = ['minimum_tokens', 'liquidation_price', 'venue_fee'];
    expect(await metBy(limitsOf(tokens, pips, fee))).toEqual(names.map((name) => [name, true]));
    expect(await metBy(limitsOf(2n * tokens, pips - 1n, 0n))).toEqual(names.map((name) => [name, false]));
  });

  test('an opening that cannot fill is cancelled', async () => {
    const quote = await quoteOf('40');
    const limits = {
      venueFeeUsdcUnits: usdcUnits(BigInt(quote.expected_open_trading_fee_usdc_units)),
      minPositionTokenUnits: tokenUnits(2n ** 47n),
      maxLiquidationPricePips: pricePips(9_999n),
      minFillBps: rateBps(10_000n),
    };
    const [approval] = await me.positions.open(quote).transactions();
    const before = await usdcOf();
    await mined(chain.sendTransaction({ to: approval?.to as Hex, data: approval?.data as Hex }));
    const request = toCreateRequestStruct(createPositionFieldsOf(quote), limits);
    const args = [request, quote.contract_signature as Hex] as const;
    const cancelling = me.positions.cancel(quote.on_chain_position_key, { wallet });
    // The keeper is held, so that it cannot give the opening up before its owner does.
    const keeper = stack.file().processes['keeper'] ?? 0;
    process.kill(keeper, 'SIGSTOP');
    try {
      await mined(
        chain.writeContract({ address: file.contracts.vault, abi: vaultAbi, functionName: 'createPosition', args }),
      );
      for await (const step of cancelling) {
        if (step.step !== 'wait') continue;
        await mined(Promise.resolve(step.hash as Hex));
        break;
      }
    } finally {
      process.kill(keeper, 'SIGCONT');
    }
    const cancelled = await cancelling;
    expect(cancelled).toMatchObject({ status: 'cancelled', close_reason: 'cancelled', failure: null });
    expect(await usdcOf()).toBe(before);
    // Nothing is offered until the keeper reports again.
    await vi.waitFor(() => quoteOf('40'), { timeout: 30_000, interval: 500 });
  });

  test('open, look up, add margin, close a part, close the rest', async () => {
    const quote = await quoteOf('60');
    const plain = await me.positions.open(quote).transactions();
    expect(plain.map(({ to }) => to.toLowerCase())).toEqual(
      [file.contracts.usdc, file.contracts.vault].map((to) => to.toLowerCase()),
    );
    const hashes: string[] = [];
    let position: Position | null = null;
    for await (const step of me.positions.open(quote, wallet)) {
      if (step.step === 'send') hashes.push(step.hash);
      if (step.step === 'done') position = step.result;
    }
    if (position === null) throw new Error('nothing was opened');
    expect(position.status).toBe('open');
    expect(await me.positions.byTransaction(hashes.at(-1) ?? '')).toMatchObject({ id: position.id });
    expect(await me.positions.byKey(quote.on_chain_position_key)).toMatchObject({ id: position.id });

    expect((await me.positions.addMargin(position, { wallet, amountUsd: '2.5' })).status).toBe('open');
    const part = (tokensOf(position) * 3n) / 10n / 10_000n;
    const smaller = await me.positions.closePart(position, { wallet, tokens: `${part / 100n}`, minPriceUsd: '0.01' });
    expect(tokensOf(smaller)).toBeLessThan(tokensOf(position));
    expect((await me.positions.close(smaller, { wallet, minPriceUsd: '0.01' })).status).toBe('closed');
    expect(await Array.fromAsync(me.positions.partialCloses(position.id))).toHaveLength(1);
  });

  test('an exit needs neither keeper nor venue; later proceeds are claimed, and nothing else', async () => {
    const position = await me.positions.open(await quoteOf('40'), wallet);
    expect((await me.positions.exit(position.on_chain_position_key, { wallet, to: address })).status).toBe('closed');
    await expect(me.positions.claim(position, { wallet })).rejects.toMatchObject({
      code: 'transaction_reverted',
      revert: 'NothingToClaim',
      hash: null,
    });
    await expect(me.positions.cancel(position, { wallet })).rejects.toMatchObject({ revert: 'WrongState' });
    const key = position.on_chain_position_key as Hex;
    const account = await chain.readContract({
      address: file.contracts.vault,
      abi: vaultAbi,
      functionName: 'accountOf',
      args: [key],
    });
    const before = await usdcOf();
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [account, 3_000_000n] } as const;
    await mined(chain.writeContract({ address: file.contracts.usdc, ...transfer }));
    expect(await me.positions.claim(position, { wallet })).toMatchObject({ id: position.id, status: 'closed' });
    expect(await usdcOf()).toBe(before);
  });

  test('a changed quote never reaches the wallet', async () => {
    const quote = await quoteOf('40');
    const changed = { ...quote, collateral_usdc_units: String(BigInt(quote.collateral_usdc_units) - 1n) };
    await expect(me.positions.open(changed, wallet)).rejects.toMatchObject({
      code: 'quote_not_verified',
      field: 'collateral_usdc_units',
    });
    const other = walletOf(file, file.accounts.find(({ name }) => name === 'dave')?.privateKey ?? '0x');
    await expect(me.positions.open(quote, other)).rejects.toMatchObject({ field: 'authority_public_key' });
  });

  test('the request that a rejection suggests is accepted', async () => {
    const order = { ticker, side, leverage: '2', notionalUsd: '0.01' } as const;
    const error: unknown = await me.quotes.draft(order).catch((caught: unknown) => caught);
    if (!isCode(error, 'quote_notional_below_minimum') || error.suggested === null) throw error;
    const again = await me.quotes.draft({ ...error.suggested, allow_revision: true });
    expect(BigInt(again.notional_amount_usd_pips)).toBeGreaterThanOrEqual(BigInt(error.params.min_notional_usd_pips));
  });
});
