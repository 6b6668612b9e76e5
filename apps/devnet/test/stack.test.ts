import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { formatUsd, pricePips, subtract } from '@core/pricing';
import { vaultAbi } from '@core/vault';
import { VenueControl } from '@core/venue-sim/control';
import type { Hex } from 'viem';
import { afterAll, describe, expect, test } from 'vitest';
import { ApiClient, ApiRefusal } from '../src/demo/clients/apiClient.ts';
import { stackClientOf, Wallet } from '../src/demo/clients/wallet.ts';
import { StepPrinter } from '../src/demo/stepPrinter.ts';
import { bestCandidate, type Candidate } from '../src/demo/steps/candidates.ts';
import { askToClose } from '../src/demo/steps/closePosition.ts';
import type { DemoPosition, Driver } from '../src/demo/steps/driver.ts';
import { type OpeningPlan, openPosition } from '../src/demo/steps/openPosition.ts';
import { endedStatuses, PositionCancelled, waitForStatus } from '../src/demo/steps/waitForStatus.ts';
import type { StackFile } from '../src/stack/state/stackFile.ts';
import { restOnEachOther } from '../testing/restOnEachOther.ts';
import { RunningStack, startTimeoutMs } from '../testing/runningStack.ts';

const demoMain = fileURLToPath(new URL('../src/demo/main.ts', import.meta.url));
const running = new RunningStack();
restOnEachOther();
afterAll(() => running.remove(), startTimeoutMs);

const printer = new StepPrinter(() => undefined);

async function driverOf(stack: StackFile): Promise<Driver> {
  const api = new ApiClient(stack, printer);
  return { api, printer, contractInfo: await api.contractInfo() };
}

/** A position of a careful user in a market of its own that goes on for hours. */
async function openOne(
  stack: StackFile,
  user: string,
): Promise<{ readonly opened: DemoPosition; readonly plan: OpeningPlan }> {
  const driver = await driverOf(stack);
  const query = { category: 'crypto', accepting_new_positions: 'true', expand: 'prices', limit: '100' };
  const criteria = {
    nearPips: 5_000,
    isWanted: ({ market, leverageBps }: Candidate) =>
      leverageBps >= 20_000 && (market.event.series_ticker?.includes('daily') ?? false),
  };
  const found: Candidate[] = [];
  const find = async () => {
    const candidate = bestCandidate(await driver.api.markets(query), criteria, usedTickers);
    if (candidate !== null) found.push(candidate);
    return found.length;
  };
  // A stack that has just started registers its outcomes for some seconds.
  await expect.poll(find, { timeout: startTimeoutMs, interval: 1_000 }).toBeGreaterThan(0);
  const [candidate] = found;
  if (candidate === undefined) throw new Error('no market');
  const { market, side } = candidate;
  usedTickers.add(market.ticker);
  const plan = { marketTicker: market.ticker, side, leverageBps: 20_000, notionalUsdPips: '1500000' } as const;
  try {
    return { opened: await openPosition(driver, new Wallet(stack, user, printer), plan), plan };
  } catch (error) {
    // A book grows old between draft and promotion, or a price moves past what a quote allows: another one is asked.
    const isOfMarket = error instanceof PositionCancelled || (error instanceof ApiRefusal && error.status === 400);
    if (!isOfMarket) throw error;
    return openOne(stack, user);
  }
}

const usedTickers = new Set<string>();
let position: DemoPosition | null = null;
let before: unknown = null;

/** More than the half cent by which a mid may lie above the price of a liquidation. */
const underPips = pricePips(60n);
/** Several times what a keeper that could sell would need. */
const dueMs = 6_000;

/** Which price signers answer, as the interface shows it. */
async function answeringSigners({ apiUrl }: StackFile): Promise<readonly boolean[]> {
  const { keepers } = (await (await fetch(new URL('/readyz', apiUrl))).json()) as {
    readonly keepers: readonly { readonly price_signers: readonly { readonly is_answering: boolean }[] }[];
  };
  return (keepers[0]?.price_signers ?? []).map(({ is_answering }) => is_answering);
}

/** What a user who asks for a draft hears: a code, or that there is one. */
async function draftCode(api: ApiClient, token: string, { marketTicker, ...plan }: OpeningPlan): Promise<string> {
  const asked = {
    market_ticker: marketTicker,
    effective_side: plan.side,
    leverage_bps: plan.leverageBps,
    notional_amount_usd_pips: plan.notionalUsdPips,
    slippage_bps: 500,
    allow_revision: true,
  } as const;
  const refusalOf = (error: unknown) => {
    if (error instanceof ApiRefusal) return error.code;
    throw error;
  };
  return api.draft(token, asked).then(() => 'quoted', refusalOf);
}

