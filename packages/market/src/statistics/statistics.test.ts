import { type OrderBook, pricePips, raw } from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ladderBook, level, price, sampleBook } from '../../testing/samples.ts';
import { observationDefaults } from '../observation.ts';
import { minimumLevelsOf } from './depthProfile.ts';
import { minimumBidsOf, realisedVarianceOf, sideStatisticsOf, twapOf } from './readStatistics.ts';
import { recordSample } from './recordSample.ts';
import { emptyStatistics, type TokenStatistics } from './tokenStatistics.ts';

const config = observationDefaults;
const startMs = 1_800_000_000_000;

function folded(samples: readonly (readonly [number, OrderBook])[]): TokenStatistics {
  return samples.reduce(
    (statistics, [afterMs, book]) => recordSample(statistics, { atMs: startMs + afterMs, book }, config.statistics),
    emptyStatistics,
  );
}

const at = (mid: number) => ladderBook({ mid });

describe('the time-weighted price', () => {
  test('weighs each mid by the time it stood', () => {
    const statistics = folded([
      [0, at(0.5)],
      [10_000, at(0.6)],
      [15_000, at(0.7)],
    ]);
    // 10 s at 0.50, 5 s at 0.60, 5 s at 0.70.
    expect(twapOf(statistics, startMs + 20_000, config)).toEqual({
      pricePips: pricePips(5_750n),
      sampleCount: 3,
      lastSampleAgeMs: 5_000,
    });
  });

  test('needs three samples over two seconds', () => {
    const early = folded([
      [0, at(0.5)],
      [500, at(0.5)],
      [1_999, at(0.5)],
    ]);
    expect(twapOf(early, startMs + 3_000, config).pricePips).toBeNull();
    expect(
      twapOf(
        folded([
          [0, at(0.5)],
          [2_000, at(0.5)],
        ]),
        startMs + 3_000,
        config,
      ).pricePips,
    ).toBeNull();
    expect(twapOf(emptyStatistics, startMs, config)).toEqual({
      pricePips: null,
      sampleCount: 0,
      lastSampleAgeMs: null,
    });
  });

  test('forgets what is older than thirty seconds, and one-sided books leave no mid', () => {
    const statistics = folded([
      [0, at(0.1)],
      [31_000, at(0.5)],
      [33_000, at(0.5)],
      [35_000, at(0.5)],
      [36_000, { bids: [], asks: [level(0.9, 10)] }],
    ]);
    const twap = twapOf(statistics, startMs + 36_000, config);
    expect(twap).toEqual({ pricePips: price(0.5), sampleCount: 3, lastSampleAgeMs: 1_000 });
  });

  test('lies between the lowest and the highest mid', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 5, max: 95 }), { minLength: 3, maxLength: 40 }), (cents) => {
        const statistics = folded(cents.map((cent, n) => [n * 1_000, at(cent / 100)]));
        const twap = twapOf(statistics, startMs + cents.length * 1_000, config).pricePips;
        const inside = cents.slice(-30).map((cent) => BigInt(cent) * 100n);
        const lowest = inside.reduce((a, b) => (a < b ? a : b));
        const highest = inside.reduce((a, b) => (a > b ? a : b));
        expect(twap !== null && raw(twap) >= lowest && raw(twap) <= highest).toBe(true);
      }),
    );
  });
});

describe('history', () => {
  test('stays bounded however fast samples come', () => {
    let statistics = emptyStatistics;
    for (let n = 0; n < 20_000; n++) {
      statistics = recordSample(statistics, { atMs: startMs + n * 50, book: at(0.5) }, config.statistics);
    }
    expect(statistics.mids.length).toBeLessThanOrEqual(610);
    expect(statistics.depthBuckets.length).toBeLessThanOrEqual(32);
  });

  test('ignores a sample from the past', () => {
    const statistics = folded([[1_000, at(0.5)]]);
    expect(recordSample(statistics, { atMs: startMs, book: at(0.9) }, config.statistics)).toBe(statistics);
  });
});

describe('the realised variance', () => {
  test('is null before the first mid and zero while nothing moves', () => {
    expect(realisedVarianceOf(emptyStatistics, startMs, config.statistics)).toBeNull();
    expect(
      realisedVarianceOf(
        folded([
          [0, at(0.5)],
          [60_000, at(0.5)],
        ]),
        startMs + 60_000,
        config.statistics,
      ),
    ).toBe(0n);
  });

  test('is the squared change in log odds per second, at once when it jumps', () => {
    const jump = folded([
      [0, at(0.5)],
      [1_000, at(0.6)],
    ]);
    const logit = Math.log(0.6 / 0.4);
    const variance = realisedVarianceOf(jump, startMs + 1_000, config.statistics);
    expect(Number(variance) / 1e12).toBeCloseTo((logit * logit) / 60, 9);
  });

  test('halves its memory in eight minutes', () => {
    const samples: (readonly [number, OrderBook])[] = [
      [0, at(0.5)],
      [60_000, at(0.6)],
    ];
    const early = folded(samples);
    for (let n = 2; n <= 9; n++) samples.push([n * 60_000, at(0.6)]);
    const late = folded(samples);
    const squares = (statistics: TokenStatistics) => Number(statistics.variance?.sumSquaresE12 ?? 0n);
    expect(squares(late) / squares(early)).toBeCloseTo(0.5, 6);
  });

  test('clamps prices, so that a cent at the edge is no earthquake', () => {
    const edge = folded([
      [0, at(0.012)],
      [60_000, at(0.002)],
    ]);
    expect(Number(realisedVarianceOf(edge, startMs + 60_000, config.statistics)) / 1e12).toBeLessThan(0.001);
  });
});

describe('the minimum of the bids', () => {
  const thin = { bids: [level(0.49, 5), level(0.48, 100)], asks: [level(0.51, 100)] };

  test('is the smallest depth of five minutes at each distance, below the best bid of now', () => {
    const now = { bids: [level(0.59, 100), level(0.58, 100)], asks: [level(0.61, 100)] };
    const statistics = folded([
      [0, thin],
      [60_000, now],
    ]);
    const observed = { nowMs: startMs + 60_000, book: now };
    expect(minimumBidsOf(statistics, observed, config)).toEqual([level(0.59, 5), level(0.58, 100)]);
    expect(minimumBidsOf(statistics, { ...observed, nowMs: startMs + 310_001 }, config)).toEqual(now.bids);
    expect(sideStatisticsOf(statistics, observed, config).minimumBids).toEqual([level(0.59, 5), level(0.58, 100)]);
  });

  test('is nothing while the last five minutes hold an empty bid side', () => {
    const statistics = folded([
      [0, thin],
      [1_000, { bids: [], asks: thin.asks }],
      [20_000, thin],
    ]);
    expect(minimumBidsOf(statistics, { nowMs: startMs + 20_000, book: thin }, config)).toEqual([]);
  });

  test('is never deeper than either book, at any price', () => {
    const depthTo = (levels: OrderBook['bids'], lowest: bigint) =>
      levels.reduce((sum, l) => (raw(l.pricePips) >= lowest ? sum + raw(l.sizeTokenUnits) : sum), 0n);
    fc.assert(
      fc.property(sampleBook(), sampleBook(), fc.bigInt(1n, 9_999n), (a, b, lowest) => {
        const minimum = depthTo(minimumLevelsOf(a.bids, b.bids), lowest);
        const depthA = depthTo(a.bids, lowest);
        const depthB = depthTo(b.bids, lowest);
        expect(minimum).toBe(depthA < depthB ? depthA : depthB);
      }),
    );
    expect(minimumLevelsOf([], [])).toEqual([]);
  });
});
