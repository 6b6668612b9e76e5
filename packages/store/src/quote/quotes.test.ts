import { hashOf, sampleNowMs, walletOf } from '@core/position/testing';
import { raw, usdcUnits, usdPips } from '@core/pricing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  noLimits,
  openTestStore,
  samplePricedQuote,
  sampleRequest,
  sampleReserve,
  type TestStore,
} from '../../testing/index.ts';
import { positionIdOf } from '../ids.ts';
import type { UsageScope } from './usage.ts';

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());

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
    const { quotes } = opened.store;
    const request = sampleReserve(1, { quote: quoteOf(1) });
    expect(await quotes.reserve(request)).toEqual({ kind: 'reserved' });
    const expected = { ...request.quote, positionId: positionIdOf(request.quote.positionKey) };
    expect(await quotes.byId(request.quote.id)).toEqual(expected);
    expect(await quotes.byDigest(request.quote.digest)).toEqual(expected);
    expect(await quotes.byPositionKey(request.quote.positionKey)).toEqual([expected]);
    expect(expected.figures).toEqual(samplePricedQuote);
  });

  test('names the first cap in the documented order and changes nothing', async () => {
    const { quotes, usage } = opened.store;
    await quotes.reserve(sampleReserve(2, { quote: quoteOf(2), notionalUsdPips: usdPips(60n) }));
    const full = usdPips(100n);
    const tries = [
      [
        { userNotionalUsdPips: full, marketNotionalUsdPips: full, userBorrowUsdcUnits: usdcUnits(1n) },
        'notional',
        'user',
      ],
      [{ marketNotionalUsdPips: full, sideNotionalUsdPips: full }, 'notional', 'market'],
      [{ sideNotionalUsdPips: full, partnerNotionalUsdPips: full }, 'notional', 'side'],
      [{ partnerNotionalUsdPips: full, userBorrowUsdcUnits: usdcUnits(1n) }, 'notional', 'partner'],
      [{ userBorrowUsdcUnits: usdcUnits(1n), marketBorrowUsdcUnits: usdcUnits(1n) }, 'borrow', 'user'],
      [{ marketBorrowUsdcUnits: usdcUnits(1n), sideBorrowUsdcUnits: usdcUnits(1n) }, 'borrow', 'market'],
      [{ sideBorrowUsdcUnits: usdcUnits(1n) }, 'borrow', 'side'],
      [{ totalBorrowUsdcUnits: usdcUnits(1n) }, 'borrow', 'total'],
      [{ poolFreeLiquidityUsdcUnits: usdcUnits(1n) }, 'borrow', 'total'],
    ] as const;
    for (const [changes, measure, scope] of tries) {
      const outcome = await quotes.reserve(
        sampleReserve(3, { quote: quoteOf(2), notionalUsdPips: usdPips(41n), limits: { ...noLimits, ...changes } }),
      );
      expect(outcome).toMatchObject({ kind: 'refused', measure, scope });
    }
    const counted = await usage.read(scopeOf(2));
    expect(raw(counted.market.inFlightNotionalUsdPips)).toBe(60n);
    expect(await quotes.byPositionKey(hashOf(3))).toEqual([]);
    expect(await usage.reservation(hashOf(3))).toBeNull();
  });

  test('says what is active and what is in flight behind a refusal', async () => {
    const { quotes, usage } = opened.store;
    await quotes.reserve(sampleReserve(4, { quote: quoteOf(4), notionalUsdPips: usdPips(60n) }));
    await usage.setPosition({
      positionKey: hashOf(4),
      scope: scopeOf(4),
      activeNotionalUsdPips: usdPips(50n),
      pendingBorrowUsdcUnits: usdcUnits(5n),
      lentBorrowUsdcUnits: usdcUnits(0n),
    });
    await quotes.reserve(sampleReserve(5, { quote: quoteOf(4), notionalUsdPips: usdPips(20n) }));
    const limits = { ...noLimits, partnerNotionalUsdPips: usdPips(100n) };
    expect(
      await quotes.reserve(sampleReserve(6, { quote: quoteOf(4), notionalUsdPips: usdPips(31n), limits })),
    ).toEqual({
      kind: 'refused',
      measure: 'notional',
      scope: 'partner',
      currentUsdPips: 70n,
      limitUsdPips: 100n,
      activeUsdPips: 50n,
      inFlightUsdPips: 20n,
    });
  });

  test('counts promised but not lent borrow against the pool, lent borrow against the configured total', async () => {
    const fresh = await openTestStore();
    const { quotes, usage } = fresh.store;
    await usage.setPosition({
      positionKey: hashOf(20),
      scope: scopeOf(20),
      activeNotionalUsdPips: usdPips(1n),
      pendingBorrowUsdcUnits: usdcUnits(30n),
      lentBorrowUsdcUnits: usdcUnits(1_000n),
    });
    const ask = (number: number, borrow: bigint) =>
      quotes.reserve(
        sampleReserve(number, {
          borrowUsdcUnits: usdcUnits(borrow),
          limits: { ...noLimits, totalBorrowUsdcUnits: usdcUnits(2_000n), poolFreeLiquidityUsdcUnits: usdcUnits(100n) },
          quote: quoteOf(20),
        }),
      );
    expect(await ask(21, 71n)).toEqual({
      kind: 'refused',
      measure: 'borrow',
      scope: 'total',
      currentUsdcUnits: 1_030n,
      limitUsdcUnits: 1_100n,
    });
    expect(await ask(21, 70n)).toEqual({ kind: 'reserved' });
    expect((await ask(22, 1n)).kind).toBe('refused');
    await fresh.close();
  });

  test('promotions of one draft share one reservation, as large as the largest', async () => {
    const { quotes, usage } = opened.store;
    const promote = (index: number, notional: bigint) =>
      quotes.reserve(
        sampleReserve(30, {
          notionalUsdPips: usdPips(notional),
          releaseAtMs: due + index,
          quote: { ...quoteOf(30), id: `off_promotion_${index}`, digest: hashOf(60_000 + index), draftId: 'dro_1' },
        }),
      );
    const outcomes = await Promise.all([promote(1, 40n), promote(2, 70n), promote(3, 10n)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['reserved', 'reserved', 'reserved']);
    expect(raw((await usage.read(scopeOf(30))).user.inFlightNotionalUsdPips)).toBe(70n);
    expect((await quotes.byPositionKey(hashOf(30))).length).toBe(3);
    // Released only when the last of them has passed its grace.
    expect(await usage.releaseExpired(due + 2, 10)).not.toContain(hashOf(30));
    expect(await usage.releaseExpired(due + 3, 10)).toContain(hashOf(30));
    expect(raw((await usage.read(scopeOf(30))).user.inFlightNotionalUsdPips)).toBe(0n);
    // A later promotion reserves anew; after the position exists none can.
    expect((await promote(4, 20n)).kind).toBe('reserved');
    expect(raw((await usage.read(scopeOf(30))).user.inFlightNotionalUsdPips)).toBe(20n);
    await usage.setPosition({
      positionKey: hashOf(30),
      scope: scopeOf(30),
      activeNotionalUsdPips: usdPips(20n),
      pendingBorrowUsdcUnits: usdcUnits(1n),
      lentBorrowUsdcUnits: usdcUnits(0n),
    });
    expect((await promote(5, 20n)).kind).toBe('used');
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
    const { quotes, usage } = opened.store;
    for (let number = 40; number < 60; number += 1) {
      await quotes.reserve(sampleReserve(number, { quote: quoteOf(40) }));
    }
    expect(await usage.releaseExpired(due - 1, 100)).toEqual([]);
    const released = await Promise.all(Array.from({ length: 5 }, () => usage.releaseExpired(due, 100)));
    const mine = released
      .flat()
      .filter((key) => Array.from({ length: 20 }, (_, index) => hashOf(40 + index)).includes(key));
    expect(mine.length).toBe(20);
    expect(new Set(mine).size).toBe(20);
    expect(raw((await usage.read(scopeOf(40))).market.inFlightNotionalUsdPips)).toBe(0n);
  });

  test('a creation after the release still counts', async () => {
    const { quotes, usage } = opened.store;
    await quotes.reserve(sampleReserve(61, { quote: quoteOf(61) }));
    await usage.releaseExpired(due, 100);
    await usage.setPosition(state(61, 1_000_000n, 5n));
    await usage.setPosition(state(61, 1_000_000n, 5n));
    const { market } = await usage.read(scopeOf(61));
    expect(raw(market.inFlightNotionalUsdPips)).toBe(0n);
    expect(raw(market.activeNotionalUsdPips)).toBe(1_000_000n);
    expect(raw(market.lentBorrowUsdcUnits)).toBe(5n);
    await usage.setPosition(state(61, 0n, 0n));
    expect(raw((await usage.read(scopeOf(61))).market.activeNotionalUsdPips)).toBe(0n);
    expect(await usage.releaseExpired(due, 100)).toEqual([]);
  });

  test('a creation that was rolled back leaves a live reservation while it may be used, else none', async () => {
    const { quotes, usage } = opened.store;
    for (const number of [62, 63]) {
      await quotes.reserve(sampleReserve(number, { quote: quoteOf(number) }));
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
    const { store } = opened;
    const numbers = [170, 171];
    const moves = numbers.map((number) => ({ kind: 'counted', usage: state(number, 5n, 5n) }) as const);
    for (const number of numbers) await store.quotes.reserve(sampleReserve(number, { quote: quoteOf(number) }));
    await Promise.all(
      Array.from({ length: 10 }, (_, round) => [
        store.transaction((unit) => unit.usage.move(moves, due)),
        store.transaction((unit) => unit.usage.move(moves.toReversed(), due)),
        store.quotes.reserve(sampleReserve(7_000 + round, { quote: quoteOf(171) })),
        store.admission.admit({
          standard: null,
          strict: null,
          idempotency: null,
          nowMs: sampleNowMs,
          reservation: sampleReserve(7_100 + round, { quote: quoteOf(170) }),
        }),
      ]).flat(),
    );
    for (const number of numbers) {
      const { market } = await store.usage.read(scopeOf(number));
      expect([raw(market.activeNotionalUsdPips), raw(market.inFlightNotionalUsdPips)]).toEqual([5n, 10_000_000n]);
    }
    await store.transaction((unit) => unit.usage.move([{ kind: 'forgotten', positionKey: hashOf(170) }], due));
    expect((await store.usage.reservation(hashOf(170)))?.state).toBe('released');
  });

  test('markets are read together', async () => {
    const [held, unknown] = [
      { id: 'mkt_62', clusterKey: null },
      { id: 'mkt_none', clusterKey: null },
    ];
    const usageOf = await opened.store.usage.readMarkets('ptn_62', [held, unknown]);
    expect(raw(usageOf(held).yes.inFlightNotionalUsdPips)).toBe(1_000_000n);
    expect(raw(usageOf(held).partner.inFlightNotionalUsdPips)).toBe(1_000_000n);
    expect(raw(usageOf(unknown).yes.inFlightNotionalUsdPips)).toBe(0n);
  });
});

describe('drafts', () => {
  test('belong to their owner, count promotions and end after a day', async () => {
    const { drafts } = opened.store;
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
