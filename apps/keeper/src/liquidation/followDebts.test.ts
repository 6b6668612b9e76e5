import { sampleVenueMarket } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import { hashOf, sampleNowMs, samplePosition } from '@core/position/testing';
import { tokenUnits, usdcUnits } from '@core/pricing';
import { marketShareName } from '@core/runtime';
import { type FixedClock, fixedClock } from '@core/runtime/testing';
import type { ExitSale, Lease } from '@core/store';
import { execute, openTestStore, sampleMarket, type TestStore } from '@core/store/testing';
import { HttpVenueClient, MarketWatch } from '@core/venue';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { MarketShares } from '../runner/marketShares.ts';
import { Wake } from '../runner/wake.ts';
import { intentsOf } from '../transactions/intents.ts';
import { DebtWatch } from './debtWatch.ts';
import { followDebtsTask } from './followDebts.ts';

let database: TestStore;
beforeAll(async () => {
  database = await openTestStore();
});
afterAll(() => database.close());

const minute = 60_000;
const unusedUrl = 'http://127.0.0.1:9';

/** A keeper's watch on a real feed that hears nothing: deadlines need no book. */
function watching(clock: FixedClock) {
  const { store } = database;
  const reference = { spotOf: () => null, gameOf: () => null, assets: () => new Set<string>(), close: () => undefined };
  const client = new HttpVenueClient({ url: unusedUrl });
  const feed = new MarketWatch({ client, marketSocketUrl: unusedUrl, clock, reference });
  const sales: ExitSale[] = [];
  const shares = new MarketShares({
    locks: store.locks,
    shareCount: () => store.sharing.shareCount(),
    others: async () => [],
    onChanged: () => undefined,
  });
  const metrics = createKeeperMetrics();
  const isolated = new IsolatedItems({ name: 'followDebts', logger: pino({ level: 'silent' }), metrics });
  const debts = new DebtWatch(feed, {
    isolated,
    onDue: () => undefined,
    onRepaid: (sale) => sales.push(sale),
    isHeld: (marketId) => shares.leaseOf(marketId) !== null,
    policy: policyDefaults,
    clock,
  });
  const task = followDebtsTask({
    store,
    intents: intentsOf(store.intents),
    debts,
    isolated,
    shares,
    wake: new Wake(),
    // Behind every change of the positions: they are taken in once, by the first round.
    bounds: { chainKey: 'chain', deploymentBlock: 100n },
    clock,
    metrics,
  });
  const run = async (): Promise<void> => {
    const { signal } = new AbortController();
    await shares.balance({ signal }, () => false);
    await task.run(await signerLease());
  };
  return { debts, sales, feed, shares, run };
}

/** The task asks nothing of it: what it does rests on the shares. */
const signerLease = async (): Promise<Lease> => ({
  name: 'keeper:signer',
  fenceToken: 1n,
  signal: new AbortController().signal,
  release: async () => undefined,
});

/** A tennis match, listed for the first time or again with another start. */
async function listGame(number: number, gameStartTimeMs: number): Promise<string> {
  const { markets } = database.store;
  const ticker = `market-${number}`;
  const record = sampleVenueMarket(ticker, sampleNowMs, {
    conditionId: `0x${hashOf(10_000 + number).slice(2)}`,
    tokenIds: { yes: `${number}1`, no: `${number}2` },
    category: 'sport',
    sport: 'tennis',
    sportLine: 'winner',
    cryptoAsset: null,
    cryptoCadence: null,
    gameStartTimeMs,
    closeTimeMs: gameStartTimeMs + 120 * minute,
  });
  await markets.sync([sampleMarket(number, { category: 'sport', record })], sampleNowMs);
  return (await markets.byTicker(ticker))?.id ?? '';
}

/** A position that owes since a minute before everything, 5x. */
async function putPosition(number: number, marketId: string, changes: Parameters<typeof samplePosition>[1] = {}) {
  const place = { marketId, venueMarketId: hashOf(10_000 + number), venueTokenId: `${number}1` };
  const times = { openedAtMs: sampleNowMs - minute, principalChangedAtMs: sampleNowMs - minute };
  const position = samplePosition(number, { ...place, ...times, updatedBlockNumber: 7n, ...changes });
  await database.store.positions.put({ position, transactions: [], unwinds: [], partialCloses: [], ledger: [] });
  return position;
}

