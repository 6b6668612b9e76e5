import { coverInputsOf, coverOf, debtPerTokenOf, type PolicyConfig } from '@core/policy';
import { add, isDust, pricePips, raw, subtract, usdPips, valueOf } from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyMarket, madeUpMarket } from '../../testing/madeUpMarket.ts';
import type { DepthModel } from '../market/depthModel.ts';
import { observeMarket } from '../market/observedMarket.ts';
import type { RecordedMarket } from '../recording/recordedMarket.ts';
import { configOf } from '../scenario.ts';
import type { Protection } from './attempt.ts';
import { coverTableOf, largestTokensOf } from './coverTable.ts';
import { entryPhaseOf, maximumQuoteOf, sides } from './entry.ts';
import type { FillTiming } from './fillTiming.ts';
import { type Life, lifeOf } from './live.ts';
import { entryOf } from './opening.ts';

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
const fillConfig = configOf({ exitSeconds: 20, route: 'fill' });
const anyCircumstances = fc.record({
  depth: anyDepth,
  timing: anyTiming,
  config: fc.constantFrom(config, fillConfig),
  protection: fc.constantFrom('policy' as const, 'liquidation' as const),
});
const live: DepthModel = { kind: 'live', usdPerCent: 0 };
const atRow: FillTiming = { kind: 'row' };
/** An hour without a move. */
const calmMids = Array.from({ length: 59 }, () => 8_000);
/** Bid of the crash below. */
const crashedPricePips = pricePips(450n);

interface Circumstances {
  readonly depth: DepthModel;
  readonly timing: FillTiming;
  readonly config: PolicyConfig;
  readonly protection: Protection;
}

const calm: Circumstances = { depth: live, timing: atRow, config, protection: 'policy' };

/** Return every life of a market. */
function livesOf(market: RecordedMarket, changes: Partial<Circumstances> = {}): readonly Life[] {
  const { depth, timing, config: policy, protection } = { ...calm, ...changes };
  const observed = observeMarket(market, depth, policy);
  return sides.flatMap((side) => {
    const entries = observed.rows.flatMap((seen, rowIndex) => {
      const phase = seen.isTwoSided ? entryPhaseOf(seen, policy) : null;
      if (phase === null) return [];
      const size = { notionalUsdPips: usdPips(500_000n), config: policy };
      const quote = maximumQuoteOf(observed, { rowIndex, side, phase }, size);
      const entry = quote === null ? null : entryOf(observed, quote, policy);
      return entry === null ? [] : [entry];
    });
    const largest = largestTokensOf(entries.map((entry) => entry.tokenUnits));
    const table = coverTableOf(observed, side, { largest, config: policy });
    return entries.map((entry) => lifeOf(entry, { observed, table, timing, protection, config: policy }));
  });
}

describe('a life', () => {
  test('law: pays out what was paid in, to the unit', () => {
    let lifeCount = 0;
    fc.assert(
      fc.property(anyMarket, anyCircumstances, (market, circumstances) => {
        for (const { entry, account } of livesOf(market, circumstances)) {
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
          const paidOut = add(add(openingUsdcUnits, pool), account.userUsdcUnits);
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
        for (const life of livesOf(short)) {
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
        for (const { entry, account } of livesOf(market, { depth })) {
          const own = coverTableOf(observed, entry.side, { largest: entry.tokenUnits, config });
          const inputs = { observed, table: own, timing: atRow, protection: 'policy' as const, config };
          expect(lifeOf(entry, inputs).account).toEqual(account);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('law: is the same for the same recording', () => {
    fc.assert(
      fc.property(anyMarket, anyCircumstances, (market, circumstances) => {
        expect(livesOf(market, circumstances)).toEqual(livesOf(market, circumstances));
      }),
      { numRuns: 20 },
    );
  });

  test('sells a calm favourite only by its hard exit, without debt afterwards', () => {
    const lives = livesOf(madeUpMarket(calmMids, true));
    const early = lives.find(({ entry }) => entry.side === 'yes');
    expect(early?.exits.length).toBeGreaterThan(0);
    for (const life of lives) {
      expect(life.hadDebtAtResolution).toBe(false);
      expect(raw(life.account.badDebtUsdcUnits)).toBe(0n);
    }
  });

  test('charges the pool for the shortfall of a crash within one row', () => {
    const mids = Array.from({ length: 59 }, (_, minute) => (minute < 20 ? 7_000 : 500));
    const lives = livesOf(madeUpMarket(mids, false)).filter(({ entry }) => entry.side === 'yes');
    const losing = lives.filter(({ account }) => raw(account.badDebtUsdcUnits) > 0n);
    expect(losing.length).toBeGreaterThan(10);
    for (const { entry, account } of losing) {
      expect(subtract(entry.borrowUsdcUnits, account.soldUsdcUnits)).toBe(account.badDebtUsdcUnits);
      expect(isDust(account.tokenUnits)).toBe(true);
      expect(raw(account.soldUsdcUnits) <= raw(valueOf(entry.tokenUnits, crashedPricePips, 'up'))).toBe(true);
    }
  });

  test('route fill: the liquidation of a crash is filled after its row, and repays what the bids bring', () => {
    const mids = Array.from({ length: 59 }, (_, minute) => (minute < 20 ? 7_000 : 4_000));
    const lives = livesOf(madeUpMarket(mids, false), { config: fillConfig });
    const sold = lives.filter(({ entry, saleGrantCount }) => entry.side === 'yes' && saleGrantCount > 0);
    expect(sold.length).toBeGreaterThan(10);
    for (const { filledSaleGrantCount, account } of sold) {
      expect(filledSaleGrantCount).toBeGreaterThan(0);
      expect(isDust(account.tokenUnits) || raw(account.principalUsdcUnits) === 0n).toBe(true);
    }
  });

  test('route fill: an opening in a calm market is filled by a block of its first grant', () => {
    const lives = livesOf(madeUpMarket(calmMids, true), { config: fillConfig });
    expect(lives.length).toBeGreaterThan(10);
    for (const { entry } of lives) {
      const seconds = (entry.atMs - Date.UTC(2026, 0, 1, 11)) / 1_000 - entry.rowIndex * 60;
      expect([2, 4, 6, 8, 10, 12]).toContain(seconds);
      expect(entry.grantCount).toBe(1);
    }
  });

  test('liquidations alone: nothing is unwound, and a calm favourite owes until it resolves', () => {
    const lives = livesOf(madeUpMarket(calmMids, true), { protection: 'liquidation', config: fillConfig });
    const favourites = lives.filter(({ entry }) => entry.side === 'yes');
    expect(favourites.length).toBeGreaterThan(10);
    for (const life of favourites) expect([life.exits, life.hadDebtAtResolution]).toEqual([[], true]);
  });
});
