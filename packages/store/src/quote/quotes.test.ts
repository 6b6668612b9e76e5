import { hashOf, sampleNowMs, walletOf } from '@core/position/testing';
import { raw, usdcUnits, usdPips } from '@core/pricing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  noLimits,
  openTestStore,
  releaseDue,
  reserveQuote,
  samplePricedQuote,
  sampleRequest,
  sampleReserve,
  type TestStore,
} from '../../testing/index.ts';
import { positionIdOf } from '../ids.ts';
import type { UsageScope } from './counterKeys.ts';
import type { ReserveLimits } from './createQuotes.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

const scopeOf = (number: number): UsageScope => ({
  partnerId: `ptn_${number}`,
  walletAddress: walletOf(number),
  marketId: `mkt_${number}`,
  side: 'yes',
  clusterKey: null,
});
const quoteOf = (number: number) => {
  const { clusterKey: _, ...quote } = scopeOf(number);
  return { ...quote, partnerId: `ptn_${number}`, marketId: `mkt_${number}` };
};
const due = sampleNowMs + 45_000;

describe('reserve', () => {
  test('stores the quote exactly as given', async () => {
    const { quotes } = testStore.store;
    const request = sampleReserve(1, { quote: quoteOf(1) });
    expect(await reserveQuote(testStore.store, request)).toBe('reserved');
    const record = { ...request.quote, positionId: positionIdOf(request.quote.positionKey) };
    expect(await quotes.byId(request.quote.id)).toEqual(record);
    expect(await quotes.byDigests([request.quote.digest])).toEqual([record]);
    expect(await quotes.byPositionKey(request.quote.positionKey)).toEqual([record]);
    expect(record.figures).toEqual(samplePricedQuote);
  });

  test('refuses a quote above any cap and leaves nothing behind', async () => {
    const { quotes, usage } = testStore.store;
    await reserveQuote(testStore.store, sampleReserve(2, { quote: quoteOf(2), notionalUsdPips: usdPips(60n) }));
    const scopes = ['user', 'side', 'market', 'partner', 'global'] as const;
    const tries: Partial<ReserveLimits>[] = scopes.map((scope) => ({
      [scope]: { ...noLimits[scope], notionalUsdPips: usdPips(100n) },
    }));
    for (const scope of ['user', 'cluster', 'side', 'market', 'global'] as const) {
      tries.push({ [scope]: { ...noLimits[scope], borrowUsdcUnits: usdcUnits(1n) } });
    }
    for (const scope of ['side', 'global'] as const) {
      tries.push({ [scope]: { ...noLimits[scope], promisedUsdcUnits: usdcUnits(1n) } });
    }
    const ask = (limits: ReserveLimits) =>
      reserveQuote(
        testStore.store,
        sampleReserve(3, { quote: quoteOf(2), clusterKey: 'two', notionalUsdPips: usdPips(41n), limits }),
      );
    for (const changes of tries)
      expect([changes, await ask({ ...noLimits, ...changes })]).toEqual([changes, 'refused']);
    const counted = await usage.read({ ...scopeOf(2), clusterKey: 'two' });
    expect(raw(counted.market.inFlightNotionalUsdPips)).toBe(60n);
    expect(raw(counted.cluster.inFlightBorrowUsdcUnits)).toBe(0n);
    expect(await quotes.byPositionKey(hashOf(3))).toEqual([]);
    expect(await usage.reservation(hashOf(3))).toBeNull();
    expect(await ask(noLimits)).toBe('reserved');
  });

  test('counts active and in-flight notional together', async () => {
    const { usage } = testStore.store;
    await reserveQuote(testStore.store, sampleReserve(4, { quote: quoteOf(4), notionalUsdPips: usdPips(60n) }));
    await usage.setPosition({
      positionKey: hashOf(4),
      scope: scopeOf(4),
      activeNotionalUsdPips: usdPips(50n),
      pendingBorrowUsdcUnits: usdcUnits(5n),
      lentBorrowUsdcUnits: usdcUnits(0n),
    });
    await reserveQuote(testStore.store, sampleReserve(5, { quote: quoteOf(4), notionalUsdPips: usdPips(20n) }));
    const limits = { ...noLimits, partner: { notionalUsdPips: usdPips(100n) } };
    const ask = (notional: bigint) =>
      reserveQuote(
        testStore.store,
        sampleReserve(6, { quote: quoteOf(4), notionalUsdPips: usdPips(notional), limits }),
      );
    expect([await ask(31n), await ask(30n)]).toEqual(['refused', 'reserved']);
  });

  test('counts promised borrow against the pool, and loans besides against the total', async () => {
    const fresh = await openTestStore();
    await fresh.store.usage.setPosition({
      positionKey: hashOf(20),
      scope: scopeOf(20),
      activeNotionalUsdPips: usdPips(1n),
      pendingBorrowUsdcUnits: usdcUnits(30n),
      lentBorrowUsdcUnits: usdcUnits(1_000n),
    });
    const ask = (number: number, borrow: bigint, totalUsdcUnits: bigint) => {
      const global = {
        ...noLimits.global,
        borrowUsdcUnits: usdcUnits(totalUsdcUnits),
        promisedUsdcUnits: usdcUnits(100n),
      };
      const limits = { ...noLimits, global };
      return reserveQuote(
        fresh.store,
        sampleReserve(number, { borrowUsdcUnits: usdcUnits(borrow), limits, quote: quoteOf(20) }),
      );
    };
    expect([await ask(21, 71n, 2_000n), await ask(21, 70n, 1_099n)]).toEqual(['refused', 'refused']);
    expect([await ask(21, 70n, 1_100n), await ask(22, 1n, 2_000n)]).toEqual(['reserved', 'refused']);
    await fresh.close();
  });

  test('promotions of one draft share one reservation, as large as the largest', async () => {
    const { quotes, usage } = testStore.store;
    const promote = (index: number, notional: bigint) =>
      reserveQuote(
        testStore.store,
        sampleReserve(30, {
          notionalUsdPips: usdPips(notional),
          releaseAtMs: due + index,
          quote: { ...quoteOf(30), id: `off_promotion_${index}`, digest: hashOf(60_000 + index), draftId: 'dro_1' },
        }),
      );
    const outcomes = await Promise.all([promote(1, 40n), promote(2, 70n), promote(3, 10n)]);
    expect(outcomes).toEqual(['reserved', 'reserved', 'reserved']);
    expect(raw((await usage.read(scopeOf(30))).user.inFlightNotionalUsdPips)).toBe(70n);
    expect((await quotes.byPositionKey(hashOf(30))).length).toBe(3);
    // Released only when the last of them has passed its grace.
    expect(await releaseDue(usage, due + 2)).not.toContain(hashOf(30));
    expect(await releaseDue(usage, due + 3)).toContain(hashOf(30));
    expect(raw((await usage.read(scopeOf(30))).user.inFlightNotionalUsdPips)).toBe(0n);
    // A later promotion reserves again; after the position exists none can.
    expect(await promote(4, 20n)).toBe('reserved');
    expect(raw((await usage.read(scopeOf(30))).user.inFlightNotionalUsdPips)).toBe(20n);
    await usage.setPosition({
      positionKey: hashOf(30),
      scope: scopeOf(30),
      activeNotionalUsdPips: usdPips(20n),
      pendingBorrowUsdcUnits: usdcUnits(1n),
      lentBorrowUsdcUnits: usdcUnits(0n),
    });
    expect(await promote(5, 20n)).toBe('used');
  });
});

