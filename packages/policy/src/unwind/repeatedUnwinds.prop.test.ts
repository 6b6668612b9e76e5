import { type MarketSnapshot, sideOf } from '@core/market';
// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import { type BookLevel, constants, type OrderBook, raw, type TokenUnits, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { after, likelyProceedsOf, readOf, rungSituations, type Sell, situations } from '../../testing/owing.ts';
import { sampleFacts, sampleNowMs } from '../../testing/samples.ts';
import { policyDefaults } from '../defaults.ts';
import { saleMarkOf } from '../market/marks.ts';
import { minimumSaleLimitOf } from '../market/minimumSaleLimit.ts';
import { decideUnwind, type OwingPosition, type UnwindCause } from './decideUnwind.ts';
import { saleLimitOf } from './saleLimit.ts';

const eitherSituation = fc.oneof(situations, rungSituations);
const smallest = raw(constants.minOrderTokenUnits);

/** The bids that a sale leaves. */
function bidsAfter(bids: readonly BookLevel[], sold: TokenUnits): readonly BookLevel[] {
  let remainder = raw(sold);
  return bids.flatMap((bid) => {
    const fill = remainder < raw(bid.sizeTokenUnits) ? remainder : raw(bid.sizeTokenUnits);
    remainder -= fill;
    const rest = raw(bid.sizeTokenUnits) - fill;
    return rest === 0n ? [] : [{ ...bid, sizeTokenUnits: tokenUnits(rest) }];
  });
}

function withBook(snapshot: MarketSnapshot, change: (book: OrderBook) => OrderBook): MarketSnapshot {
  const { book } = snapshot.yes;
  return book === null ? snapshot : { ...snapshot, yes: { ...snapshot.yes, book: change(book) } };
}

/** The market once a sale took its bids. */
const marketAfter = (snapshot: MarketSnapshot, sold: TokenUnits): MarketSnapshot =>
  withBook(snapshot, ({ bids, asks }) => ({ bids: bidsAfter(bids, sold), asks }));

const urgency: Readonly<Record<UnwindCause, number>> = { hard_exit: 2, cover: 1, planned: 0 };

/** Every sale fills and is decided on again, until none is decided. */
function salesOf(
  first: { readonly snapshot: MarketSnapshot; readonly position: OwingPosition },
  { isRefilled }: { readonly isRefilled: boolean },
): readonly Sell[] {
  let { snapshot, position } = first;
  const sales: Sell[] = [];
  // Each sells the smallest order at least.
  const maximumSales = Number(raw(position.tokenUnits) / smallest) + 1;
  while (sales.length <= maximumSales) {
    const decided = decideUnwind(snapshot, position);
    if (decided.kind !== 'sell') return sales;
    const next = after(position, decided);
    expect(raw(next.debtUsdcUnits) < raw(position.debtUsdcUnits)).toBe(true);
    sales.push(decided);
    position = next;
    if (!isRefilled) snapshot = marketAfter(snapshot, decided.tokenUnits);
  }
  throw new Error('one sale follows the other without end');
}

test('law: filled sales come to an end, and none is more urgent than the one before while the book is the same', () => {
  const pairs = new Map<string, number>();
  fc.assert(
    fc.property(eitherSituation, fc.boolean(), (situation, isRefilled) => {
      const sales = salesOf(readOf(situation), { isRefilled });
      sales.slice(1).forEach((sale, index) => {
        const before = sales[index]?.cause ?? sale.cause;
        pairs.set(`${before} ${sale.cause}`, (pairs.get(`${before} ${sale.cause}`) ?? 0) + 1);
        // What is sold on bids that are gone may cost a covered debt its cover; a deadline is the last word anyway.
        if (isRefilled) expect(urgency[sale.cause]).toBeLessThanOrEqual(urgency[before]);
        else expect(before === 'hard_exit' && sale.cause !== 'hard_exit').toBe(false);
      });
    }),
    { numRuns: 6_000 },
  );
  for (const pair of ['cover planned', 'planned planned', 'hard_exit hard_exit', 'cover cover']) {
    expect(`${pair} ${(pairs.get(pair) ?? 0) > 0}`).toBe(`${pair} true`);
  }
});

test('law: a deadline that comes after a sale is the only cause from then on, also when it is put off', () => {
  let count = 0;
  fc.assert(
    fc.property(rungSituations, (situation) => {
      const { snapshot, position } = readOf(situation);
      const decided = decideUnwind(snapshot, position);
      if (decided.kind !== 'sell' || decided.cause === 'hard_exit') return;
      count += 1;
      const remainder = after(position, decided);
      const late = { ...snapshot, facts: sampleFacts({ closeAtMs: sampleNowMs + 200_000 }) };
      const postponed = { ...remainder, wasHardExitInForce: true };
      for (const next of [decideUnwind(late, remainder), decideUnwind(snapshot, postponed)]) {
        expect(next.kind === 'sell' ? next.cause : 'hard_exit').toBe('hard_exit');
        expect(next.kind === 'none').toBe(raw(remainder.debtUsdcUnits) === 0n || raw(remainder.tokenUnits) === 0n);
      }
    }),
    { numRuns: 3_000 },
  );
  expect(count).toBeGreaterThan(100);
});

