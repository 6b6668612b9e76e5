import { type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { LocalAccount } from '@core/contracts/local';
import type { MarketRecord } from '@core/market';
import { routeNames, routes } from '@core/policy';
import { leverageBps, usdPips } from '@core/pricing';
import { type MarketShare, marketSharesOf } from '@core/runtime';
import { shareLockOf } from '@core/store';
import { vaultAbi } from '@core/vault';
import { Client } from 'pg';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { SerialQueue } from '../src/runner/serialQueue.ts';
import { fillIdle, quietMarket } from './fillIdle.ts';
import { heldShares, untilShared } from './keeperShares.ts';
import { cpuSecondsOf } from './processorTime.ts';
import { exitOf, type HeldPosition, startTestStack, type TestStack } from './startTestStack.ts';

// Usage: pnpm --filter @core/keeper measure:due [--due 100] [--closing 100] [--floor 100] [--idle 0]
//          [--rounds tick,alone,together,behind,killed,change,keepers] [--keepers 1,2,4] [--route direct].
// Measures with the whole real stack the time from a price fall to the order at the venue, and the time until debts
// that are due at once are repaid. Further rounds measure closes beside a liquidation, and a kill -9 of the
// working keeper. Other positions owe meanwhile and are not due. The round `keepers` runs several keepers: their
// statements while nothing happens, debts of eight markets that are due at once, and kills of one of them. The round
// `change` sets the number of market shares while several keepers run.
const { values } = parseArgs({
  options: {
    due: { type: 'string', default: '100' },
    closing: { type: 'string' },
    floor: { type: 'string', default: '100' },
    idle: { type: 'string', default: '0' },
    rounds: { type: 'string', default: 'alone,together,behind,killed' },
    keepers: { type: 'string', default: '1,2,4' },
    route: { type: 'string', default: 'direct' },
  },
});
const dueCount = Number(values.due);
const closingCount = Number(values.closing ?? values.due);
const floorCount = Number(values.floor);
const idleCount = Number(values.idle);
const route = routeNames.find((name) => name === values.route) ?? 'direct';
/** Transactions of a sale: authorise, match, finalise; on route `fill`, authorise and fill. */
const transactionsPerSale = routes[route].hasFillers ? 2 : 3;
const keeperCounts = values.keepers.split(',').map(Number);
const rounds: ReadonlySet<string> = new Set(values.rounds.split(','));

const note = (text: string): void => void process.stdout.write(`${text}\n`);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

function quantileOf(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

const stack: TestStack = await startTestStack({ isApart: true, isListed: () => true, startPriceOf: null });
const client = new Client({ connectionString: stack.databaseUrl });
await client.connect();
const { roles, contracts } = stack.deployment;
interface Opened extends HeldPosition {
  readonly user: LocalAccount;
}

const users = [roles.alice, roles.bob, roles.carol, roles.dave, roles.erin];

/** One transaction of the chain after the other, nothing else: what no keeper is faster than. */
async function floorMsPerTransaction(): Promise<number> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [contracts.pool, 1n] });
  const startMs = performance.now();
  for (let sentCount = 0; sentCount < floorCount; sentCount += 1)
    await stack.driver.rpc.send(roles.erin, { to: contracts.usdc, data });
  return (performance.now() - startMs) / floorCount;
}

/** Positions on their way at a time: each has a minute to be opened. */
const openingCount = 16;
/** A market's bids take so many of these positions at once, and its debts stay covered while they are opened. */
const positionsPerMarket = 100;

/** Opens positions, several users at a time, in as many markets as they need; what comes back owes. */
async function openMany(size: number): Promise<readonly Opened[]> {
  const openPositions: Opened[] = [];
  const startMs = performance.now();
  for (let remaining = size; remaining > 0; remaining -= positionsPerMarket) {
    openPositions.push(...(await openIn(await stack.tradableMarket(), Math.min(remaining, positionsPerMarket))));
  }
  note(`  opened ${openPositions.length} of ${size} in ${seconds(performance.now() - startMs)}`);
  return openPositions;
}

const submissions = new Map<string, SerialQueue>();

/** A user's transactions one after the other: two that leave at once would take the same nonce. */
function submissionsOf({ address }: LocalAccount): SerialQueue {
  const queue = submissions.get(address) ?? new SerialQueue();
  submissions.set(address, queue);
  return queue;
}

