import { noUsage } from '@core/policy';
import { hashOf, sampleNowMs, walletOf } from '@core/position/testing';
import { raw, usdcUnits, usdPips } from '@core/pricing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, noLimits, openTestStore, reserveQuote, sampleReserve, type TestStore } from '../../testing/index.ts';
import { startForgetfulProxy } from '../../testing/startForgetfulProxy.ts';
import { isDatabaseFault } from '../database/databaseFault.ts';
import { openStore } from '../openStore.ts';
import { idempotencyLockMs } from '../service/createIdempotency.ts';
import type { AdmissionRequest } from './admission.ts';
import { counterKeysOf } from './counterKeys.ts';

let testStore: TestStore;
let run = 0;
beforeAll(async () => {
  testStore = await openTestStore(12, null);
});
afterAll(() => testStore.close());

const bucket = (name: string, points: number) => ({ name, points, windowMs: 60_000 });
const plain: AdmissionRequest = {
  standard: null,
  strict: null,
  idempotency: null,
  reservation: null,
  nowMs: sampleNowMs,
};
const claimOf = (key: string, requestHash = 'h') => ({
  scope: 'ptn_1:wallet:createQuote',
  key,
  requestHash,
  responseStatus: 201,
  responseBody: `{"of":"${key}"}`,
});

describe('buckets', () => {
  test('are charged in their order, each request as if it came alone, across two processes', async () => {
    const second = openStore({ databaseUrl: testStore.database.databaseUrl });
    const charge = (name: string, points: number) => testStore.store.limits.chargeOf(bucket(name, points), 'ptn_9');
    const request = { ...plain, standard: charge('standard', 30), strict: charge('strict', 10) };
    const outcomes = await Promise.all(
      Array.from({ length: 80 }, (_, index) => (index % 2 === 0 ? testStore.store : second).admission.admit(request)),
    );
    await second.close();
    const countOf = (kind: string): number => outcomes.filter(({ outcome }) => outcome.kind === kind).length;
    expect([countOf('admitted'), countOf('strict_refused'), countOf('standard_refused')]).toEqual([10, 20, 50]);
    // One refused by the first bucket is not charged to the second.
    expect(
      outcomes.every(({ outcome, states }) => states.length === (outcome.kind === 'standard_refused' ? 1 : 2)),
    ).toBe(true);
    const remaining = outcomes.map(({ states }) => states[0]?.remaining ?? -1).filter((remaining) => remaining > 0);
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 29 }, (_, index) => index + 1));
    // The same rows as those of every other route.
    expect(await testStore.store.limits.consume(bucket('standard', 30), 'ptn_9')).toMatchObject({ allowed: false });
  });
});