/** Position after a liquidation that sells all that the bids take within the slip, whatever the proceeds. */
function liquidated(snapshot: MarketSnapshot, position: OwingPosition): OwingPosition | null {
  const { tickPricePips } = snapshot.facts;
  const mark = saleMarkOf(sideOf(snapshot, 'yes'), { tickPricePips, config: policyDefaults });
  const bids = snapshot.yes.book?.bids ?? [];
  const lowestPricePips = minimumSaleLimitOf(mark ?? tickPricePips, policyDefaults.model.slipBps);
  const bound = { lowestPricePips, tickPricePips };
  for (let size = raw(position.tokenUnits); size >= smallest; size = (size * 2n) / 3n) {
    const limit = saleLimitOf({ bids }, { tokenUnits: tokenUnits(size), ...bound });
    if (limit === null) continue;
    const net = raw(likelyProceedsOf({ tokenUnits: tokenUnits(size), limitPricePips: limit }));
    const debt = usdcUnits(raw(position.debtUsdcUnits) > net ? raw(position.debtUsdcUnits) - net : 0n);
    return { ...position, tokenUnits: tokenUnits(raw(position.tokenUnits) - size), debtUsdcUnits: debt };
  }
  return null;
}

test('law: what is handed to a liquidation is due for one, and no part of it comes back to be unwound', () => {
  let count = 0;
  const prices = fc.record({ debtBps: fc.bigInt(3_000n, 12_000n), liquidation: fc.bigInt(5_000n, 9_999n) });
  fc.assert(
    fc.property(situations, prices, fc.boolean(), (drawn, changes, isRefilled) => {
      let { snapshot, position } = readOf({ ...drawn, ...changes, wasHardExitInForce: false });
      if (decideUnwind(snapshot, position).kind !== 'liquidate') return;
      count += 1;
      const { tickPricePips } = snapshot.facts;
      for (let tranche = 0; tranche < 5; tranche += 1) {
        const mark = saleMarkOf(sideOf(snapshot, 'yes'), { tickPricePips, config: policyDefaults });
        // The keeper liquidates at this mark: were it higher, the one step would wait for the other.
        expect(mark !== null && raw(mark) <= raw(position.liquidationPricePips)).toBe(true);
        const remainder = liquidated(snapshot, position);
        if (remainder === null) return;
        if (!isRefilled)
          snapshot = marketAfter(snapshot, tokenUnits(raw(position.tokenUnits) - raw(remainder.tokenUnits)));
        position = remainder;
        const next = decideUnwind(snapshot, position);
        expect(next.kind).not.toBe('sell');
        if (next.kind !== 'liquidate') return;
      }
    }),
    { numRuns: 6_000 },
  );
  expect(count).toBeGreaterThan(50);
});

test('law: a part that its user closes makes no debt due that was not, and a debt that was repaid stays so', () => {
  let count = 0;
  fc.assert(
    fc.property(rungSituations, fc.bigInt(1n, 99n), (situation, percent) => {
      const { snapshot, position } = readOf(situation);
      const decided = decideUnwind(snapshot, position);
      // What its user closes of what an unwind left.
      const afterSale = decided.kind === 'sell' ? after(position, decided) : position;
      if (decided.kind !== 'none' && raw(afterSale.debtUsdcUnits) > 0n) return;
      const sold = tokenUnits((raw(afterSale.tokenUnits) * percent) / 100n);
      const remainder = closed(snapshot, afterSale, sold);
      if (remainder === null) return;
      count += 1;
      expect(decideUnwind(snapshot, remainder)).toEqual({ kind: 'none' });
    }),
    { numRuns: 6_000 },
  );
  expect(count).toBeGreaterThan(100);
});

/** More than the venue takes at any price. */
const maximumFeeBps = 700n;

/** A part sold as the vault allows a close: it repays its share of the debt, and takes its share of the collateral. */
function closed(snapshot: MarketSnapshot, held: OwingPosition, sold: TokenUnits): OwingPosition | null {
  const { tickPricePips } = snapshot.facts;
  const mark = saleMarkOf(sideOf(snapshot, 'yes'), { tickPricePips, config: policyDefaults });
  if (mark === null || raw(sold) < smallest) return null;
  const lowestPricePips = minimumSaleLimitOf(mark, policyDefaults.model.slipBps);
  const bound = { tokenUnits: sold, lowestPricePips, tickPricePips };
  const limit = saleLimitOf({ bids: snapshot.yes.book?.bids ?? [] }, bound);
  const { tokenUnits: heldTokenUnits, debtUsdcUnits } = held;
  const netPips = (raw(limit ?? mark) * (10_000n - maximumFeeBps)) / 10_000n;
  if (limit === null || netPips * raw(heldTokenUnits) < raw(debtUsdcUnits) * 10_000n) return null;
  const remainder = raw(heldTokenUnits) - raw(sold);
  const shareOf = (amount: bigint, isUp: boolean): bigint =>
    (amount * remainder + (isUp ? raw(heldTokenUnits) - 1n : 0n)) / raw(heldTokenUnits);
  return {
    ...held,
    tokenUnits: tokenUnits(remainder),
    collateralUsdcUnits: usdcUnits(shareOf(raw(held.collateralUsdcUnits), true)),
    principalUsdcUnits: usdcUnits(shareOf(raw(held.principalUsdcUnits), false)),
    debtUsdcUnits: usdcUnits(shareOf(raw(debtUsdcUnits), false)),
  };
}