async function openIn(market: MarketRecord, size: number): Promise<readonly Opened[]> {
  const side = await stack.likelierSide(market);
  const openPositions: Opened[] = [];
  let next = 0;
  const openNext = async (index: number): Promise<void> => {
    const user = users[index % users.length] ?? roles.alice;
    for (; next < size; ) {
      next += 1;
      const notionalUsdPips = usdPips(250_000n);
      const quoteRequest = { user, market, side, notionalUsdPips, leverageBps: leverageBps(20_000n) };
      const position = await submissionsOf(user).run(() => stack.open(quoteRequest));
      const { status } = await stack.reaches(position, 'open', 'cancelled');
      if (status === 'open') openPositions.push({ user, market, side, position });
    }
  };
  await Promise.all(Array.from({ length: Math.min(size, openingCount) }, (_, index) => openNext(index)));
  return openPositions;
}

/** In SQL: nothing is owed any more, whether by a liquidation or an unwind; and what users wait for. */
const repaid = 'principal_usdc_units = 0';
const ended = `status IN ('liquidated', 'closed')`;

/** Milliseconds after which each position was seen to fulfil a condition, ascending. */
async function timesUntil(
  condition: string,
  { held, sinceMs }: { readonly held: readonly HeldPosition[]; readonly sinceMs: number },
): Promise<readonly number[]> {
  const keys = held.map(({ position }) => position.positionKey);
  const durations: number[] = [];
  while (durations.length < keys.length) {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM positions WHERE position_key = ANY($1) AND ${condition}`,
      [keys],
    );
    const nowMs = performance.now() - sinceMs;
    while (durations.length < Number(rows[0]?.count)) durations.push(nowMs);
    if (nowMs > 1_800_000)
      throw new Error(`${keys.length - durations.length} of ${keys.length} positions did not get there`);
    await delay(50);
  }
  return durations;
}

/** A debt is followed within a second of its opening, and only then falls due by a tick. */
const followedWithinMs = 2_000;
/**
 * Distance by which the price falls below the lowest of them: makers with inventory quote a cent and a half away from
 * it.
 */
const fallPips = 200n;

/** Since when positions have been under their liquidation price, and how long each then took to owe nothing. */
interface Fall {
  readonly sinceVenueMs: number;
  readonly times: readonly number[];
}

/** All of them fall under their liquidation price at one moment. */
async function fallTogether(held: readonly HeldPosition[]): Promise<Fall> {
  const priced = await Promise.all(
    held.map(async (one) => ({ one, pips: await stack.liquidationPriceOf(one.position) })),
  );
  const owing = priced.filter(({ pips }) => pips > 0n).toSorted((left, right) => Number(left.pips - right.pips));
  if (owing.length === 0) throw new Error('none of them owes anything');
  const lowest = new Map(owing.toReversed().map((priced) => [priced.one.market.id, priced]));
  await delay(followedWithinMs);
  const sinceMs = performance.now();
  const sinceVenueMs = stack.venue.venue.nowMs;
  await Promise.all([...lowest.values()].map(({ one, pips }) => stack.fallTo(one, pips - fallPips)));
  return { sinceVenueMs, times: await timesUntil(repaid, { held: owing.map(({ one }) => one), sinceMs }) };
}

function report(name: string, times: readonly number[], floorMs: number): void {
  const [p50, p95, last] = [quantileOf(times, 0.5), quantileOf(times, 0.95), quantileOf(times, 1)];
  const floor = transactionsPerSale * times.length * floorMs;
  note(
    `${name}: p50 ${seconds(p50)}, p95 ${seconds(p95)}, last ${seconds(last)}; ` +
      `floor of ${transactionsPerSale * times.length} transactions ${seconds(floor)}, ${(last / floor).toFixed(1)} times`,
  );
}

/** Every position was sold once: one order that filled, one authorisation and one finalisation that stand. */
async function expectOnce(held: readonly HeldPosition[]): Promise<string> {
  const { rows } = await client.query<{ operation: string; done: string; subjects: string }>(
    `SELECT operation, count(*) AS done, count(DISTINCT subject) AS subjects FROM intents
     WHERE subject = ANY($1) AND state IN ('included', 'final') AND operation ~ '(liquidate|unwind)$'
     GROUP BY operation ORDER BY 1`,
    [held.map(({ position }) => position.positionKey)],
  );
  return rows.map(({ operation, done, subjects }) => `${operation} ${done} of ${subjects}`).join(', ');
}

/** Return the time until another keeper has every share of the dead one. */
async function takenOver(
  dead: readonly { readonly share: MarketShare; readonly fenceToken: bigint }[],
): Promise<number> {
  const startMs = performance.now();
  for (const { share, fenceToken } of dead) {
    await stack.until('another keeper of the share', async () =>
      (await stack.store.locks.fenceToken(shareLockOf(share))) > fenceToken ? true : undefined,
    );
  }
  return performance.now() - startMs;
}

/** The shares that a keeper says it holds, with the tokens of their locks. */
async function sharesOf(address: string) {
  const shares = await heldShares(stack.store, address);
  return Promise.all(
    shares.map(async (share) => ({ share, fenceToken: await stack.store.locks.fenceToken(shareLockOf(share)) })),
  );
}

/** Liquidations that are measured each by itself. */
const singleCount = 4;
const singleMarkets: MarketRecord[] = [];

/** One position in each of a few markets, the same ones every time, which are followed when this ends. */
async function openSingles(): Promise<readonly Opened[]> {
  while (singleMarkets.length < singleCount) singleMarkets.push(await stack.tradableMarket());
  const openPositions: Opened[] = [];
  for (const market of singleMarkets) openPositions.push(...(await openIn(market, 1)));
  await delay(followedWithinMs);
  return openPositions;
}

/**
 * One after the other falls under its liquidation price: how long each takes to owe nothing, ascending. Prints when
 * its steps were written down.
 */
async function fallOneByOne(held: readonly HeldPosition[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (const one of held) {
    const pips = await stack.liquidationPriceOf(one.position);
    const sinceVenueMs = stack.venue.venue.nowMs;
    const sinceMs = performance.now();
    await stack.fallTo(one, pips - fallPips);
    const [repaidMs = Number.NaN] = await timesUntil(repaid, { held: [one], sinceMs });
    times.push(repaidMs);
    const texts: string[] = [];
    for (const step of stepNames) {
      const [ms = Number.NaN] = await timesUntilStep(step, { held: [one], sinceVenueMs });
      texts.push(`${step} ${seconds(ms)}`);
    }
    note(`  ${texts.join(', ')}, repaid ${seconds(repaidMs)}`);
  }
  return times.toSorted((left, right) => left - right);
}

async function measureAlone(floorMs: number): Promise<number> {
  const times = await fallOneByOne(await openSingles());
  report(`one due, ${times.length} times`, times, floorMs / times.length);
  return quantileOf(times, 0.5);
}

async function measureTogether(floorMs: number): Promise<void> {
  const many = await openMany(dueCount);
  const cpuBefore = await cpuSecondsOf(leader.pid);
  const { times } = await fallTogether(many);
  const cpuSeconds = (await cpuSecondsOf(leader.pid)) - cpuBefore;
  report(`${dueCount} due at once`, times, floorMs);
  note(`  processor of the keeper: ${((1_000 * cpuSeconds) / many.length).toFixed(0)} ms a position`);
}

/** By how much more than alone a liquidation may take beside a thousand closes. */
const barMs = 1_000;

async function measureBehind(aloneMs: number): Promise<void> {
  const closing = await openMany(closingCount);
  const openPositions = await openSingles();
  const isClosing = `status = 'closing'`;
  const underWay = async (): Promise<number> => {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM positions WHERE ${isClosing}`);
    return Number(rows[0]?.count);
  };
  // Asked for while no keeper works, all of them wait when the next one starts.
  leader.kill('SIGTERM');
  await exitOf(leader);
  const requests = closing.map(async ({ position, user: sender }) => {
    const { tokenUnits } = await stack.driver.positionOf(position);
    await submissionsOf(sender).run(() => stack.driver.requestClose({ position, sender, tokenUnits }));
  });
  await Promise.all(requests);
  leader = spawnKeeper();
  await stack.until('every close to be seen', async () => ((await underWay()) === closing.length ? true : undefined));
  await stack.until('a first one to end', async () => ((await underWay()) < closing.length ? true : undefined));
  const before = await underWay();
  const times = await fallOneByOne(openPositions);
  const after = await underWay();
  const last = quantileOf(times, 1) - aloneMs;
  note(
    `${times.length} due one by one beside ${before} to ${after} closes under way: p50 ${seconds(quantileOf(times, 0.5))}, ` +
      `last ${seconds(quantileOf(times, 1))}; at most ${seconds(last)} more than alone: ${last <= barMs ? 'met' : 'missed'}`,
  );
  await timesUntil(ended, { held: closing, sinceMs: performance.now() });
}