/** The position as the service, the chain and the venue have it. */
async function whatIsKnown(stack: StackFile): Promise<unknown> {
  if (position === null) throw new Error('nothing was opened');
  const { key, token } = position;
  const { api } = await driverOf(stack);
  const held = await api.positionOfKey(token, key);
  const at = { address: stack.contracts.vault, abi: vaultAbi } as const;
  const account = await stackClientOf(stack).readContract({ ...at, functionName: 'accountOf', args: [key as Hex] });
  const market = held === null ? null : await api.market(held.market_ticker, true);
  const venue = (await (await fetch(`${stack.venueUrl}/control/markets`)).json()) as {
    readonly markets: readonly { readonly slug: string; readonly stage: string }[];
  };
  return {
    id: held?.id,
    status: held?.status,
    entry: held?.entry,
    account,
    marketStatus: market?.status,
    venueStage: venue.markets.find(({ slug }) => slug === held?.market_ticker)?.stage,
    apiUrl: stack.apiUrl,
    rpcUrl: stack.rpcUrl,
    partners: stack.partners,
    contracts: stack.contracts,
  };
}

/** Asks until everything answers as before: programs that were killed need a moment. */
const expectUnchanged = async (stackOf: () => StackFile): Promise<void> => {
  expect(before).not.toBeNull();
  await expect
    .poll(() => whatIsKnown(stackOf()).catch(String), { timeout: startTimeoutMs, interval: 250 })
    .toEqual(before);
};

