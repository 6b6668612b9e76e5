import { type BookLevel, max, min, pricePips, raw, tokenUnits, usdcUnits, walkBids } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAtEdge, isInBand, saleCostOf } from '../../testing/grants.ts';
import { ladderBook, price, sampleBook, sampleSide, sampleSnapshot, usdc } from '../../testing/samples.ts';
import { policyDefaults } from '../defaults.ts';
import { grantKindOf } from '../fill/grantBand.ts';
import { decideGrant, type GrantTerms } from './decideGrant.ts';
import { type BatchedSale, decideGrantBatch, decideGrantBatchCountersignature } from './decideGrantBatch.ts';

const anySale = fc.record({
  mostUnits: fc.bigInt(4_000_000n, 2_000_000_000n),
  /** Held tokens as a multiple of those sold. */
  multiple: fc.constantFrom(1n, 3n),
  debtBps: fc.bigInt(0n, 11_000n),
  /** Least price of the user: none, one below every bid, or the best bid. */
  closeMin: fc.constantFrom('none' as const, 'low' as const, 'bid' as const),
  liquidationPips: fc.constantFrom(0n, 9_999n),
});

const situations = fc
  .record({
    book: sampleBook(),
    purpose: fc.constantFrom('close' as const, 'unwind' as const, 'liquidate' as const),
    drawn: fc.array(anySale, { minLength: 1, maxLength: 8 }),
  })
  .map(({ book, purpose, drawn }) => {
    const bid = raw(book.bids[0]?.pricePips ?? pricePips(0n));
    const minimums = { none: 0n, low: 1n, bid };
    const sales = drawn.map(({ mostUnits, multiple, debtBps, closeMin, liquidationPips }) => ({
      mostUnits,
      position: {
        tokenUnits: tokenUnits(mostUnits * multiple),
        debtUsdcUnits: usdcUnits((mostUnits * multiple * bid * debtBps) / 100_000_000n),
        liquidationPricePips: pricePips(liquidationPips),
        maxVenueFeeBps: null,
        closeMinPricePips: pricePips(minimums[closeMin]),
        plannedTriggerPricePips: null,
        owesSinceMs: null,
        wasHardExitInForce: false,
      },
      config: policyDefaults,
    }));
    const earlierMid = { pricePips: price(0.01), ageMs: 3_000 };
    return {
      snapshot: sampleSnapshot({ yes: sampleSide(book) }),
      batch: { purpose, side: 'yes', earlierMid, sales },
    } as const;
  });

type Situation = typeof situations extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const aloneOf = ({ snapshot, batch }: Situation, { mostUnits, position, config }: BatchedSale) => {
  const { sales: _sales, ...shared } = batch;
  return decideGrant(snapshot, { ...shared, mostUnits, position, collateralShareBps: null }, config);
};

/** Terms of the granted sales, in the order of the batch. */
const grantedOf = ({ snapshot, batch }: Situation) =>
  decideGrantBatch(snapshot, batch).flatMap((terms, index) => {
    const sale = batch.sales[index];
    return terms.kind === 'grant' && sale !== undefined ? [{ terms, sale }] : [];
  });

/** Proceeds of the first tokens of the book, without rounding. */
const worthE4 = (bids: readonly BookLevel[], units: bigint): bigint =>
  walkBids({ bids, tokenUnits: tokenUnits(units) }).exactUsdcUnitsE4;

test('law: a batch of one is decided as a grant of its own', () => {
  fc.assert(
    fc.property(situations, (situation) => {
      const [first] = situation.batch.sales;
      fc.pre(first !== undefined);
      const batch = { ...situation.batch, sales: [first] };
      expect(decideGrantBatch(situation.snapshot, batch)).toEqual([aloneOf(situation, first)]);
    }),
    { numRuns: 1_000 },
  );
});