describe('usage', () => {
  const state = (number: number, notional: bigint, lent: bigint) => ({
    positionKey: hashOf(number),
    scope: scopeOf(number),
    activeNotionalUsdPips: usdPips(notional),
    pendingBorrowUsdcUnits: usdcUnits(0n),
    lentBorrowUsdcUnits: usdcUnits(lent),
  });

  test('F26: a reservation is released once, by many releasers at once', async () => {
    const { usage } = testStore.store;
    for (let number = 40; number < 60; number += 1) {
      await reserveQuote(testStore.store, sampleReserve(number, { quote: quoteOf(40) }));
    }
    expect(await releaseDue(usage, due - 1)).toEqual([]);
    const released = await Promise.all(Array.from({ length: 5 }, () => releaseDue(usage, due)));
    const keys = new Set<string>(Array.from({ length: 20 }, (_, index) => hashOf(40 + index)));
    const mine = released.flat().filter((key) => keys.has(key));
    expect(mine.length).toBe(20);
    expect(new Set(mine).size).toBe(20);
    expect(raw((await usage.read(scopeOf(40))).market.inFlightNotionalUsdPips)).toBe(0n);
  });

  test('reservations that are due: the oldest first, without those named', async () => {
    const { usage } = testStore.store;
    for (let number = 70; number < 73; number += 1) {
      await reserveQuote(testStore.store, sampleReserve(number, { quote: quoteOf(number) }));
    }
    const keys: readonly string[] = [70, 71, 72].map(hashOf);
    const dueOf = async (except: readonly string[]) =>
      (await usage.dueReservations({ nowMs: due, except, limit: 100 })).filter((key) => keys.includes(key)).toSorted();
    expect(await dueOf([])).toEqual(keys.toSorted());
    expect(await dueOf(keys.slice(0, 2))).toEqual(keys.slice(2));
    await releaseDue(usage, due);
    expect(await dueOf([])).toEqual([]);
  });

  test('a creation after the release still counts', async () => {
    const { usage } = testStore.store;
    await reserveQuote(testStore.store, sampleReserve(61, { quote: quoteOf(61) }));
    await releaseDue(usage, due);
    await usage.setPosition(state(61, 1_000_000n, 5n));
    await usage.setPosition(state(61, 1_000_000n, 5n));
    const { market } = await usage.read(scopeOf(61));
    expect(raw(market.inFlightNotionalUsdPips)).toBe(0n);
    expect(raw(market.activeNotionalUsdPips)).toBe(1_000_000n);
    expect(raw(market.lentBorrowUsdcUnits)).toBe(5n);
    await usage.setPosition(state(61, 0n, 0n));
    expect(raw((await usage.read(scopeOf(61))).market.activeNotionalUsdPips)).toBe(0n);
    expect(await releaseDue(usage, due)).toEqual([]);
  });

  test('a creation that was rolled back leaves a live reservation while it may be used, else none', async () => {
    const { usage } = testStore.store;
    for (const number of [62, 63]) {
      await reserveQuote(testStore.store, sampleReserve(number, { quote: quoteOf(number) }));
      await usage.setPosition(state(number, 1_000_000n, 5n));
    }
    await usage.forgetPosition(hashOf(62), due - 1);
    await usage.forgetPosition(hashOf(63), due);
    expect((await usage.reservation(hashOf(62)))?.state).toBe('live');
    expect(raw((await usage.read(scopeOf(62))).market.inFlightNotionalUsdPips)).toBe(1_000_000n);
    expect((await usage.reservation(hashOf(63)))?.state).toBe('released');
    expect(raw((await usage.read(scopeOf(63))).market.inFlightNotionalUsdPips)).toBe(0n);
  });

  test('several moves of one transaction and quotes of the same users never wait in a circle', async () => {
    const { store } = testStore;
    const numbers = [170, 171];
    const counted = numbers.map((number) => state(number, 5n, 5n));
    for (const number of numbers) await reserveQuote(store, sampleReserve(number, { quote: quoteOf(number) }));
    await Promise.all(
      Array.from({ length: 10 }, (_, round) => [
        store.transaction((unit) => unit.usage.move({ counted, forgotten: [] }, due)),
        store.transaction((unit) => unit.usage.move({ counted: counted.toReversed(), forgotten: [] }, due)),
        store.transaction((unit) => reserveQuote(unit, sampleReserve(7_000 + round, { quote: quoteOf(171) }))),
        reserveQuote(store, sampleReserve(7_100 + round, { quote: quoteOf(170) })),
      ]).flat(),
    );
    for (const number of numbers) {
      const { market } = await store.usage.read(scopeOf(number));
      expect([raw(market.activeNotionalUsdPips), raw(market.inFlightNotionalUsdPips)]).toEqual([5n, 10_000_000n]);
    }
    await store.transaction((unit) => unit.usage.move({ counted: [], forgotten: [hashOf(170)] }, due));
    expect((await store.usage.reservation(hashOf(170)))?.state).toBe('released');
  });

  test('markets are read together', async () => {
    const [held, unknown] = [
      { id: 'mkt_62', clusterKey: null },
      { id: 'mkt_none', clusterKey: null },
    ];
    const usageOf = await testStore.store.usage.readMarkets('ptn_62', [held, unknown]);
    expect(raw(usageOf(held).yes.inFlightNotionalUsdPips)).toBe(1_000_000n);
    expect(raw(usageOf(held).partner.inFlightNotionalUsdPips)).toBe(1_000_000n);
    expect(raw(usageOf(unknown).yes.inFlightNotionalUsdPips)).toBe(0n);
  });
});