describe('a stack that remembers', () => {
  test(
    'a first start that is killed in the middle leaves nothing that the next one trips over',
    async () => {
      running.launch();
      await expect.poll(() => running.nodePid(), { timeout: startTimeoutMs }).not.toBeNull();
      await running.killEverything();
      expect(existsSync(running.path('deployment.json'))).toBe(false);
      const stack = await running.start();
      expect(Object.keys(stack.processes).toSorted()).toEqual([
        'api',
        'chain',
        'console',
        'keeper',
        'postgres',
        'price-signer',
        'second-price-signer',
        'venue-sim',
      ]);
      const info = await (await fetch(`${stack.apiUrl}/contract-info`)).json();
      expect(info).toMatchObject({
        evm_chain_id: String(stack.chainId),
        polygon_signer_address: stack.signerAddress,
        polygon_vault_contract_address: stack.contracts.vault,
      });
      for (const apiKey of [...stack.partners.map((partner) => partner.apiKey), 'sbx_skey_wrong']) {
        const headers = { authorization: `Api-Key ${apiKey}` };
        const { status } = await fetch(`${stack.apiUrl}/markets`, { headers });
        expect(status).toBe(apiKey === 'sbx_skey_wrong' ? 401 : 200);
      }
      position = (await openOne(stack, 'alice')).opened;
      before = await whatIsKnown(stack);
      expect(before).toMatchObject({ status: 'open', venueStage: 'trading' });
      // The contracts may have to be compiled first.
    },
    2 * startTimeoutMs,
  );

  test('a page of another port of this machine may call the interface', async () => {
    const { apiUrl } = running.file();
    const answer = await fetch(`${apiUrl}/contract-info`, { headers: { origin: 'http://localhost:5173' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
  });

  test('kill -9 of everything at once, then of a start in its middle: positions, keys and ports are those before', async () => {
    await running.killEverything();
    running.launch();
    await running.untilPrinted('✔ Chain');
    await running.killEverything();
    const stack = await running.start();
    expect(running.output).toContain('goes on from where the last start ended');
    expect(await whatIsKnown(stack)).toEqual(before);
  });

  test('kill -9 of the runner alone', async () => {
    await running.killRunner();
    expect(await whatIsKnown(await running.start())).toEqual(before);
  });

  test.each([
    ['the database server', () => running.postmasterPid(), 'postgres'],
    ['the node of the chain', () => running.nodePid(), 'chain'],
    ['the program of the chain', () => running.file().processes['chain'] ?? null, 'chain'],
    ['the venue', () => running.file().processes['venue-sim'] ?? null, 'venue-sim'],
  ] as const)('kill -9 of %s under a running stack: it is started again', async (_name, pidOf, program) => {
    const earlier = running.file().processes[program];
    process.kill(pidOf() ?? 0, 'SIGKILL');
    await expect.poll(() => running.file().processes[program], { timeout: startTimeoutMs }).not.toBe(earlier);
    expect(running.output).toMatch(new RegExp(`${program} ended .* and is started again`));
    await expectUnchanged(() => running.file());
  });

  test('kill -9 of one price signer: no quote and no sale until it is back, though a debt is due', async () => {
    const stack = running.file();
    const { opened, plan } = await openOne(stack, 'bob');
    const { api } = await driverOf(stack);
    const held = await api.positionOfKey(opened.token, opened.key);
    if (held === null || !('current' in held)) throw new Error('the position is not open');
    const quoted = () => draftCode(api, opened.token, plan);
    expect(await quoted()).toBe('quoted');

    // The runner, which would start the program again, stands still meanwhile.
    running.pauseRunner();
    process.kill(stack.processes['second-price-signer'] ?? 0, 'SIGKILL');
    const answering = () => answeringSigners(stack);
    await expect.poll(answering, { timeout: startTimeoutMs }).toEqual([true, false]);
    await expect.poll(quoted, { timeout: startTimeoutMs }).toBe('quote_creation_disabled');
    const target = subtract(pricePips(BigInt(held.risk.current_liquidation_price_usd_pips)), underPips);
    const { marketTicker, side } = plan;
    await new VenueControl(stack.venueUrl).play('crash', marketTicker, { side, to: formatUsd(target) });
    await delay(dueMs);
    expect((await api.positionOfKey(opened.token, opened.key))?.status).toBe('open');
    expect(await quoted()).toBe('quote_creation_disabled');

    running.resumeRunner();
    const driver = await driverOf(stack);
    expect((await waitForStatus(driver, opened, endedStatuses)).status).toBe('liquidated');
    await expect.poll(answering, { timeout: startTimeoutMs }).toEqual([true, true]);
    await expect.poll(quoted, { timeout: startTimeoutMs }).not.toBe('quote_creation_disabled');
    expect(running.file().processes['second-price-signer']).not.toBe(stack.processes['second-price-signer']);
    await expectUnchanged(() => running.file());
  });

  test('programs that start while venue and database are silent wait for them and say so', async () => {
    const { processes } = running.file();
    const silent = [processes['venue-sim'] ?? 0, running.postmasterPid() ?? 0];
    const waiting = ['keeper', 'price-signer', 'api'];
    for (const pid of silent) process.kill(pid, 'SIGSTOP');
    for (const name of waiting) process.kill(processes[name] ?? 0, 'SIGKILL');
    const logOf = (name: string) => readFileSync(running.path('logs', `${name}.log`), 'utf8');
    const saysWhom = { keeper: 'the database', 'price-signer': 'the venue', api: 'the database' };
    for (const [name, neighbour] of Object.entries(saysWhom)) {
      await expect.poll(() => logOf(name), { timeout: startTimeoutMs }).toContain(`waiting for ${neighbour} at`);
    }
    for (const pid of silent) process.kill(pid, 'SIGCONT');
    for (const name of waiting) {
      await expect.poll(() => running.file().processes[name], { timeout: startTimeoutMs }).not.toBe(processes[name]);
    }
    await expectUnchanged(() => running.file());
  });

  test('the position is closed by the same keeper, venue and chain; the demo reconciles; nothing is left behind', async () => {
    if (position === null) throw new Error('nothing was opened');
    const driver = await driverOf(running.file());
    await askToClose(driver, position);
    expect((await waitForStatus(driver, position, endedStatuses)).status).toBe('closed');

    const demo = await runDemo();
    expect(demo).toMatchObject({ code: 0, output: expect.stringContaining('everything reconciles') });

    const ended = await running.stop();
    expect(ended).toMatchObject({ code: 0, output: expect.stringContaining('the next start goes on from here') });
    expect(await running.leftovers(40_000)).toEqual([]);
    for (const file of ['stack.json', 'run.json']) expect(existsSync(running.path(file))).toBe(false);
    expect(running.postmasterPid()).toBeNull();
  });

  test('reset deletes and says so', async () => {
    const { output } = await running.reset();
    expect(output).toContain('deleted chain, venue, database, keys and positions');
    for (const name of ['chain', 'venue', 'pg', 'database.json', 'deployment.json', 'secrets.json']) {
      expect(existsSync(running.path(name))).toBe(false);
    }
    expect((await running.reset()).output).toContain('nothing is kept');
  });
});

/** Recorded quotes, where this checkout has them beside it. */
const sharedData = process.env['SHARED_DATA'] ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url));
const recording = path.join(sharedData, 'venue', 'crypto_hourly_quotes.csv');

/** Runs the demo against the stack of this folder. */
async function runDemo(): Promise<{ readonly code: number | null; readonly output: string }> {
  const hasRecording = existsSync(recording);
  if (!hasRecording) process.stdout.write(`${recording} is missing: the recorded market is left out of the demo\n`);
  const replay = hasRecording ? ['--replay', recording, '--market', '4'] : [];
  const demo = spawn(process.execPath, [demoMain, ...replay], {
    env: { ...process.env, LEV_STATE_DIR: running.stateDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (text) => (output += String(text)));
  const [code] = (await once(demo, 'exit')) as [number | null];
  return { code, output };
}