test('law: the granted sales walk the bids once, one after another, and the vault takes each', () => {
  const counts = { close: 0, unwind: 0, liquidate: 0, later: 0, below: 0 };
  fc.assert(
    fc.property(situations, (situation) => {
      const { snapshot, batch } = situation;
      const bids = snapshot.yes.book?.bids ?? [];
      let aheadUnits = 0n;
      for (const { terms, sale } of grantedOf(situation)) {
        const size = sale.mostUnits;
        const worth = worthE4(bids, aheadUnits + size) - worthE4(bids, aheadUnits);
        const average = worth / size;
        const cost = saleCostOf(average, tokenUnits(size));
        const limit = average - cost - raw(snapshot.facts.tickPricePips);
        const kind = grantKindOf(batch.purpose, sale.position);
        const distance = raw(terms.limitPricePips) - limit;
        expect((distance >= -1n && distance <= 1n) || isAtEdge(terms, kind, snapshot)).toBe(true);
        expect(isInBand(terms, kind)).toBe(true);
        counts[batch.purpose] += 1;
        counts.later += aheadUnits > 0n ? 1 : 0;
        counts.below += aheadUnits > 0n && worth < worthE4(bids, size) ? 1 : 0;
        aheadUnits += size;
      }
      expect(raw(walkBids({ bids, tokenUnits: tokenUnits(aheadUnits) }).restTokenUnits)).toBe(0n);
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(100);
});

test('law: a sale after others has no stricter limit than alone, the same mark, and no grant that it lacks alone', () => {
  let count = 0;
  fc.assert(
    fc.property(situations, (situation) => {
      for (const { terms, sale } of grantedOf(situation)) {
        const alone = aloneOf(situation, sale);
        if (alone.kind === 'refused') throw new Error(`alone it is refused: ${alone.reason}`);
        expect(terms.markPricePips).toBe(alone.markPricePips);
        // Money is rounded down per level, which may lower an average by one pip.
        expect(raw(terms.limitPricePips)).toBeLessThanOrEqual(raw(alone.limitPricePips) + 1n);
        expect(min(terms.triggerPricePips, alone.triggerPricePips)).toBe(terms.triggerPricePips);
        count += 1;
      }
    }),
    { numRuns: 2_000 },
  );
  expect(count).toBeGreaterThan(1_000);
});

test('law: a refused sale takes no bids from those after it', () => {
  let count = 0;
  fc.assert(
    fc.property(situations, (situation) => {
      const granted = grantedOf(situation);
      const { batch } = situation;
      fc.pre(granted.length > 0 && granted.length < batch.sales.length);
      count += 1;
      const others = { ...situation, batch: { ...batch, sales: granted.map(({ sale }) => sale) } };
      expect(grantedOf(others).map(({ terms }) => terms)).toEqual(granted.map(({ terms }) => terms));
    }),
    { numRuns: 300 },
  );
  expect(count).toBeGreaterThan(100);
});

/** As the vault checks it: the debt is covered at the limit, or everything is sold below it. */
const isTaken = ({ purpose }: Situation['batch'], terms: GrantTerms, { mostUnits, position }: BatchedSale): boolean => {
  if (position === null || purpose === 'liquidate') return true;
  const limit = max(terms.limitPricePips, position.closeMinPricePips);
  const rest = raw(position.tokenUnits) - mostUnits;
  const net = raw(limit) * (10_000n - raw(terms.venueFeeBps));
  const isCovered =
    net * (rest < 10_000n ? mostUnits : raw(position.tokenUnits)) >= raw(position.debtUsdcUnits) * 10n ** 8n;
  return isCovered || (purpose === 'unwind' && rest < 10_000n && raw(terms.triggerPricePips) === 0n);
};

test('law: a sale after others is one that the vault takes and bids reach, and below its debt only if alone it is', () => {
  const counts = { close: 0, unwind: 0, liquidate: 0, belowDebt: 0 };
  fc.assert(
    fc.property(situations, (situation) => {
      const { snapshot, batch } = situation;
      const tick = raw(snapshot.facts.tickPricePips);
      for (const { terms, sale } of grantedOf(situation).slice(1)) {
        const alone = aloneOf(situation, sale);
        expect(isTaken(batch, terms, sale)).toBe(true);
        const minimum = raw(sale.position?.closeMinPricePips ?? pricePips(0n));
        expect(batch.purpose !== 'close' || minimum <= raw(terms.limitPricePips) + tick).toBe(true);
        const isBelow = batch.purpose === 'unwind' && raw(terms.triggerPricePips) === 0n;
        const isBelowAlone = alone.kind === 'grant' && raw(alone.triggerPricePips) === 0n;
        expect(!isBelow || isBelowAlone).toBe(true);
        counts[batch.purpose] += 1;
        counts.belowDebt += isBelow ? 1 : 0;
      }
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(50);
});

const refusal = { kind: 'refused', reason: 'book_too_thin' };

/** Sale of a hundred tokens, which is the size of each bid. */
function saleOf({ minimum = 0, debt = 0 }: { readonly minimum?: number; readonly debt?: number }): BatchedSale {
  const position = {
    tokenUnits: tokenUnits(100_000_000n),
    debtUsdcUnits: usdc(debt),
    liquidationPricePips: pricePips(0n),
    maxVenueFeeBps: null,
    closeMinPricePips: price(minimum),
    plannedTriggerPricePips: null,
    owesSinceMs: null,
    wasHardExitInForce: false,
  };
  return { mostUnits: 100_000_000n, position, config: policyDefaults };
}

function decidedOf(purpose: 'close' | 'unwind', sales: readonly BatchedSale[]) {
  const snapshot = sampleSnapshot({ yes: sampleSide(ladderBook({ mid: 0.51, tokens: 100 })) });
  return decideGrantBatch(snapshot, { purpose, side: 'yes', earlierMid: null, sales });
}

test('a close that waits for the price of bids before it takes none from those after it', () => {
  const [anyPrice, bestBid] = [saleOf({}), saleOf({ minimum: 0.5 })];
  const [first, second] = decidedOf('close', [anyPrice, anyPrice]);
  expect(decidedOf('close', [anyPrice, bestBid, bestBid, anyPrice])).toEqual([first, refusal, refusal, second]);
});

test('an unwind that covers its debt as the first is not sold below it behind others', () => {
  const [small, owing] = [saleOf({ debt: 40 }), saleOf({ debt: 45 })];
  const [first] = decidedOf('unwind', [owing]);
  expect(first).toMatchObject({ kind: 'grant', triggerPricePips: expect.toSatisfy((trigger) => trigger > 0n) });
  const behind = decidedOf('unwind', [small, small, small, owing]);
  expect(behind.map(({ kind }) => kind)).toEqual(['grant', 'grant', 'grant', 'refused']);
  expect(behind[3]).toEqual(refusal);
  // The debt of this one is above what the best bids bring.
  const [, lost] = decidedOf('unwind', [small, saleOf({ debt: 49 })]);
  expect(lost).toMatchObject({ kind: 'grant', triggerPricePips: 0n });
});

const proposedOf = (situation: Situation, change: (terms: GrantTerms, index: number) => Partial<GrantTerms>) => {
  const granted = grantedOf(situation);
  fc.pre(granted.length > 1);
  const sales = granted.map(({ terms, sale }, index) => {
    const { kind: _kind, exitBufferBps: _buffer, ...proposed } = { ...terms, ...change(terms, index) };
    return { ...sale, proposed };
  });
  return decideGrantBatchCountersignature(situation.snapshot, { ...situation.batch, sales });
};

const agreed = { kind: 'agreed' };

test('law: a co-signer with the same view agrees with each sale of a batch, and not with one that is changed', () => {
  fc.assert(
    fc.property(situations, fc.nat(7), (situation, at) => {
      const all = proposedOf(situation, () => ({}));
      expect(all).toEqual(all.map(() => agreed));
      const changed = at % all.length;
      const tick = raw(situation.snapshot.facts.tickPricePips);
      const worse = proposedOf(situation, ({ limitPricePips, mostUnits }, index) => {
        if (index !== changed) return {};
        const lower = raw(limitPricePips) - tick - 1n;
        return lower < 0n ? { mostUnits: mostUnits + 1n } : { limitPricePips: pricePips(lower) };
      });
      const reason = expect.stringMatching(/limit_disagrees|size_disagrees/);
      expect(worse).toEqual(all.map((_, index) => (index === changed ? { kind: 'refused', reason } : agreed)));
    }),
    { numRuns: 300 },
  );
});

test('a co-signer refuses a sale that it would not grant, and those after it are not affected', () => {
  const [situation] = fc.sample(
    situations.filter((drawn) => drawn.batch.purpose === 'close' && grantedOf(drawn).length > 1),
    1,
  );
  if (situation === undefined) throw new Error('nothing was drawn');
  const sales = grantedOf(situation).map(({ terms, sale }, index) => ({
    ...sale,
    position: index === 0 ? null : sale.position,
    proposed: terms,
  }));
  expect(decideGrantBatchCountersignature(situation.snapshot, { ...situation.batch, sales })).toEqual(
    sales.map((_, index) => (index === 0 ? { kind: 'refused', reason: 'position_missing' } : agreed)),
  );
});
