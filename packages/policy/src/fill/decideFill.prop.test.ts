// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import { type BookLevel, type Grant, midPriceOf, pricePips, rateBps, raw, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideFill, type FillObservation, isAcceptedAt } from './decideFill.ts';
import { purchaseWaysOf, saleWayOf } from './fillWays.ts';

const levels = (prices: readonly bigint[], sizes: readonly bigint[]): readonly BookLevel[] =>
  prices.map((price, index) => ({ pricePips: pricePips(price), sizeTokenUnits: tokenUnits(sizes[index] ?? 1n) }));

const anySizes = fc.array(fc.bigInt({ min: 1_000_000n, max: 4_000_000_000n }), { minLength: 6, maxLength: 6 });

/** Book of a market and its mirror: a bid for one token is an ask of the other. */
const anyBooks = fc
  .record({
    mid: fc.bigInt({ min: 1_000n, max: 9_000n }),
    spread: fc.bigInt({ min: 1n, max: 200n }),
    bidSizes: anySizes,
    askSizes: anySizes,
    depth: fc.integer({ min: 0, max: 6 }),
    ratePpm: fc.bigInt({ min: 0n, max: 70_000n }),
  })
  .map(({ mid, spread, bidSizes, askSizes, depth, ratePpm }) => {
    const steps = [0n, 30n, 60n, 90n, 120n, 150n].slice(0, depth);
    const bids = steps.map((step) => mid - spread - step);
    const asks = steps.map((step) => mid + spread + step);
    const mirrored = (prices: readonly bigint[]): readonly bigint[] => prices.map((price) => 10_000n - price);
    return {
      token: { bids: levels(bids, bidSizes), asks: levels(asks, askSizes) },
      complement: { bids: levels(mirrored(asks), askSizes), asks: levels(mirrored(bids), bidSizes) },
      feeSchedule: { ratePpm, exponent: 1n },
    };
  });

const anyObservation: fc.Arbitrary<FillObservation> = fc
  .record({
    side: fc.constantFrom('purchase' as const, 'sale' as const),
    books: anyBooks,
    start: fc.bigInt({ min: 1_000n, max: 9_000n }),
    slope: fc.bigInt({ min: 0n, max: 900n }),
    fee: fc.bigInt({ min: 0n, max: 1_000n }),
    maximum: fc.bigInt({ min: 5_000_000n, max: 2_000_000_000n }),
    validForSeconds: fc.integer({ min: 6, max: 20 }),
    elapsedSeconds: fc.integer({ min: 0, max: 20 }),
    float: fc.bigInt({ min: 0n, max: 5_000_000_000n }),
    stock: fc.bigInt({ min: 0n, max: 3_000_000_000n }),
    margin: fc.bigInt({ min: 0n, max: 200n }),
    gas: fc.bigInt({ min: 0n, max: 500_000n }),
    canRest: fc.boolean(),
  })
  .map((drawn) => {
    const isPurchase = drawn.side === 'purchase';
    const path = {
      startPricePips: pricePips(drawn.start),
      limitPricePips: pricePips(isPurchase ? drawn.start + drawn.slope : drawn.start - drawn.slope),
      venueFeeBps: rateBps(drawn.fee),
      validForSeconds: drawn.validForSeconds,
    };
    const grant: Grant = isPurchase
      ? {
          ...path,
          side: 'purchase',
          maximumUsdcUnits: usdcUnits(drawn.maximum),
          filledUsdcUnits: usdcUnits(0n),
          minimumFirstUsdcUnits: null,
          notionalUsdcUnits: usdcUnits(drawn.maximum),
          minimumTokenUnits: tokenUnits(0n),
        }
      : {
          ...path,
          side: 'sale',
          maximumTokenUnits: tokenUnits(drawn.maximum),
          filledTokenUnits: tokenUnits(0n),
          heldTokenUnits: tokenUnits(drawn.maximum),
        };
    return {
      grant,
      books: drawn.books,
      markPricePips: midPriceOf(drawn.books.token) ?? pricePips(5_000n),
      elapsedSeconds: Math.min(drawn.elapsedSeconds, drawn.validForSeconds),
      lastSecond: drawn.validForSeconds,
      means: { usdcUnits: usdcUnits(drawn.float), tokenUnits: tokenUnits(drawn.stock), canRest: drawn.canRest },
      terms: {
        marginBps: rateBps(drawn.margin),
        gasUsdcUnits: usdcUnits(drawn.gas),
        maximumFillUsdcUnits: usdcUnits(3_000_000_000n),
        restMs: drawn.canRest ? 10_000 : 0,
      },
    };
  });

const units = (amount: Parameters<typeof raw>[0]): bigint => raw(amount);

