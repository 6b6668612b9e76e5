import { coverInputsOf, coverOf, debtPerTokenOf } from '@core/policy';
import { add, isDust, pricePips, raw, subtract, usdPips, valueOf } from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyMarket, madeUpMarket } from '../../testing/madeUpMarket.ts';
import type { DepthModel } from '../market/depthModel.ts';
import { observeMarket } from '../market/observedMarket.ts';
import type { RecordedMarket } from '../recording/recordedMarket.ts';
import { configOf } from '../scenario.ts';
import { coverTableOf, largestTokensOf } from './coverTable.ts';
import { type Entry, entryOf, entryPhaseOf, sides } from './entry.ts';
import type { FillTiming } from './fillTiming.ts';
import { type Life, lifeOf } from './live.ts';

const anyDepth: fc.Arbitrary<DepthModel> = fc.record({
  kind: fc.constantFrom('live', 'linear', 'evaporation'),
  usdPerCent: fc.constantFrom(60, 100, 300),
});
const anyTiming: fc.Arbitrary<FillTiming> = fc.oneof(
  fc.constant<FillTiming>({ kind: 'row' }),
  fc.constant<FillTiming>({ kind: 'next_row' }),
  fc.integer({ min: 1, max: 150 }).map((seconds): FillTiming => ({ kind: 'seconds', seconds, jumpCents: 10 })),
);
const config = configOf(20);
const live: DepthModel = { kind: 'live', usdPerCent: 0 };
const atRow: FillTiming = { kind: 'row' };
/** Bid of the crash below. */
const crashedPricePips = pricePips(450n);

/** Every life of a market. */
function livesOf(market: RecordedMarket, depth: DepthModel, timing: FillTiming): readonly Life[] {
  const observed = observeMarket(market, depth, config);
  return sides.flatMap((side) => {
    const entries = observed.rows.flatMap((seen, rowIndex) => {
      const phase = seen.isTwoSided ? entryPhaseOf(seen, config) : null;
      if (phase === null) return [];
      const entry = entryOf(observed, { rowIndex, side, phase }, { notionalUsdPips: usdPips(500_000n), config });
      return entry === null ? [] : [entry];
    });
    const largest = largestTokensOf(entries.map((entry: Entry) => entry.tokenUnits));
    const table = coverTableOf(observed, side, { largest, config });
    return entries.map((entry) => lifeOf(entry, { observed, table, timing, config }));
  });
}

describe('a life', () => {
  test('law: what was paid in is paid out, to the unit', () => {
    let lifeCount = 0;
    fc.assert(
      fc.property(anyMarket, anyDepth, anyTiming, (market, depth, timing) => {
        for (const { entry, account } of livesOf(market, depth, timing)) {
          lifeCount += 1;
          const paidIn = add(
            add(entry.paidUsdcUnits, entry.borrowUsdcUnits),
            add(account.soldUsdcUnits, account.payoutUsdcUnits),
          );
          const opened = add(entry.notionalUsdcUnits, add(entry.originationUsdcUnits, entry.venueFeeUsdcUnits));
          const pool = add(account.repaidUsdcUnits, add(account.lifetimeFeeUsdcUnits, account.liquidationFeeUsdcUnits));
          const paidOut = add(add(opened, pool), add(account.saleFeeUsdcUnits, account.userUsdcUnits));
          expect(paidOut).toBe(paidIn);
          expect(add(account.repaidUsdcUnits, account.badDebtUsdcUnits)).toBe(entry.borrowUsdcUnits);
        }
      }),
      { numRuns: 60 },
    );
    expect(lifeCount).toBeGreaterThan(500);
  });

  test('law: with d ≤ c at every row and no deadline passed nothing is sold', () => {
    const soldWhileCovered: Life[] = [];
    let coveredCount = 0;
    fc.assert(
      fc.property(anyMarket, (market) => {
        const short = { ...market, rows: market.rows.slice(0, 50) };
        const observed = observeMarket(short, live, config);
        for (const life of livesOf(short, live, atRow)) {
          const { entry } = life;
          const isCovered = observed.rows.slice(entry.rowIndex + 1).every(({ snapshot }) => {
            const inputs = coverInputsOf(snapshot, entry.side, config);
            // A dearer debt than that of any row, so that fees cannot make the difference.
            const debtE12 = debtPerTokenOf(add(entry.borrowUsdcUnits, entry.originationUsdcUnits), entry.tokenUnits);
            return inputs === null || debtE12 <= coverOf(inputs, config)(entry.tokenUnits);
          });
          if (isCovered) coveredCount += 1;
          if (isCovered && life.exits.length > 0) soldWhileCovered.push(life);
        }
      }),
      { numRuns: 60 },
    );
    expect(soldWhileCovered).toEqual([]);
    expect(coveredCount).toBeGreaterThan(20);
  });

  test('law: a table of covers for all positions changes no life', () => {
    fc.assert(
      fc.property(anyMarket, anyDepth, (market, depth) => {
        const observed = observeMarket(market, depth, config);
        for (const { entry, account } of livesOf(market, depth, atRow)) {
          const own = coverTableOf(observed, entry.side, { largest: entry.tokenUnits, config });
          expect(lifeOf(entry, { observed, table: own, timing: atRow, config }).account).toEqual(account);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('law: the same recording gives the same lives', () => {
    fc.assert(
      fc.property(anyMarket, anyDepth, anyTiming, (market, depth, timing) => {
        expect(livesOf(market, depth, timing)).toEqual(livesOf(market, depth, timing));
      }),
      { numRuns: 20 },
    );
  });

  test('a calm favourite is only sold by its hard exit, and then owes nothing', () => {
    const lives = livesOf(
      madeUpMarket(
        Array.from({ length: 59 }, () => 8_000),
        true,
      ),
      live,
      atRow,
    );
    const early = lives.find(({ entry }) => entry.side === 'yes');
    expect(early?.exits.length).toBeGreaterThan(0);
    for (const life of lives) {
      expect(life.hadDebtAtResolution).toBe(false);
      expect(raw(life.account.badDebtUsdcUnits)).toBe(0n);
    }
  });

  test('a crash within one row costs the pool what the sale does not bring', () => {
    const mids = Array.from({ length: 59 }, (_, minute) => (minute < 20 ? 7_000 : 500));
    const lives = livesOf(madeUpMarket(mids, false), live, atRow).filter(({ entry }) => entry.side === 'yes');
    const lost = lives.filter(({ account }) => raw(account.badDebtUsdcUnits) > 0n);
    expect(lost.length).toBeGreaterThan(10);
    for (const { entry, account } of lost) {
      const net = subtract(account.soldUsdcUnits, account.saleFeeUsdcUnits);
      expect(subtract(entry.borrowUsdcUnits, net)).toBe(account.badDebtUsdcUnits);
      expect(isDust(account.tokenUnits)).toBe(true);
      expect(raw(account.soldUsdcUnits) <= raw(valueOf(entry.tokenUnits, crashedPricePips, 'up'))).toBe(true);
    }
  });
});