describe('an Idempotency-Key', () => {
  test('stores one of twenty concurrent requests and replays its answer to the others', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        testStore.store.admission.admit({
          ...plain,
          idempotency: claimOf('twenty'),
          reservation: sampleReserve(1_000 + index, { quote: { marketId: 'mkt_twenty' } }),
        }),
      ),
    );
    expect(answers.filter(({ outcome }) => outcome.kind === 'reserved')).toHaveLength(1);
    expect(answers.filter(({ outcome }) => outcome.kind === 'replay')).toHaveLength(19);
    expect(answers.find(({ outcome }) => outcome.kind === 'replay')?.outcome).toEqual({
      kind: 'replay',
      responseStatus: 201,
      responseBody: '{"of":"twenty"}',
    });
  });

  test('is charged to the first bucket and not to the second when it has an answer', async () => {
    const admit = (requestHash: string) =>
      testStore.store.admission.admit({
        ...plain,
        standard: testStore.store.limits.chargeOf(bucket('standard', 30), 'replayed'),
        strict: testStore.store.limits.chargeOf(bucket('strict', 1), 'replayed'),
        idempotency: claimOf('replayed', requestHash),
        reservation: sampleReserve(1_100, { quote: { marketId: 'mkt_replayed' } }),
      });
    const outcomes = [await admit('h'), await admit('h'), await admit('other')];
    expect(outcomes.map(({ outcome, states }) => [outcome.kind, states.length])).toEqual([
      ['reserved', 2],
      ['replay', 1],
      ['reused', 1],
    ]);
  });

  test('is free again after a refusal', async () => {
    const limits = { ...noLimits, market: { ...noLimits.market, notionalUsdPips: usdPips(1n) } };
    const request = { ...plain, idempotency: claimOf('refused') };
    const reservation = sampleReserve(1_200, { limits });
    expect((await testStore.store.admission.admit({ ...request, reservation })).outcome.kind).toBe('refused');
    // A request that was refused for its own sake keeps nothing either.
    expect((await testStore.store.admission.admit(request)).outcome.kind).toBe('admitted');
    const other = { ...request, idempotency: claimOf('refused', 'other'), reservation: sampleReserve(1_201) };
    expect((await testStore.store.admission.admit(other)).outcome.kind).toBe('reserved');
    const tomorrow = { ...request, nowMs: sampleNowMs + 24 * 3_600_000, reservation: sampleReserve(1_202) };
    expect((await testStore.store.admission.admit(tomorrow)).outcome.kind).toBe('reserved');
  });

  test('waits for another process no longer than its lock', async () => {
    const { scope, key, requestHash } = claimOf('elsewhere');
    await testStore.store.idempotency.begin({ scope, key, requestHash, nowMs: sampleNowMs });
    const admit = (nowMs: number) =>
      testStore.store.admission.admit({
        ...plain,
        nowMs,
        idempotency: claimOf('elsewhere'),
        reservation: sampleReserve(1_300),
      });
    expect((await admit(sampleNowMs + idempotencyLockMs - 1)).outcome.kind).toBe('in_progress');
    expect((await admit(sampleNowMs + idempotencyLockMs)).outcome.kind).toBe('reserved');
  });
});

test('counter_rank orders the counters of a quote like counterKeysOf', async () => {
  const keys = counterKeysOf({ partnerId: 'p', walletAddress: '0xa', marketId: 'm', side: 'no', clusterKey: 'c:d' });
  const values = keys
    .map((key) => `('${key}')`)
    .toReversed()
    .join();
  const rows = await execute(
    testStore.database.databaseUrl,
    `SELECT key FROM (VALUES ${values}) AS counter (key) ORDER BY counter_rank(key)`,
  );
  expect(rows.map(({ key }) => key)).toEqual(keys);
});

test('a shared statement stores a quote exactly like a transaction of its own', async () => {
  const { quotes, usage } = testStore.store;
  const one = sampleReserve(1_400, { clusterKey: 'c-1400', quote: { marketId: 'mkt_1400', partnerId: 'ptn_1400' } });
  const two = sampleReserve(1_401, { clusterKey: 'c-1400', quote: { marketId: 'mkt_1400', partnerId: 'ptn_1400' } });
  await testStore.store.transaction((unit) => reserveQuote(unit, one));
  expect(await reserveQuote(testStore.store, two)).toBe('reserved');
  const [first, second] = [await quotes.byId(one.quote.id), await quotes.byId(two.quote.id)];
  const { id, positionId, positionKey, positionSeed, digest } = second ?? {};
  expect({ ...first, id, positionId, positionKey, positionSeed, digest }).toEqual(second);
  expect({ ...(await usage.reservation(one.quote.positionKey)), positionKey }).toEqual(
    await usage.reservation(two.quote.positionKey),
  );
});

