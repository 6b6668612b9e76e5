import { pricePips } from '@core/pricing';
import * as fc from 'fast-check';
import type { RecordedMarket, RecordedRow } from '../src/recording/recordedMarket.ts';

const closeAtMs = Date.UTC(2026, 0, 1, 12);
const openAtMs = closeAtMs - 3_600_000;

const price = (pips: number) => pricePips(BigInt(pips));

/** Return an hourly market whose mid takes the given prices in pips, one a minute; null is a row without prices. */
export function madeUpMarket(mids: readonly (number | null)[], isYesWinner: boolean, spread = 100): RecordedMarket {
  const rows: RecordedRow[] = mids.map((mid, minute) => ({
    atMs: openAtMs + minute * 60_000,
    bidPricePips: mid === null ? null : price(Math.max(1, mid - spread / 2)),
    askPricePips: mid === null ? null : price(Math.min(9_999, mid + spread / 2)),
  }));
  return {
    marketId: 'made-up',
    subject: { kind: 'crypto', asset: 'BTC', cadence: 'hourly', isAssetSupported: true },
    className: 'BTC',
    clusterId: 'hour',
    closeAtMs,
    isYesWinner,
    venueFee: { ratePpm: 70_000n, exponent: 1n },
    rows,
  };
}

/** Arbitrary price path through an hour, with gaps and jumps, and any end. */
export const anyMarket: fc.Arbitrary<RecordedMarket> = fc
  .record({
    start: fc.integer({ min: 3_500, max: 8_500 }),
    steps: fc.array(fc.integer({ min: -900, max: 900 }), { minLength: 20, maxLength: 59 }),
    gaps: fc.array(fc.nat(58), { maxLength: 5 }),
    isYesWinner: fc.boolean(),
    spread: fc.constantFrom(100, 200, 400),
  })
  .map(({ start, steps, gaps, isYesWinner, spread }) => {
    let mid = start;
    const mids = [start, ...steps].map((step, index) => {
      if (index > 0) mid = Math.min(9_700, Math.max(300, mid + step));
      return gaps.includes(index) ? null : mid;
    });
    return madeUpMarket(mids, isYesWinner, spread);
  });