describe('drafts', () => {
  test('belong to their owner, count promotions and end after a day', async () => {
    const { drafts } = testStore.store;
    const draft = await drafts.create({
      partnerId: 'ptn_1',
      walletAddress: walletOf(7).toUpperCase().replace('0X', '0x'),
      marketId: 'mkt_1',
      side: 'no',
      seedPrefix: '0x000000000000000000000001',
      request: sampleRequest,
      figures: samplePricedQuote,
      createdAtMs: sampleNowMs,
    });
    const owner = { id: draft.id, partnerId: 'ptn_1', walletAddress: walletOf(7), nowMs: sampleNowMs };
    expect(await drafts.findOwn(owner)).toEqual(draft);
    expect(await drafts.findOwn({ ...owner, partnerId: 'ptn_2' })).toBeNull();
    expect(await drafts.findOwn({ ...owner, walletAddress: walletOf(8) })).toBeNull();
    const counts = await Promise.all(Array.from({ length: 20 }, () => drafts.takePromotion(owner)));
    expect([...counts].sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    const late = { ...owner, nowMs: sampleNowMs + 24 * 3_600_000 };
    expect(await drafts.findOwn(late)).toBeNull();
    expect(await drafts.takePromotion(late)).toBeNull();
    expect([await drafts.removeExpired(late.nowMs, 0), await drafts.removeExpired(late.nowMs, 9)]).toEqual([0, 1]);
  });
});