async function measureKilled(floorMs: number): Promise<void> {
  const doomed = await openMany(dueCount);
  const standby = spawnKeeper(roles.keeperStandby.privateKey);
  await untilShared(stack, [roles.keeper.address, roles.keeperStandby.address]);
  const dying = await sharesOf(roles.keeper.address);
  const falling = fallTogether(doomed);
  const keys = doomed.map(({ position }) => position.positionKey);
  const countOf = async (text: string): Promise<number> =>
    Number((await client.query<{ count: string }>(text, [keys])).rows[0]?.count);
  const begun = `SELECT count(*) FROM intents WHERE subject = ANY($1)
                 AND operation IN ('authorize_liquidate', 'authorize_unwind')`;
  await stack.until('a tenth to be under way', async () =>
    (await countOf(begun)) >= keys.length / 10 ? true : undefined,
  );
  const goneCount = await countOf(`SELECT count(*) FROM positions WHERE position_key = ANY($1) AND ${repaid}`);
  leader.kill('SIGKILL');
  const tookMs = await takenOver(dying);
  leader = standby;
  report(
    `${doomed.length} due at once, the working keeper killed with ${goneCount} gone`,
    (await falling).times,
    floorMs,
  );
  note(`  the other keeper has its ${dying.length} shares after ${seconds(tookMs)}; once: ${await expectOnce(doomed)}`);
}