describe('decideFill', () => {
  test('a fill is within the float, and leaves its gas and the margin, to the unit', () => {
    fc.assert(
      fc.property(anyObservation, (observation) => {
        const { grant, elapsedSeconds, means, terms } = observation;
        const decision = decideFill(observation);
        if (decision.kind !== 'fill') return;
        const { fill, worthUsdcUnits, floatUsdcUnits, way } = decision;
        expect(isAcceptedAt(grant, elapsedSeconds, fill)).toBe(true);
        expect(units(floatUsdcUnits) <= units(means.usdcUnits)).toBe(true);
        if (way === 'stock') expect(units(fill.tokenUnits) <= units(means.tokenUnits)).toBe(true);
        const profitAt = (usdc: bigint): bigint =>
          grant.side === 'purchase' ? usdc - units(worthUsdcUnits) : units(worthUsdcUnits) - usdc;
        const isEnough = (usdc: bigint): boolean =>
          (profitAt(usdc) - units(terms.gasUsdcUnits)) * 10_000n >= usdc * units(terms.marginBps);
        const own = units(fill.usdcUnits);
        expect([isEnough(own), isEnough(grant.side === 'purchase' ? own - 1n : own + 1n)]).toEqual([true, false]);
      }),
      { numRuns: 500 },
    );
  });

  test('a fill that one block includes is accepted in every later block of the grant', () => {
    fc.assert(
      fc.property(anyObservation, (observation) => {
        const { grant, elapsedSeconds, lastSecond } = observation;
        const decision = decideFill(observation);
        if (decision.kind !== 'fill') return;
        for (let second = elapsedSeconds; second <= lastSecond; second += 1) {
          expect(isAcceptedAt(grant, second, decision.fill)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a book without asks serves sales, at its best bid; one whose bid is far from the mark does not', () => {
    const counts = { fill: 0 };
    fc.assert(
      fc.property(anyObservation, fc.bigInt({ min: -900n, max: 900n }), (observation, shift) => {
        const token = { ...observation.books.token, asks: [] };
        const bid = token.bids[0]?.pricePips ?? pricePips(5_000n);
        const mark = pricePips(raw(bid) + shift < 1n ? 1n : raw(bid) + shift);
        const decision = decideFill({ ...observation, markPricePips: mark, books: { ...observation.books, token } });
        if (decision.kind !== 'fill') return;
        counts.fill += 1;
        expect([observation.grant.side, shift <= 300n && shift >= -300n]).toEqual(['sale', true]);
      }),
      { numRuns: 2_000 },
    );
    expect(counts.fill).toBeGreaterThan(20);
  });

  test('competing fillers: one with a smaller margin fills at any second at which the other does', () => {
    fc.assert(
      fc.property(anyObservation, fc.bigInt({ min: 0n, max: 200n }), (observation, other) => {
        const rival = { ...observation, terms: { ...observation.terms, marginBps: rateBps(other) } };
        const isCheaper = other <= raw(observation.terms.marginBps);
        const isTaken = decideFill(observation).kind === 'fill';
        expect(!isTaken || !isCheaper || decideFill(rival).kind === 'fill').toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('a filler that waits has the fill of the first second at which the books of now cover the grant', () => {
    fc.assert(
      fc.property(anyObservation, (observation) => {
        const decision = decideFill(observation);
        if (decision.kind !== 'wait') return;
        const second = decision.later?.atSecond ?? null;
        const at = (elapsedSeconds: number) => decideFill({ ...observation, elapsedSeconds }).kind;
        if (second === null) expect(at(observation.lastSecond)).not.toBe('fill');
        else expect([at(second), at(second - 1) === 'fill']).toEqual(['fill', false]);
        if (second !== null) {
          expect(decideFill({ ...observation, elapsedSeconds: second })).toEqual(decision.later?.chosen);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('nothing is filled after the last second or without a book', () => {
    fc.assert(
      fc.property(anyObservation, (observation) => {
        const late = { ...observation, elapsedSeconds: observation.lastSecond + 1 };
        expect(decideFill(late)).toEqual({ kind: 'leave', reason: 'over' });
        const empty = { bids: [], asks: [] };
        const blind = { ...observation, books: { ...observation.books, token: empty, complement: empty } };
        expect(decideFill(blind).kind).not.toBe('fill');
      }),
    );
  });
});

describe('ways', () => {
  const feeSchedule = { ratePpm: 70_000n, exponent: 1n };
  const books = {
    token: { bids: levels([4_900n], [500_000_000n]), asks: levels([5_100n], [500_000_000n]) },
    complement: { bids: levels([4_900n], [500_000_000n]), asks: levels([5_100n], [500_000_000n]) },
    feeSchedule,
  };
  const means = { usdcUnits: usdcUnits(1_000_000_000n), tokenUnits: tokenUnits(0n), canRest: false };
  const waysOf = (changes: object) =>
    purchaseWaysOf({ ...books, ...changes }, tokenUnits(100_000_000n), means).map(({ way, worthUsdcUnits }) => [
      way,
      units(worthUsdcUnits),
    ]);

  test('a pair costs what a purchase costs in mirrored books, and comes first', () => {
    // .51 and a fee of 7 % of .51 × .49 for each of 100 tokens.
    expect(waysOf({})).toEqual([
      ['pair', 52_749_300n],
      ['buy', 52_749_300n],
    ]);
  });

  test('a purchase comes first where it is cheaper or the float is too small for a pair', () => {
    const cheap = { token: { ...books.token, asks: levels([5_000n], [500_000_000n]) } };
    expect(waysOf(cheap).map(([way]) => way)).toEqual(['buy', 'pair']);
    // A pair costs the other token, a purchase its own.
    const few = { ...means, usdcUnits: usdcUnits(50_000_000n) };
    expect(purchaseWaysOf(books, tokenUnits(100_000_000n), few).map(({ way }) => way)).toEqual(['pair']);
    const none = { ...means, usdcUnits: usdcUnits(40_000_000n) };
    expect(purchaseWaysOf(books, tokenUnits(100_000_000n), none)).toEqual([]);
  });

  test('tokens in stock cost the best bid', () => {
    const stocked = { ...means, tokenUnits: tokenUnits(100_000_000n) };
    const [first] = purchaseWaysOf(books, tokenUnits(100_000_000n), stocked);
    expect([first?.way, units(first?.worthUsdcUnits ?? usdcUnits(0n))]).toEqual(['stock', 49_000_000n]);
  });

  test('a sale brings the bids less the fee, and nothing where they do not take all of it', () => {
    const sold = (tokens: bigint) => saleWayOf(books, tokenUnits(tokens), { canRest: false });
    expect(units(sold(100_000_000n)?.worthUsdcUnits ?? usdcUnits(0n))).toBe(47_250_700n);
    expect(sold(500_010_000n)).toBe(null);
  });

  test('tokens that can rest are worth the best ask, without a fee, where the bids take what is left', () => {
    const resting = { ...means, canRest: true };
    const [pair] = purchaseWaysOf(books, tokenUnits(100_000_000n), resting);
    expect([pair?.way, units(pair?.worthUsdcUnits ?? usdcUnits(0n))]).toEqual(['pair', 49_000_000n]);
    const sold = (tokens: bigint) => saleWayOf(books, tokenUnits(tokens), { canRest: true });
    expect(units(sold(100_000_000n)?.worthUsdcUnits ?? usdcUnits(0n))).toBe(51_000_000n);
    expect(sold(500_010_000n)).toBe(null);
  });

  test('a fill of the whole grant is at the own price, and the user gains what the path would pay beyond it', () => {
    const grant: Grant = {
      side: 'purchase',
      startPricePips: pricePips(5_000n),
      limitPricePips: pricePips(5_400n),
      venueFeeBps: rateBps(0n),
      validForSeconds: 20,
      maximumUsdcUnits: usdcUnits(100_000_000n),
      filledUsdcUnits: usdcUnits(0n),
      minimumFirstUsdcUnits: null,
      notionalUsdcUnits: usdcUnits(100_000_000n),
      minimumTokenUnits: tokenUnits(0n),
    };
    const terms = {
      marginBps: rateBps(10n),
      gasUsdcUnits: usdcUnits(0n),
      maximumFillUsdcUnits: usdcUnits(1_000_000_000n),
      restMs: 0,
    };
    const markPricePips = pricePips(5_000n);
    const observation = { grant, elapsedSeconds: 0, lastSecond: 10, markPricePips, books, means, terms };
    // Covered above .5275 and a thousandth: at 8 s the price is .532.
    expect(decideFill(observation)).toMatchObject({ kind: 'wait', later: { atSecond: 8 } });
    // A pair costs .47 USD less than the grant pays at 8 s.
    const dear = { ...terms, gasUsdcUnits: usdcUnits(1_000_000n) };
    expect(decideFill({ ...observation, terms: dear })).toMatchObject({ kind: 'wait', later: { atSecond: 9 } });
    const decision = decideFill({ ...observation, elapsedSeconds: 8 });
    // 189.39 pairs less what the others bring, and a thousandth: the whole trade, at .528. The path would pay .532.
    expect(decision).toMatchObject({
      kind: 'fill',
      way: 'pair',
      fill: { tokenUnits: tokenUnits(189_390_000n), usdcUnits: usdcUnits(100_001_902n) },
    });
  });
});
