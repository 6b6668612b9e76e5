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
const config = configOf({ exitSeconds: 20, route: 'direct' });
const live: DepthModel = { kind: 'live', usdPerCent: 0 };
const atRow: FillTiming = { kind: 'row' };
/** Bid of the crash below. */
const crashedPricePips = pricePips(450n);

/** Return every life of a market. */
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
  test('law: pays out what was paid in, to the unit', () => {
    let lifeCount = 0;
    fc.assert(
      fc.property(anyMarket, anyDepth, anyTiming, (market, depth, timing) => {
        for (const { entry, account } of livesOf(market, depth, timing)) {
          lifeCount += 1;
          const paidIn = add(
            add(entry.paidUsdcUnits, entry.borrowUsdcUnits),
            add(account.soldUsdcUnits, account.payoutUsdcUnits),
          );
          const openingUsdcUnits = add(
            entry.notionalUsdcUnits,
            add(entry.originationUsdcUnits, entry.venueFeeUsdcUnits),
          );
          const pool = add(account.repaidUsdcUnits, add(account.lifetimeFeeUsdcUnits, account.liquidationFeeUsdcUnits));
          const paidOut = add(add(openingUsdcUnits, pool), add(account.saleFeeUsdcUnits, account.userUsdcUnits));
          expect(paidOut).toBe(paidIn);
          expect(add(account.repaidUsdcUnits, account.badDebtUsdcUnits)).toBe(entry.borrowUsdcUnits);
        }
      }),
      { numRuns: 60 },
    );
    expect(lifeCount).toBeGreaterThan(500);
  });

  test('law: sells nothing with d ≤ c at every row and no deadline passed', () => {
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
            // Debt above that of any row, so that fees make no difference.
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

  test('law: is the same with a table of covers for all positions', () => {
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

  test('law: is the same for the same recording', () => {
    fc.assert(
      fc.property(anyMarket, anyDepth, anyTiming, (market, depth, timing) => {
        expect(livesOf(market, depth, timing)).toEqual(livesOf(market, depth, timing));
      }),
      { numRuns: 20 },
    );
  });

  test('sells a calm favourite only by its hard exit, without debt afterwards', () => {
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

  test('charges the pool for the shortfall of a crash within one row', () => {
    const mids = Array.from({ length: 59 }, (_, minute) => (minute < 20 ? 7_000 : 500));
    const lives = livesOf(madeUpMarket(mids, false), live, atRow).filter(({ entry }) => entry.side === 'yes');
    const losing = lives.filter(({ account }) => raw(account.badDebtUsdcUnits) > 0n);
    expect(losing.length).toBeGreaterThan(10);
    for (const { entry, account } of losing) {
      const net = subtract(account.soldUsdcUnits, account.saleFeeUsdcUnits);
      expect(subtract(entry.borrowUsdcUnits, net)).toBe(account.badDebtUsdcUnits);
      expect(isDust(account.tokenUnits)).toBe(true);
      expect(raw(account.soldUsdcUnits) <= raw(valueOf(entry.tokenUnits, crashedPricePips, 'up'))).toBe(true);
    }
  });
});
