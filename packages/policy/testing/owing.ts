import type { MarketSnapshot } from '@core/market';
import {
  type BookLevel,
  leverageBps,
  pricePips,
  rateBps,
  raw,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
  venueFeeShareBpsOf,
} from '@core/pricing';
import * as fc from 'fast-check';
import type { OwingPosition, UnwindDecision } from '../src/unwind/decideUnwind.ts';
import { netProceedsOf, type Sale } from '../src/unwind/repayingSale.ts';
import { price, sampleBook, sampleFacts, sampleNowMs, sampleSide, sampleSnapshot } from './samples.ts';

/** 300 tokens that owe 180 USDC. */
export function positionOf(changes: Partial<OwingPosition> = {}): OwingPosition {
  return {
    side: 'yes',
    tokenUnits: tokenUnits(300_000_000n),
    collateralUsdcUnits: usdcUnits(70_000_000n),
    principalUsdcUnits: usdcUnits(180_000_000n),
    debtUsdcUnits: usdcUnits(180_000_000n),
    liquidationPricePips: price(0.655),
    maxVenueFeeBps: rateBps(500n),
    plannedUnwinds: [],
    owesSinceMs: null,
    wasHardExitInForce: false,
    killedCount: 0,
    sinceLastOrderMs: null,
    ...changes,
  };
}

/** A book, the time left, and a debt that may be due for any reason. */
export const situations = fc.record({
  book: sampleBook(),
  hasAsks: fc.boolean(),
  leftSeconds: fc.integer({ min: 1, max: 7_200 }),
  tokens: fc.bigInt(1n, 2n * 10n ** 9n),
  // From nothing to far more than the tokens are worth.
  debtBps: fc.bigInt(0n, 12_000n),
  collateral: fc.bigInt(1_000_000n, 10n ** 9n),
  rungs: fc.array(fc.record({ trigger: fc.bigInt(1n, 9_999n), quarters: fc.bigInt(4n, 30n) }), { maxLength: 3 }),
  killedCount: fc.nat(4),
  sinceLastOrderMs: fc.option(fc.nat(4_000)),
  wasHardExitInForce: fc.boolean(),
  liquidation: fc.bigInt(0n, 9_999n),
});

export type Situation = typeof situations extends fc.Arbitrary<infer S> ? S : never;

/** Debts before any deadline, of which a rung may be due, in books that may be too thin for the whole of them. */
export const rungSituations = fc
  .record({
    drawn: situations,
    leftSeconds: fc.integer({ min: 900, max: 7_200 }),
    thinness: fc.constantFrom(1n, 10n, 50n),
    debtShareBps: fc.bigInt(500n, 9_500n),
    collateralShareBps: fc.bigInt(500n, 5_000n),
    rungs: fc.array(fc.record({ trigger: fc.bigInt(3_000n, 9_999n), quarters: fc.bigInt(4n, 12n) }), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ drawn, thinness, debtShareBps, collateralShareBps, ...changes }): Situation => {
    const bestBid = raw(drawn.book.bids[0]?.pricePips ?? pricePips(0n));
    const thinner = (level: BookLevel): BookLevel => {
      return { ...level, sizeTokenUnits: tokenUnits(raw(level.sizeTokenUnits) / thinness + 1n) };
    };
    return {
      ...drawn,
      ...changes,
      book: { ...drawn.book, bids: drawn.book.bids.map(thinner) },
      debtBps: (bestBid * debtShareBps) / 10_000n,
      collateral: (drawn.tokens * bestBid * collateralShareBps) / 100_000_000n,
      killedCount: 0,
      sinceLastOrderMs: null,
      wasHardExitInForce: false,
    };
  });

/** Return the snapshot and the position of a situation. */
export function readOf(s: Situation): { readonly snapshot: MarketSnapshot; readonly position: OwingPosition } {
  const debt = usdcUnits((s.tokens * s.debtBps) / 10_000n);
  const book = s.hasAsks ? s.book : { bids: s.book.bids, asks: [] };
  return {
    snapshot: sampleSnapshot({
      facts: sampleFacts({ closeAtMs: sampleNowMs + s.leftSeconds * 1_000 }),
      yes: sampleSide(book),
    }),
    position: positionOf({
      tokenUnits: tokenUnits(s.tokens),
      debtUsdcUnits: debt,
      principalUsdcUnits: debt,
      collateralUsdcUnits: usdcUnits(s.collateral),
      liquidationPricePips: pricePips(s.liquidation),
      plannedUnwinds: s.rungs.map(({ trigger, quarters }, rung) => ({
        rung,
        triggerPricePips: pricePips(trigger),
        targetLeverageBps: leverageBps(quarters * 2_500n),
      })),
      killedCount: s.killedCount,
      sinceLastOrderMs: s.sinceLastOrderMs,
      wasHardExitInForce: s.wasHardExitInForce,
    }),
  };
}

export const venueFee = { ratePpm: 70_000n, exponent: 1n };
export type Sell = Extract<UnwindDecision, { kind: 'sell' }>;

/** Proceeds of a sale at its limit, after the fee of the schedule. */
export function likelyProceedsOf(sale: Sale): UsdcUnits {
  return netProceedsOf(sale, venueFeeShareBpsOf({ pricePips: sale.limitPricePips, schedule: venueFee }));
}

/** The position after the decided order filled at its limit. */
export function after(position: OwingPosition, sale: Sell): OwingPosition {
  const net = raw(likelyProceedsOf(sale));
  const [debt, principal] = [raw(position.debtUsdcUnits), raw(position.principalUsdcUnits)];
  return {
    ...position,
    tokenUnits: tokenUnits(raw(position.tokenUnits) - raw(sale.tokenUnits)),
    debtUsdcUnits: usdcUnits(debt > net ? debt - net : 0n),
    principalUsdcUnits: usdcUnits(principal > net ? principal - net : 0n),
    killedCount: 0,
    sinceLastOrderMs: null,
  };
}
