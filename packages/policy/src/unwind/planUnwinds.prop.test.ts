import type { PlannedUnwind } from '@core/position';
import { leverageBps, pricePips, rateBps, raw, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ladderBook, sampleSide, sampleSnapshot, times } from '../../testing/samples.ts';
import { policyDefaults as config } from '../defaults.ts';
import { type SideModel, sideModelOf } from '../leverage/sideModel.ts';
import { partnerTermsOf } from '../partner/partnerTermsOf.ts';
import { decideUnwind, type OwingPosition } from './decideUnwind.ts';
import { planUnwinds, type QuotedDebt } from './planUnwinds.ts';

const terms = partnerTermsOf();
const snapshotAt = (mid: number) => sampleSnapshot({ yes: sampleSide(ladderBook({ mid })) });

function modelAt(mid: number): SideModel {
  const model = sideModelOf(snapshotAt(mid), 'yes', { terms, config });
  if (model === null) throw new Error('the sample has no model');
  return model;
}

/** 300 tokens at 70 cents with a leverage in quarters. */
const debtOf = (quarters: bigint): QuotedDebt => ({
  borrowUsdcUnits: usdcUnits(210_000_000n - (840_000_000n + quarters - 1n) / quarters),
  positionTokenUnits: tokenUnits(300_000_000n),
  leverageBps: leverageBps(quarters * 2_500n),
});

function owing({ borrowUsdcUnits, positionTokenUnits }: QuotedDebt, plannedUnwinds: readonly PlannedUnwind[]) {
  const position: OwingPosition = {
    side: 'yes',
    tokenUnits: positionTokenUnits,
    collateralUsdcUnits: usdcUnits(210_000_000n - raw(borrowUsdcUnits)),
    principalUsdcUnits: borrowUsdcUnits,
    debtUsdcUnits: borrowUsdcUnits,
    liquidationPricePips: pricePips(0n),
    maxVenueFeeBps: rateBps(500n),
    plannedUnwinds,
    owesSinceMs: null,
    wasHardExitInForce: false,
    killedCount: 0,
    sinceLastOrderMs: null,
  };
  return position;
}

describe('the ladder of a committed position', () => {
  test('falls in price and leverage from the mark and the leverage that was granted', () => {
    fc.assert(
      fc.property(fc.bigInt(6n, 40n), fc.integer({ min: 15, max: 90 }), (quarters, cents) => {
        const model = modelAt(cents / 100);
        const debt = debtOf(quarters);
        let above = { triggerPricePips: model.markPricePips, targetLeverageBps: debt.leverageBps };
        for (const [index, rung] of planUnwinds(model, debt).entries()) {
          expect(rung.rung).toBe(index + 1);
          expect(raw(rung.triggerPricePips)).toBeLessThan(raw(above.triggerPricePips));
          expect(raw(rung.targetLeverageBps)).toBeLessThan(raw(above.targetLeverageBps));
          expect(raw(rung.targetLeverageBps)).toBeGreaterThanOrEqual(10_000n);
          expect(raw(rung.targetLeverageBps) % 2_500n).toBe(0n);
          above = rung;
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is carried out rung by rung before the cover ends, and the cover takes the rest', () => {
    const debt = debtOf(8n);
    const rungs = planUnwinds(modelAt(0.7), debt);
    expect(rungs.map(({ targetLeverageBps }) => targetLeverageBps)).toEqual([times(1.5), times(1.25)]);
    const position = owing(debt, rungs);
    expect(decideUnwind(snapshotAt(0.7), position)).toEqual({ kind: 'none' });
    for (const { rung, triggerPricePips } of rungs) {
      const mid = Number(raw(triggerPricePips)) / 10_000;
      expect(decideUnwind(snapshotAt(mid), position)).toMatchObject({ kind: 'sell', cause: 'planned', rung });
      expect(decideUnwind(snapshotAt(mid + 0.01), owing(debt, rungs.slice(rung - 1)))).toEqual({ kind: 'none' });
    }
    expect(decideUnwind(snapshotAt(0.4), position)).toMatchObject({ kind: 'sell', cause: 'cover', rung: null });
  });

  test('has no rung where the way to the end of the cover is none', () => {
    expect(planUnwinds(modelAt(0.7), debtOf(40n))).toEqual([]);
  });
});