test('a refusal has the usage that it was decided on, without what its own position reserves already', async () => {
  const { admission, usage } = testStore.store;
  const place = { marketId: 'mkt_refused', partnerId: 'ptn_refused', side: 'no' } as const;
  const notional = (pips: bigint) => ({ notionalUsdPips: usdPips(pips), borrowUsdcUnits: usdcUnits(pips * 50n) });
  const own = sampleReserve(1_450, { ...notional(10n), clusterKey: 'c-1450', quote: place });
  const other = sampleReserve(1_451, { ...notional(20n), clusterKey: 'c-1450', quote: place });
  for (const quote of [own, other]) expect(await reserveQuote(testStore.store, quote)).toBe('reserved');
  const promoted = (number: number, capPips: bigint) => {
    const limits = { ...noLimits, market: { ...noLimits.market, notionalUsdPips: usdPips(capPips) } };
    const { positionKey } = own.quote;
    const quote = { ...place, positionKey, id: `off_${number}`, digest: hashOf(number) };
    return { ...plain, reservation: sampleReserve(number, { ...notional(8n), limits, clusterKey: 'c-1450', quote }) };
  };
  const counted = { ...noUsage, inFlightNotionalUsdPips: usdPips(20n), inFlightBorrowUsdcUnits: usdcUnits(1_000n) };
  expect((await admission.admit(promoted(1_452, 27n))).outcome).toEqual({
    kind: 'refused',
    usage: {
      user: counted,
      market: counted,
      yes: noUsage,
      no: counted,
      cluster: counted,
      partner: counted,
      // Other tests reserve as well.
      global: expect.objectContaining({ activeNotionalUsdPips: 0n }),
    },
  });
  // Smaller than the first, it adds nothing, though both are above the cap.
  expect((await admission.admit(promoted(1_453, 28n))).outcome.kind).toBe('reserved');
  expect((await usage.reservation(own.quote.positionKey))?.inFlightNotionalUsdPips).toBe(10n);
});

