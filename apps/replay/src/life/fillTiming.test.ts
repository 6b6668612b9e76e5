import { raw } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { madeUpMarket } from '../../testing/madeUpMarket.ts';
import { observeMarket } from '../market/observedMarket.ts';
import { configOf } from '../scenario.ts';
import { meetsWholeMove, momentBetween, triggerAtMsOf } from './fillTiming.ts';

const config = configOf({ exitSeconds: 20, route: 'direct' });
const market = madeUpMarket([7_000, 6_000, null, 6_000], true);
const observed = observeMarket(market, { kind: 'live', usdPerCent: 0 }, config);
const [first, second, gap] = observed.rows;
const startMs = market.rows[0]?.atMs ?? 0;

function between(seconds: number, isWholeMove: boolean) {
  if (first === undefined || second === undefined) throw new Error('no rows');
  const moment = momentBetween(first, second, { atMs: startMs + seconds * 1_000, isYes: true, isWholeMove });
  return moment?.prices.bidPricePips === undefined || moment.prices.bidPricePips === null
    ? null
    : raw(moment.prices.bidPricePips);
}

describe('moment of a sale', () => {
  test('lies on the line between two rows, or at the worse end of a whole move', () => {
    expect(between(15, false)).toBe(6_700n);
    expect(between(15, true)).toBe(5_950n);
  });

  test('is unknown across a gap', () => {
    if (second === undefined || gap === undefined) throw new Error('no rows');
    expect(momentBetween(second, gap, { atMs: startMs + 90_000, isYes: true, isWholeMove: false })).toBeNull();
  });

  test('follows the crossing of cover and debt on the line', () => {
    const margins = { beforeE12: 3n, nowE12: -1n };
    expect(triggerAtMsOf(observed, 1, { margins, config })).toBe(startMs + 45_000);
    expect(triggerAtMsOf(observed, 1, { margins: { beforeE12: null, nowE12: -1n }, config })).toBe(startMs + 60_000);
  });

  test('includes the whole move for a sale as long as the row, and none for an immediate one', () => {
    expect(meetsWholeMove(observed, 1, { seconds: 60, jumpCents: null })).toBe(true);
    expect(meetsWholeMove(observed, 1, { seconds: 0, jumpCents: null })).toBe(false);
    expect(meetsWholeMove(observed, 1, { seconds: 0, jumpCents: 10 })).toBe(true);
    expect(meetsWholeMove(observed, 1, { seconds: 0, jumpCents: 11 })).toBe(false);
  });
});
