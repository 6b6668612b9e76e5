import { type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { LocalAccount } from '@core/contracts/local';
import { leverageBps, usdPips } from '@core/pricing';
import type { MarketRecord } from '@core/store';
import { Client } from 'pg';
import { encodeFunctionData, erc20Abi } from 'viem';
import { SerialQueue } from '../src/runner/serialQueue.ts';
import { shareLockOf } from '../src/runner/task.ts';
import { fillIdle, quietMarket } from './fillIdle.ts';
import { heldShares, untilShared } from './keeperShares.ts';
import { cpuSecondsOf } from './processorTime.ts';
import { exitOf, type HeldPosition, startTestStack, type TestStack } from './startTestStack.ts';

// Usage: pnpm --filter @core/keeper measure:due [--due 100] [--closing 100] [--floor 100] [--idle 0]
//          [--rounds tick,alone,together,behind,killed]
// With the whole real stack: how soon after a price fell an order is at the venue, how long debts that are due at once
// take to be gone, what closes do to a liquidation, and what a kill -9 of the working keeper does to debts that are
// due; beside so many positions that owe and are not due.
const { values } = parseArgs({
  options: {
    due: { type: 'string', default: '100' },
    closing: { type: 'string' },
    floor: { type: 'string', default: '100' },
    idle: { type: 'string', default: '0' },
    rounds: { type: 'string', default: 'alone,together,behind,killed' },
  },
});
const dueCount = Number(values.due);
const closingCount = Number(values.closing ?? values.due);
const floorCount = Number(values.floor);
const idleCount = Number(values.idle);
const rounds: ReadonlySet<string> = new Set(values.rounds.split(','));

const note = (text: string): void => void process.stdout.write(`${text}\n`);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

function quantileOf(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

const stack: TestStack = await startTestStack({ isApart: true });
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
  for (let sent = 0; sent < floorCount; sent += 1)
    await stack.driver.rpc.send(roles.erin, { to: contracts.usdc, data });
  return (performance.now() - startMs) / floorCount;
}

/** Positions on their way at a time: each has a minute to be opened. */
const openingCount = 16;
/** A market's bids take so many of these positions at once, and its debts stay covered while they are opened. */
const positionsPerMarket = 100;

/** Opens positions, several users at a time, in as many markets as they need; what comes back owes. */
async function openMany(size: number): Promise<readonly Opened[]> {
  const held: Opened[] = [];
  const startMs = performance.now();
  for (let left = size; left > 0; left -= positionsPerMarket) {
    held.push(...(await openIn(await stack.tradableMarket(), Math.min(left, positionsPerMarket))));
  }
  note(`  opened ${held.length} of ${size} in ${seconds(performance.now() - startMs)}`);
  return held;
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
  const held: Opened[] = [];
  let next = 0;
  const openNext = async (index: number): Promise<void> => {
    const user = users[index % users.length] ?? roles.alice;
    for (; next < size; ) {
      next += 1;
      const notionalUsdPips = usdPips(250_000n);
      const wanted = { user, market, side, notionalUsdPips, leverageBps: leverageBps(20_000n) };
      const position = await submissionsOf(user).run(() => stack.open(wanted));
      const { status } = await stack.reaches(position, 'open', 'cancelled');
      if (status === 'open') held.push({ user, market, side, position });
    }
  };
  await Promise.all(Array.from({ length: Math.min(size, openingCount) }, (_, index) => openNext(index)));
  return held;
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
  const seen: number[] = [];
  while (seen.length < keys.length) {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM positions WHERE position_key = ANY($1) AND ${condition}`,
      [keys],
    );
    const nowMs = performance.now() - sinceMs;
    while (seen.length < Number(rows[0]?.count)) seen.push(nowMs);
    if (nowMs > 1_800_000)
      throw new Error(`${keys.length - seen.length} of ${keys.length} positions did not get there`);
    await delay(50);
  }
  return seen;
}

/** A debt is followed within a second of its opening, and only then falls due by a tick. */
const followedWithinMs = 2_000;
/** How far the price falls below the lowest of them: makers who hold tokens quote a cent and a half away from it. */
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
  // Authorise, match, finalise: three transactions each.
  const floor = 3 * times.length * floorMs;
  note(
    `${name}: p50 ${seconds(p50)}, p95 ${seconds(p95)}, last ${seconds(last)}; ` +
      `floor of ${3 * times.length} transactions ${seconds(floor)}, ${(last / floor).toFixed(1)} times`,
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

/** How long another keeper takes to have every share of the markets that the dead one held. */
async function takenOver(dead: readonly { readonly share: number; readonly fenceToken: bigint }[]): Promise<number> {
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
  const held: Opened[] = [];
  for (const market of singleMarkets) held.push(...(await openIn(market, 1)));
  await delay(followedWithinMs);
  return held;
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
  const held = await openSingles();
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
  leader = stack.spawnKeeper();
  await stack.until('every close to be seen', async () => ((await underWay()) === closing.length ? true : undefined));
  await stack.until('a first one to end', async () => ((await underWay()) < closing.length ? true : undefined));
  const before = await underWay();
  const times = await fallOneByOne(held);
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
  const standby = stack.spawnKeeper(undefined, roles.keeperStandby.privateKey);
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

/** When the keeper wrote down each step of a forced sale, in SQL: the first of each position. */
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
    const held = await openMany(16);
    const { sinceVenueMs } = await fallTogether(held);
    for (const step of stepNames) times[step].push(...(await timesUntilStep(step, { held, sinceVenueMs })));
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
let leader: ChildProcess = stack.spawnKeeper();

let stopping: Promise<void> | null = null;

async function stopAll(): Promise<void> {
  leader.kill('SIGTERM');
  await exitOf(leader);
  await client.end();
  await stack.close();
}

/** Once, for a signal and for the measurement that it cut short. */
function stop(): Promise<void> {
  stopping ??= stopAll();
  return stopping;
}

// What it started are programs of their own: they would go on without it.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop().finally(() => process.exit(1)));

try {
  const floorMs = await floorMsPerTransaction();
  note(`floor: ${floorMs.toFixed(1)} ms for one transaction`);
  if (rounds.has('tick')) await measureTick();
  const aloneMs = rounds.has('alone') ? await measureAlone(floorMs) : Number.NaN;
  if (rounds.has('together')) await measureTogether(floorMs);
  if (rounds.has('behind')) await measureBehind(aloneMs);
  if (rounds.has('killed')) await measureKilled(floorMs);
} finally {
  await stop();
}