test('a failing request does not fail the others of its statement', async () => {
  const existing = sampleReserve(1_500, { quote: { marketId: 'mkt_1500' } });
  await reserveQuote(testStore.store, existing);
  const broken = sampleReserve(1_501, { quote: { id: existing.quote.id, marketId: 'mkt_1500' } });
  const results = await Promise.allSettled(
    [broken, ...Array.from({ length: 9 }, (_, index) => sampleReserve(1_502 + index))].map((reservation) =>
      testStore.store.admission.admit({ ...plain, reservation }),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(['rejected', ...Array.from({ length: 9 }, () => 'fulfilled')]);
});

test('a commit with a lost answer is not repeated; its keys replay the answers', async () => {
  const proxy = await startForgetfulProxy(testStore.database.databaseUrl);
  const behind = openStore({ databaseUrl: proxy.databaseUrl, maxConnections: 1 });
  const charge = testStore.store.limits.chargeOf(bucket('lost', 100), 'ptn_lost');
  const requests = Array.from({ length: 10 }, (_, index) => ({
    ...plain,
    standard: charge,
    idempotency: claimOf(`lost_${index}`),
    reservation: sampleReserve(1_600 + index, { quote: { marketId: 'mkt_lost', partnerId: 'ptn_lost' } }),
  }));
  await behind.admission.admit({ ...plain, standard: charge });
  proxy.forgetNextAnswer();
  const results = await Promise.allSettled(requests.map((request) => behind.admission.admit(request)));
  const causes = results.map((result) => (result.status === 'rejected' ? result.reason : null));
  expect(causes.map(isDatabaseFault)).toEqual(requests.map(() => true));
  expect((await testStore.store.limits.consume(bucket('lost', 100), 'ptn_lost')).remaining).toBe(100 - 12);
  const again = await Promise.all(requests.map((request) => testStore.store.admission.admit(request)));
  expect(again.map(({ outcome }) => outcome)).toEqual(
    requests.map(({ idempotency }) => ({
      kind: 'replay',
      responseStatus: 201,
      responseBody: idempotency.responseBody,
    })),
  );
  await behind.close();
  await proxy.close();
});

test('admit: keeps every cap, counts exactly the granted quotes and refuses only those that do not fit', async () => {
  const size = fc.record({
    notional: fc.bigInt(1n, 50n),
    borrow: fc.bigInt(0n, 40n),
    wallet: fc.nat(3),
    side: fc.constantFrom('yes' as const, 'no' as const),
  });
  const caps = fc.record({
    user: fc.bigInt(1n, 200n),
    market: fc.bigInt(1n, 400n),
    sideBorrow: fc.bigInt(1n, 300n),
    cluster: fc.bigInt(1n, 300n),
    outcome: fc.bigInt(1n, 200n),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(size, { minLength: 2, maxLength: 16 }), caps, async (sizes, cap) => {
      run += 1;
      const [marketId, partnerId, clusterKey] = [`mkt_run_${run}`, `ptn_run_${run}`, `run_${run}`];
      const limits = {
        ...noLimits,
        user: { ...noLimits.user, notionalUsdPips: usdPips(cap.user) },
        market: { ...noLimits.market, notionalUsdPips: usdPips(cap.market) },
        side: {
          ...noLimits.side,
          borrowUsdcUnits: usdcUnits(cap.sideBorrow),
          promisedUsdcUnits: usdcUnits(cap.outcome),
        },
        cluster: { borrowUsdcUnits: usdcUnits(cap.cluster) },
      };
      const outcomes = await Promise.all(
        sizes.map(({ notional, borrow, wallet, side }, index) => {
          const reservation = sampleReserve(run * 1_000 + 100_000 + index, {
            notionalUsdPips: usdPips(notional),
            borrowUsdcUnits: usdcUnits(borrow),
            limits,
            clusterKey,
            quote: { marketId, partnerId, walletAddress: walletOf(wallet), side },
          });
          // Half of them in transactions of their own, so that single and shared statements meet on the same counters.
          return index % 2 === 0
            ? reserveQuote(testStore.store, reservation)
            : testStore.store.transaction((unit) => reserveQuote(unit, reservation));
        }),
      );
      expect(outcomes.every((kind) => kind === 'reserved' || kind === 'refused')).toBe(true);
      const granted = sizes.filter((_, index) => outcomes[index] === 'reserved');
      const sumOf = (of: (entry: (typeof sizes)[number]) => bigint, entries = granted): bigint =>
        entries.reduce((total, entry) => total + of(entry), 0n);
      const counted = await testStore.store.usage.read({ partnerId, walletAddress: walletOf(0), marketId, clusterKey });
      expect(raw(counted.market.inFlightNotionalUsdPips)).toBe(sumOf(({ notional }) => notional));
      expect(raw(counted.cluster.inFlightBorrowUsdcUnits)).toBe(sumOf(({ borrow }) => borrow));
      expect(raw(counted.market.inFlightNotionalUsdPips) <= cap.market).toBe(true);
      expect(raw(counted.cluster.inFlightBorrowUsdcUnits) <= cap.cluster).toBe(true);
      expect(raw(counted.user.inFlightNotionalUsdPips) <= cap.user).toBe(true);
      for (const side of ['yes', 'no'] as const) {
        const borrowed = raw(counted[side].inFlightBorrowUsdcUnits);
        expect(borrowed).toBe(
          sumOf(
            ({ borrow }) => borrow,
            granted.filter((entry) => entry.side === side),
          ),
        );
        expect(borrowed <= cap.sideBorrow && borrowed <= cap.outcome).toBe(true);
      }
      // Counters only grew: a quote that was refused does not fit beside the granted ones either.
      for (const [index, entry] of sizes.entries()) {
        if (outcomes[index] !== 'refused') continue;
        const ofWallet = granted.filter(({ wallet }) => wallet === entry.wallet);
        const borrowed = raw(counted[entry.side].inFlightBorrowUsdcUnits) + entry.borrow;
        expect(
          sumOf(({ notional }) => notional, ofWallet) + entry.notional > cap.user ||
            raw(counted.market.inFlightNotionalUsdPips) + entry.notional > cap.market ||
            raw(counted.cluster.inFlightBorrowUsdcUnits) + entry.borrow > cap.cluster ||
            borrowed > cap.sideBorrow ||
            borrowed > cap.outcome,
        ).toBe(true);
      }
      // A refusal leaves nothing.
      const refusedKeys = outcomes.flatMap((kind, index) =>
        kind === 'refused' ? [hashOf(run * 1_000 + 100_000 + index)] : [],
      );
      for (const positionKey of refusedKeys) expect(await testStore.store.usage.reservation(positionKey)).toBeNull();
    }),
    { numRuns: 60 },
  );
});
