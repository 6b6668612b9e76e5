import type { MarketSnapshot } from '@core/market';
import { type Grant, pricePips, rateBps, raw, tokenUnits } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { madeUpMarket } from '../../testing/madeUpMarket.ts';
import { atPrices, observeMarket } from '../market/observedMarket.ts';
import { configOf } from '../scenario.ts';
import { courseAround, stillCourse } from './course.ts';
import { fillsOf, type LiveGrant, nextGrantAtMsOf, pathSecondsOf } from './grant.ts';

const observed = observeMarket(
  madeUpMarket([7_000, 7_000, 6_400], true),
  { kind: 'live', usdPerCent: 0 },
  configOf({ exitSeconds: 20, route: 'fill' }),
);
const [, row] = observed.rows;
if (row === undefined) throw new Error('no row');
const startsAtMs = row.row.atMs;

/** Sale of 100 tokens at bids of .695, with a fee of 214 bps: the limit is a tick and the filler's cost below. */
const sale: Grant = {
  side: 'sale',
  startPricePips: pricePips(7_000n),
  limitPricePips: pricePips(6_841n),
  venueFeeBps: rateBps(214n),
  validForSeconds: 6,
  maximumTokenUnits: tokenUnits(100_000_000n),
  filledTokenUnits: tokenUnits(0n),
  heldTokenUnits: tokenUnits(100_000_000n),
};
const live: LiveGrant = { grant: sale, side: 'yes', markPricePips: pricePips(7_000n), startsAtMs, lastSecond: 6 };
const secondsOf = (grant: LiveGrant, course: (atMs: number) => MarketSnapshot) =>
  fillsOf(grant, course).map(({ atMs }) => (atMs - startsAtMs) / 1_000);

/** The same market with both prices lower by some pips. */
const lowerBy = (pips: bigint) => (atMs: number) =>
  atPrices(observed, row, {
    atMs,
    prices: { bidPricePips: pricePips(6_950n - pips), askPricePips: pricePips(7_050n - pips) },
  });

describe('fills of a grant at two seconds a block', () => {
  test('a still market: the block at the end of the path has the fill, for the bids less fee, margin and gas', () => {
    const course = stillCourse(row.snapshot);
    expect(secondsOf(live, course)).toEqual([pathSecondsOf(6)]);
    // 69.50 USD less the fee of 7 % of p (1 − p), 10 bps of what is paid, and 2 cents.
    expect(fillsOf(live, course).map(({ usdcUnits }) => raw(usdcUnits))).toEqual([67_928_241n]);
  });

  test('bids that fall beyond the tick before the end of the path leave it unfilled, and a later grant follows', () => {
    expect(secondsOf(live, lowerBy(50n))).toEqual([4]);
    expect(secondsOf(live, lowerBy(150n))).toEqual([]);
    expect(nextGrantAtMsOf(live) - startsAtMs).toBe(8_000);
  });

  test('no block is after the last second of a grant', () => {
    expect(secondsOf({ ...live, lastSecond: 3 }, stillCourse(row.snapshot))).toEqual([]);
  });

  test('prices between rows are on their line', () => {
    const halfway = courseAround(observed, 1)(startsAtMs + 30_000);
    expect(halfway.yes.book?.bids[0]?.pricePips).toBe(6_650n);
    expect(halfway.facts.tickPricePips).toBe(row.snapshot.facts.tickPricePips);
  });
});
