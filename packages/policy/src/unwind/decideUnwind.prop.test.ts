import { type MarketSnapshot, sideOf } from '@core/market';
// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import { plannedPrincipalOf } from '@core/position';
import {
  constants,
  leverageBps,
  type PricePips,
  pricePips,
  rateBps,
  raw,
  tokenUnits,
  usdcUnits,
  venueFeeShareBpsOf,
} from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  after,
  likelyProceedsOf,
  positionOf,
  readOf,
  rungSituations,
  type Sell,
  type Situation,
  situations,
  venueFee,
} from '../../testing/owing.ts';
import {
  ladderBook,
  level,
  price,
  sampleFacts,
  sampleNowMs,
  sampleSide,
  sampleSnapshot,
} from '../../testing/samples.ts';
import { decideAttestation } from '../attestation/decideAttestation.ts';
import { policyDefaults } from '../defaults.ts';
import { hardExitOf } from '../market/hardExit.ts';
import { saleMarkOf } from '../market/marks.ts';
import { minimumSaleLimitOf } from '../market/minimumSaleLimit.ts';
import { attestedCoverFeeBpsOf } from './coverFee.ts';
import { decideUnwind, type OwingPosition } from './decideUnwind.ts';

const minute = 60_000;
const smallest = raw(constants.minOrderTokenUnits);
const step = raw(constants.shareStepTokenUnits);

/** A law over situations in which something is sold. */
function eachSale(
  law: (read: ReturnType<typeof readOf>, sale: Sell, mark: PricePips) => void,
  drawn: fc.Arbitrary<Situation> = situations,
): void {
  let saleCount = 0;
  fc.assert(
    fc.property(drawn, (situation) => {
      const read = readOf(situation);
      const decided = decideUnwind(read.snapshot, read.position);
      if (decided.kind !== 'sell') return;
      saleCount += 1;
      const { tickPricePips } = read.snapshot.facts;
      const mark = saleMarkOf(sideOf(read.snapshot, 'yes'), { tickPricePips, config: policyDefaults });
      law(read, decided, mark ?? pricePips(0n));
    }),
    { numRuns: 3_000 },
  );
  expect(saleCount).toBeGreaterThan(100);
}

/** The most principal that a reached rung takes off. */
function excessOf({ principalUsdcUnits, collateralUsdcUnits, plannedUnwinds }: OwingPosition, mark: PricePips): bigint {
  const excesses = plannedUnwinds
    .filter(({ triggerPricePips }) => raw(mark) <= raw(triggerPricePips))
    .map((rung) => raw(principalUsdcUnits) - raw(plannedPrincipalOf(collateralUsdcUnits, rung.targetLeverageBps)));
  return excesses.reduce((maximum, excess) => (excess > maximum ? excess : maximum), 0n);
}