/** Keys of several keepers: the deployment appoints the first two. */
const keeperAccounts: readonly LocalAccount[] = [roles.keeper, roles.keeperStandby, roles.lp, roles.venueFeeRecipient];
const spreadMarketCount = 8;
const spreadMarkets: MarketRecord[] = [];
/** Keepers that start read everything once. */
const settleMs = 15_000;
const idleMs = 15_000;
const killCount = 3;
const betweenChangesMs = 3_000;

async function appointKeepers(): Promise<void> {
  for (const { address } of keeperAccounts.slice(2)) {
    const data = encodeFunctionData({ abi: vaultAbi, functionName: 'setRole', args: [1, address, true] });
    await stack.driver.rpc.send(roles.owner, { to: contracts.vault, data });
  }
}

/** Return transactions of the database in a second; a statement by itself is one. */
async function transactionsPerSecond(): Promise<number> {
  const countNow = async (): Promise<number> => {
    const { rows } = await client.query<{ count: string }>(
      'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]?.count);
  };
  const [before, startMs] = [await countNow(), performance.now()];
  await delay(idleMs);
  return (((await countNow()) - before) * 1_000) / (performance.now() - startMs);
}

/** Return the time until PostgreSQL gives away the lock of a connection that was cut: no keeper takes over sooner. */
async function cutLockMs(): Promise<number> {
  const holder = new Client({ connectionString: stack.databaseUrl });
  holder.on('error', () => undefined);
  await holder.connect();
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid, pg_advisory_lock(1)');
  const startMs = performance.now();
  await client.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  for (;;) {
    const attempt = await client.query<{ isFree: boolean }>('SELECT pg_try_advisory_lock(1) AS "isFree"');
    if (attempt.rows[0]?.isFree === true) break;
    await delay(5);
  }
  const tookMs = performance.now() - startMs;
  await client.query('SELECT pg_advisory_unlock(1)');
  return tookMs;
}

const sortedOf = (numbers: readonly number[]): readonly number[] => numbers.toSorted((left, right) => left - right);

/** Open positions in the same few markets each time, so that their shares are spread over the keepers. */
async function openSpread(): Promise<readonly Opened[]> {
  while (spreadMarkets.length < spreadMarketCount) spreadMarkets.push(await stack.tradableMarket());
  const size = Math.ceil(dueCount / spreadMarketCount);
  const startMs = performance.now();
  const openPositions = (await Promise.all(spreadMarkets.map((market) => openIn(market, size)))).flat();
  note(`  opened ${openPositions.length} in ${spreadMarketCount} markets in ${seconds(performance.now() - startMs)}`);
  return openPositions;
}

/** Wait until these keepers report all shares between them: the heartbeat of a dead one names its last ones. */
async function untilReported(addresses: readonly string[]): Promise<void> {
  await stack.until('the others to report all shares', async () => {
    const shares = await Promise.all(addresses.map((address) => heldShares(stack.store, address)));
    return shares.flat().length === (await stack.store.sharing.shareCount()) ? true : undefined;
  });
}

/** Kill the last keeper several times; a sole one is started again, and others take its shares over. */
async function takeOverTimes(accounts: readonly LocalAccount[], keepers: ChildProcess[]): Promise<readonly number[]> {
  const addresses = accounts.map(({ address }) => address);
  const times: number[] = [];
  for (let kill = 0; kill < killCount; kill += 1) {
    const [keeper, account] = [keepers.pop(), accounts.at(-1)];
    if (keeper === undefined || account === undefined) throw new Error('no keeper is running');
    const dying = await sharesOf(account.address);
    keeper.kill('SIGKILL');
    const again = keepers.length === 0 ? stack.spawnKeeper(undefined, account.privateKey) : null;
    times.push(await takenOver(dying));
    if (again === null) await untilReported(addresses.slice(0, -1));
    keepers.push(again ?? stack.spawnKeeper(undefined, account.privateKey));
    await exitOf(keeper);
    await untilShared(stack, addresses);
  }
  return sortedOf(times);
}

/** Start a number of keepers, and wait until they share the markets. */
async function startKeepers(count: number): Promise<{ accounts: readonly LocalAccount[]; keepers: ChildProcess[] }> {
  const accounts = keeperAccounts.slice(0, count);
  const keepers = accounts.map(({ privateKey }) => stack.spawnKeeper(undefined, privateKey));
  running = keepers;
  await untilShared(
    stack,
    accounts.map(({ address }) => address),
  );
  await delay(settleMs);
  return { accounts, keepers };
}

/** Return the time until every share of a number is acquired after that number was set. */
async function changeMs(shareCount: number): Promise<number> {
  const tokensNow = async (): Promise<number> => {
    const { rows } = await client.query<{ sum: string | null }>(
      'SELECT sum(fence_token) FROM lock_fences WHERE name = ANY($1)',
      [marketSharesOf(shareCount).map(shareLockOf)],
    );
    return Number(rows[0]?.sum ?? 0);
  };
  const [before, startMs] = [await tokensNow(), performance.now()];
  await stack.store.sharing.setShareCount(shareCount, stack.venue.venue.nowMs);
  // Each share that is acquired raises its token by one; one that is refused raises none.
  await stack.until('every share', async () => ((await tokensNow()) >= before + shareCount ? true : undefined));
  return performance.now() - startMs;
}

async function measureChange(): Promise<void> {
  leader.kill('SIGTERM');
  await exitOf(leader);
  await appointKeepers();
  for (const count of keeperCounts) {
    const { keepers } = await startKeepers(count);
    const times = new Map<number, number[]>([16, 64, 256].map((shareCount) => [shareCount, []]));
    for (const shareCount of [16, 256, 64, 16, 256, 64, 16, 256, 64]) {
      times.get(shareCount)?.push(await changeMs(shareCount));
      await delay(betweenChangesMs);
    }
    const texts = [...times].map(([shareCount, all]) => {
      const sorted = sortedOf(all);
      return `to ${shareCount} p50 ${seconds(quantileOf(sorted, 0.5))}, last ${seconds(quantileOf(sorted, 1))}`;
    });
    note(`${count} keepers hold every share after a change ${texts.join('; ')}`);
    await endAll(keepers);
  }
}

/** Let debts of several markets fall due at once. */
async function fallSpread(floorMs: number): Promise<void> {
  const { times } = await fallTogether(await openSpread());
  report(`  ${times.length} due at once`, times, floorMs);
  note(`  ${((1_000 * times.length) / quantileOf(times, 1)).toFixed(2)} positions a second`);
}

async function measureKeepers(floorMs: number): Promise<void> {
  leader.kill('SIGTERM');
  await exitOf(leader);
  await appointKeepers();
  const cutTimes = sortedOf([await cutLockMs(), await cutLockMs(), await cutLockMs()]);
  note(`floor: a lock is free ${quantileOf(cutTimes, 0.5).toFixed(0)} ms after its connection was cut`);
  note(`floor: ${(await transactionsPerSecond()).toFixed(1)} statements a second without a keeper`);
  for (const count of keeperCounts) {
    const { accounts, keepers } = await startKeepers(count);
    note(`${count} keepers: ${(await transactionsPerSecond()).toFixed(1)} statements a second, idle`);
    if (dueCount > 0) await fallSpread(floorMs);
    const takeOvers = await takeOverTimes(accounts, keepers);
    const [p50, last] = [quantileOf(takeOvers, 0.5), quantileOf(takeOvers, 1)];
    note(`  shares of a killed keeper: p50 ${seconds(p50)}, last ${seconds(last)} of ${takeOvers.length}`);
    await endAll(keepers);
  }
}

async function endAll(keepers: readonly ChildProcess[]): Promise<void> {
  for (const keeper of keepers) keeper.kill('SIGTERM');
  await Promise.all(keepers.map(exitOf));
}

/** Return the times of each step of a forced sale from the database, the first of each position. */
const steps = {
  attested: `SELECT min(created_at) AS at FROM intents WHERE subject = ANY($1)
             AND operation IN ('authorize_liquidate', 'authorize_unwind') GROUP BY subject`,
  // A signed transaction is stored just before the chain is given it.
  signed: `SELECT min(sent.created_at) AS at FROM intents
           JOIN intent_transactions AS sent ON sent.intent_id = intents.id
           WHERE subject = ANY($1) AND operation IN ('authorize_liquidate', 'authorize_unwind') GROUP BY subject`,
  order: `SELECT min(created_at) AS at FROM intents WHERE subject = ANY($1)
          AND operation IN ('post_liquidate', 'post_unwind') GROUP BY subject`,
} as const;
type Step = keyof typeof steps;
const stepNames = Object.keys(steps) as readonly Step[];

/** Milliseconds from a moment of the venue's clock until the keeper wrote down a step of each position. */
async function timesUntilStep(
  step: Step,
  { held, sinceVenueMs }: { readonly held: readonly HeldPosition[]; readonly sinceVenueMs: number },
): Promise<readonly number[]> {
  const { rows } = await client.query<{ ms: string }>(
    `SELECT extract(epoch FROM at) * 1000 AS ms FROM (${steps[step]}) AS first`,
    [held.map(({ position }) => position.positionKey)],
  );
  return rows.map(({ ms }) => Number(ms) - sinceVenueMs);
}

/** Sixteen debts fall due at once, time after time. */
async function measureTick(): Promise<void> {
  const times: Record<Step, number[]> = { attested: [], signed: [], order: [] };
  for (let round = 0; round < 8; round += 1) {
    const openPositions = await openMany(16);
    const { sinceVenueMs } = await fallTogether(openPositions);
    for (const step of stepNames)
      times[step].push(...(await timesUntilStep(step, { held: openPositions, sinceVenueMs })));
  }
  const texts = stepNames.map((step) => {
    const sorted = times[step].toSorted((left, right) => left - right);
    return `→ ${step} p50 ${seconds(quantileOf(sorted, 0.5))}, p99 ${seconds(quantileOf(sorted, 0.99))}`;
  });
  note(`16 due at once beside ${idleCount}, from the price ${texts.join('; ')}`);
}

if (idleCount > 0) {
  const market = await quietMarket(stack);
  await fillIdle({ stack, client, market }, { marketCount: 0, positionCount: idleCount });
}
const spawnKeeper = (privateKey?: Hex): ChildProcess => stack.spawnKeeper(undefined, privateKey, route);
let leader: ChildProcess = spawnKeeper();
const filler: ChildProcess | null = routes[route].hasFillers ? stack.spawnFiller() : null;
/** Keepers beside the leader. */
let running: readonly ChildProcess[] = [];

let stopping: Promise<void> | null = null;

async function stopAll(): Promise<void> {
  await endAll([leader, ...running, ...(filler === null ? [] : [filler])]);
  await client.end();
  await stack.close();
}

/** Once, for a signal and for the measurement that it cut short. */
function stop(): Promise<void> {
  stopping ??= stopAll();
  return stopping;
}

// What it started are programs of their own: they would continue without it.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop().finally(() => process.exit(1)));

try {
  const floorMs = await floorMsPerTransaction();
  note(`floor: ${floorMs.toFixed(1)} ms for one transaction`);
  if (rounds.has('tick')) await measureTick();
  const aloneMs = rounds.has('alone') ? await measureAlone(floorMs) : Number.NaN;
  if (rounds.has('together')) await measureTogether(floorMs);
  if (rounds.has('behind')) await measureBehind(aloneMs);
  if (rounds.has('killed')) await measureKilled(floorMs);
  if (rounds.has('change')) await measureChange();
  if (rounds.has('keepers')) await measureKeepers(floorMs);
} finally {
  await stop();
}