test('the deadline follows a moving game start, and an acquired share starts from its open positions', async () => {
  const clock = fixedClock(sampleNowMs);
  const { debts, sales, feed, shares, run } = watching(clock);
  const marketId = await listGame(1, sampleNowMs + 60 * minute);
  const { positionKey } = await putPosition(1, marketId);
  await run();
  await listGame(1, sampleNowMs + 30 * minute);
  clock.advanceMs(26 * minute);
  expect(debts.dueOf(positionKey)).toBeNull();
  await run();
  expect(debts.dueOf(positionKey)?.reason).toBe('hard_exit');
  expect(debts.waiting()).toHaveLength(1);

  // Another keeper has the share for an hour and repays it.
  await shares.release();
  expect(debts.waiting()).toEqual([]);
  const sold = { tokenUnits: tokenUnits(100_000_000n), principalUsdcUnits: usdcUnits(0n) };
  await putPosition(1, marketId, { ...sold, leverageChangedAtMs: sampleNowMs + 30 * minute });
  clock.advanceMs(60 * minute);
  await run();
  expect(debts.size).toBe(0);
  expect(sales).toEqual([]);
  expect(debts.waiting()).toEqual([]);
  await shares.release();
  feed.close();
});

test('a hard exit with an order is known to the next keeper, although the game is postponed', async () => {
  const clock = fixedClock(sampleNowMs);
  const { debts, feed, shares, run } = watching(clock);
  const marketId = await listGame(2, sampleNowMs + 300 * minute);
  const ordered = await putPosition(2, marketId);
  const other = await putPosition(3, await listGame(3, sampleNowMs + 300 * minute));
  await prepareUnwind(ordered.positionKey, true);
  await prepareUnwind(other.positionKey, false);
  await run();
  expect(debts.dueOf(ordered.positionKey)?.reason).toBe('hard_exit');
  expect(debts.dueOf(other.positionKey)).toBeNull();
  await shares.release();
  feed.close();
});

test('an unwind order of one position cannot be read → the debts of all others are followed, with their hard exits', async () => {
  const clock = fixedClock(sampleNowMs);
  const { debts, feed, shares, run } = watching(clock);
  const bad = await putPosition(11, await listGame(11, sampleNowMs + 300 * minute));
  const ordered = await putPosition(12, await listGame(12, sampleNowMs + 300 * minute));
  await prepareUnwind(bad.positionKey, true);
  await prepareUnwind(ordered.positionKey, true);
  const { databaseUrl } = database.database;
  await execute(databaseUrl, `UPDATE intents SET plan = '{"rubbish": 1}' WHERE subject = '${bad.positionKey}'`);
  await run();
  expect(debts.dueOf(ordered.positionKey)?.reason).toBe('hard_exit');
  expect(debts.rounds.map(({ share }) => marketShareName(share))).toEqual(shares.current.map(marketShareName));
  await shares.release();
  feed.close();
});

async function prepareUnwind(positionKey: string, isHardExit: boolean): Promise<void> {
  await intentsOf(database.store.intents).prepare({
    subject: positionKey,
    operation: 'authorize_unwind',
    attempt: 0,
    orderHash: hashOf(77),
    lease: await signerLease(),
    nowMs: sampleNowMs,
    plan: {
      kind: 'transaction',
      to: '0x00000000000000000000000000000000000000aa',
      data: '0x',
      details: {
        decidedAtMs: sampleNowMs,
        order: {
          salt: 1n,
          maker: '0x00000000000000000000000000000000000000aa',
          signer: '0x00000000000000000000000000000000000000aa',
          tokenId: 21n,
          makerAmount: 1n,
          takerAmount: 1n,
          side: 1,
          signatureType: 3,
          timestamp: 0n,
          metadata: '0x',
          builder: '0x',
        },
        orderHash: '0x77',
        orderType: 'FOK',
        attempt: 0,
        unwind: { reason: 'game_start', heldTokenUnits: tokenUnits(200_000_000n), isHardExit, rung: null },
      },
    },
  });
}