describe('decideUnwind', () => {
  test('law: an order is on the grid, leaves nothing or a sellable rest, and sells no more than repays', () => {
    eachSale(({ position }, sale) => {
      const [size, held] = [raw(sale.tokenUnits), raw(position.tokenUnits)];
      expect(size % step).toBe(0n);
      expect(size >= smallest && size <= held).toBe(true);
      // What is not on the grid is dust, which no order could sell.
      expect(held - size < step || held - size >= smallest).toBe(true);
      // For a sale below the debt the fee is attested that it would have to cover.
      const fee = raw(
        sale.isBelowDebt
          ? attestedCoverFeeBpsOf(sale.limitPricePips, { ...position, venueFee })
          : venueFeeShareBpsOf({ pricePips: sale.limitPricePips, schedule: venueFee }),
      );
      const perToken = raw(sale.limitPricePips) * (10_000n - fee);
      const minimumTokens = (raw(position.debtUsdcUnits) * 100_000_000n + perToken - 1n) / perToken;
      expect(size <= minimumTokens + smallest).toBe(true);
    });
  });

  test('law: never below the mark less the slip of the moment', () => {
    eachSale(({ snapshot, position }, sale, mark) => {
      const { slipBps } = hardExitOf(snapshot, position, policyDefaults);
      expect(raw(sale.limitPricePips) >= raw(minimumSaleLimitOf(mark, slipBps))).toBe(true);
    });
  });

  test('law: debt per token never rises', () => {
    eachSale(({ position }, sale) => {
      const remainder = after(position, sale);
      expect(
        raw(remainder.debtUsdcUnits) * raw(position.tokenUnits) <=
          raw(position.debtUsdcUnits) * raw(remainder.tokenUnits) || raw(remainder.tokenUnits) < step,
      ).toBe(true);
    });
  });

  test('law: once a sale that repays what was asked for is applied, nothing is due', () => {
    const counts = { whole: 0, planned: 0, everything: 0 };
    eachSale(
      ({ snapshot, position }, sale, mark) => {
        const next = decideUnwind(snapshot, after(position, sale));
        const net = raw(likelyProceedsOf(sale));
        if (net >= raw(position.debtUsdcUnits)) {
          counts.whole += 1;
          expect(next.kind).toBe('none');
        }
        // Another trigger may be due after a rung, but no rung.
        if (sale.cause === 'planned' && net >= excessOf(position, mark)) {
          counts.planned += 1;
          expect(next.kind === 'sell' ? next.cause : 'none').not.toBe('planned');
        }
        if (raw(position.tokenUnits) - raw(sale.tokenUnits) < smallest) {
          counts.everything += 1;
          expect(next.kind).not.toBe('sell');
        }
      },
      fc.oneof(situations, rungSituations),
    );
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20);
  });

  test('law: covered debt without rung or deadline is not sold, and the signer refuses such a sale', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        const { snapshot, position } = readOf({ ...situation, rungs: [] });
        const decided = decideUnwind(snapshot, { ...position, killedCount: 0, sinceLastOrderMs: null });
        fc.pre(decided.kind === 'sell' || decided.kind === 'none');
        const size = decided.kind === 'sell' ? decided.tokenUnits : constants.minOrderTokenUnits;
        const attested = decideAttestation(snapshot, {
          purpose: 'unwind',
          side: 'yes',
          tokenUnits: size,
          position: { ...position, closeMinPricePips: pricePips(0n), plannedTriggerPricePips: null },
          earlierMid: null,
        });
        if (decided.kind === 'none') {
          expect(attested).toEqual({ kind: 'refused', reason: 'not_due' });
          return;
        }
        // A debt of a pip per token is above its cover and too small to pass any trigger on chain.
        const passes = raw(position.debtUsdcUnits) * 10_000n > raw(position.tokenUnits);
        if (!passes && decided.cause === 'cover') return;
        expect(attested).toMatchObject({ kind: 'attestation', limitPricePips: decided.limitPricePips });
      }),
      { numRuns: 2_000 },
    );
  });

  test('law: a hard exit in force always has a decision while there is debt', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        const { snapshot, position } = readOf({ ...situation, wasHardExitInForce: true });
        const decided = decideUnwind(snapshot, position);
        expect(decided.kind === 'none').toBe(raw(position.debtUsdcUnits) === 0n);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the cases of the risk study', () => {
  const at = (side: Parameters<typeof sampleSide>[1] = {}, book = ladderBook({ mid: 0.7 })) =>
    sampleSnapshot({ yes: sampleSide(book, side) });

  test('covered debt waits; broken cover repays all of it', () => {
    expect(decideUnwind(at(), positionOf({ debtUsdcUnits: usdcUnits(140_000_000n) }))).toEqual({ kind: 'none' });
    const decided = decideUnwind(at(), positionOf());
    expect(decided).toMatchObject({ kind: 'sell', cause: 'cover', limitPricePips: price(0.68) });
    if (decided.kind !== 'sell') return;
    // 180 USDC at 0.68 less 2.24 % of fee are 270.77 tokens; what would be left can be sold.
    expect(raw(decided.tokenUnits)).toBe(270_780_000n);
  });

  test('a missing or stale book, a book without bids and a schedule that is not known are waited on', () => {
    const reasonAt = (snapshot: MarketSnapshot) => decideUnwind(snapshot, positionOf());
    const waiting = (reason: string) => ({ kind: 'wait', reason, isAlert: false });
    expect(reasonAt(at({ book: null, bookAgeMs: null }))).toEqual(waiting('book_missing'));
    expect(reasonAt(at({ bookAgeMs: 5_001 }))).toEqual(waiting('book_stale'));
    expect(reasonAt(at({}, { bids: [], asks: [level(0.71, 10)] }))).toEqual(waiting('bids_missing'));
    const facts = sampleFacts({ venueFee: null });
    expect(reasonAt(sampleSnapshot({ facts }))).toEqual(waiting('fee_schedule_missing'));
    const paused = sampleFacts({ isAcceptingOrders: false });
    expect(reasonAt(sampleSnapshot({ facts: paused }))).toEqual(waiting('market_not_tradable'));
    const settledFacts = sampleFacts({ isSettlementDetected: true });
    expect(reasonAt(sampleSnapshot({ facts: settledFacts }))).toEqual(waiting('market_not_tradable'));
  });

  test('a book without asks is sold into', () => {
    const bidsOnly = at({}, { bids: ladderBook({ mid: 0.7 }).bids, asks: [] });
    expect(decideUnwind(bidsOnly, positionOf())).toMatchObject({ kind: 'sell', cause: 'cover' });
  });

  test('a killed order is repeated a third smaller, after a pause', () => {
    const killed = (killedCount: number, sinceLastOrderMs: number) =>
      decideUnwind(at(), positionOf({ killedCount, sinceLastOrderMs }));
    expect(killed(1, 999)).toEqual({ kind: 'wait', reason: 'order_too_recent', isAlert: false });
    expect(killed(1, 1_000)).toMatchObject({ kind: 'sell', tokenUnits: tokenUnits(180_520_000n) });
    expect(killed(2, 1_000)).toMatchObject({ kind: 'sell', tokenUnits: tokenUnits(120_350_000n) });
  });

  test('a thin book is sold in parts, and nothing is sold below the slip', () => {
    const thin = at({}, { bids: [level(0.69, 150), level(0.2, 9_999)], asks: [level(0.71, 10)] });
    expect(decideUnwind(thin, positionOf())).toMatchObject({ kind: 'sell', cause: 'cover' });
    const asksOnly = at({ lastMidPricePips: price(0.7) }, { bids: [level(0.2, 9_999)], asks: [level(0.71, 10)] });
    expect(decideUnwind(asksOnly, positionOf({ liquidationPricePips: pricePips(0n) })).kind).toBe('wait');
  });

  test('insolvent: liquidation where the vault allows it, otherwise all tokens at once, also past the deadline', () => {
    const low = at({}, ladderBook({ mid: 0.55 }));
    const above = positionOf({ liquidationPricePips: price(0.5) });
    expect(decideUnwind(low, positionOf())).toEqual({ kind: 'liquidate' });
    const everything = { kind: 'sell', isBelowDebt: true, tokenUnits: tokenUnits(300_000_000n) };
    expect(decideUnwind(low, above)).toMatchObject({ ...everything, cause: 'cover' });
    // An exchange without a sensible maximum fee could take all of it.
    for (const maxVenueFeeBps of [rateBps(0n), rateBps(1_001n)]) {
      const wait = { kind: 'wait', reason: 'under_water', isAlert: true };
      expect(decideUnwind(low, { ...above, maxVenueFeeBps })).toEqual(wait);
    }
    expect(decideUnwind(low, positionOf({ wasHardExitInForce: true }))).toMatchObject({
      kind: 'sell',
      cause: 'hard_exit',
      tokenUnits: tokenUnits(300_000_000n),
    });
  });

  test('the rungs of a committed position repay their part, and broken cover all of it', () => {
    const rung = { rung: 0, triggerPricePips: price(0.71), targetLeverageBps: leverageBps(20_000n) };
    const covered = positionOf({
      debtUsdcUnits: usdcUnits(140_000_000n),
      principalUsdcUnits: usdcUnits(140_000_000n),
      plannedUnwinds: [rung],
    });
    const decided = decideUnwind(at(), covered);
    expect(decided).toMatchObject({ kind: 'sell', cause: 'planned' });
    if (decided.kind !== 'sell') return;
    // 70 of 140 USDC, so that twice the collateral of 70 is held.
    expect(raw(likelyProceedsOf(decided)) - 70_000_000n < 7_000n).toBe(true);
    expect(decideUnwind(at(), { ...covered, plannedUnwinds: [{ ...rung, triggerPricePips: price(0.69) }] })).toEqual({
      kind: 'none',
    });
    expect(decideUnwind(at(), { ...positionOf(), plannedUnwinds: [rung] })).toMatchObject({ cause: 'cover' });
  });

  test('at the hard exit covered debt goes too', () => {
    const closing = sampleSnapshot({ facts: sampleFacts({ closeAtMs: sampleNowMs + 5 * minute }) });
    const covered = positionOf({ debtUsdcUnits: usdcUnits(10_000_000n) });
    expect(decideUnwind(closing, covered)).toMatchObject({ kind: 'sell', cause: 'hard_exit' });
  });

  test('seven tokens that owe ten cents wait: five leave two that cannot be sold, and seven are too many', () => {
    const owing = { tokenUnits: tokenUnits(7_000_000n), debtUsdcUnits: usdcUnits(100_000n), wasHardExitInForce: true };
    expect(decideUnwind(at(), positionOf(owing))).toMatchObject({ kind: 'wait', reason: 'size_too_small' });
  });

  test('a position below the smallest order waits for settlement', () => {
    const small = positionOf({ tokenUnits: tokenUnits(4_990_000n), debtUsdcUnits: usdcUnits(4_000_000n) });
    expect(decideUnwind(at(), small)).toMatchObject({ kind: 'wait', reason: 'size_too_small' });
  });
});
