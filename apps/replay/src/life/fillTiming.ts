import { type PolicyConfig, riskPhaseOf } from '@core/policy';
import { type PricePips, pricePips, raw } from '@core/pricing';
import type { ObservedMarket, ObservedRow, Prices } from '../market/observedMarket.ts';
import { randomOf, seedOf } from '../market/random.ts';

/** Time of a fill: at the row that shows the trigger, at the next one, or a number of seconds after the trigger. */
export type FillTiming = { readonly kind: 'row' } | { readonly kind: 'next_row' } | SecondsTiming;

interface SecondsTiming {
  readonly kind: 'seconds';
  readonly seconds: number;
  /**
   * Size in cents from which a move of the mid counts as one jump that the sale always meets; null for no such size.
   */
  readonly jumpCents: number | null;
}

/** Longest distance of rows; a longer one is a gap of the recording, and nothing is assumed about it. */
const maxGapMs = 300_000;
/** Prices between two rows. */
export interface Moment {
  readonly atMs: number;
  readonly prices: Prices;
}

/**
 * Return the prices between two rows, on the line from one to the other. Where the whole move is assumed to have
 * happened, the worse of that and the later row. Null across a gap of the recording.
 */
export function momentBetween(
  from: ObservedRow,
  to: ObservedRow,
  at: { readonly atMs: number; readonly isYes: boolean; readonly isWholeMove: boolean },
): Moment | null {
  const gapMs = to.row.atMs - from.row.atMs;
  if (!from.isTwoSided || !to.isTwoSided || gapMs > maxGapMs || gapMs <= 0) return null;
  const share = Math.min(1, Math.max(0, (at.atMs - from.row.atMs) / gapMs));
  const { bidPricePips: fromBid, askPricePips: fromAsk } = from.row;
  const { bidPricePips: toBid, askPricePips: toAsk } = to.row;
  if (fromBid === null || toBid === null || fromAsk === null || toAsk === null) return null;
  const isFall = at.isYes ? raw(toBid) < raw(fromBid) : raw(toAsk) > raw(fromAsk);
  if (at.isWholeMove && isFall) return { atMs: at.atMs, prices: to.row };
  return {
    atMs: at.atMs,
    prices: { bidPricePips: between(fromBid, toBid, share), askPricePips: between(fromAsk, toAsk, share) },
  };
}

/**
 * Return true when a sale so many seconds after the trigger meets the whole move of the row. In a game it always does,
 * because move and trigger are one event. Elsewhere the move may be one jump at any moment of the interval, so the
 * share of the interval that the sale takes is the probability. The draw depends on market and row alone: all positions
 * of the market see the same path, in every run.
 */
export function meetsWholeMove(
  { market, rows }: ObservedMarket,
  rowIndex: number,
  { seconds, jumpCents }: Pick<SecondsTiming, 'seconds' | 'jumpCents'>,
): boolean {
  if (market.subject.kind === 'sport') return true;
  const [from, to] = [rows[rowIndex - 1], rows[rowIndex]];
  if (from === undefined || to === undefined) return true;
  if (jumpCents !== null && moveCentsOf(from, to) >= jumpCents) return true;
  const share = (seconds * 1_000) / (to.row.atMs - from.row.atMs);
  return randomOf(seedOf(`${market.marketId}:${rowIndex}`))() < share;
}

/** Return a price on the line between two, rounded to the nearest pip. */
function between(from: PricePips, to: PricePips, share: number): PricePips {
  const [a, b] = [Number(raw(from)), Number(raw(to))];
  return pricePips(BigInt(Math.round(a + (b - a) * share)));
}

/** Return the distance of the mids of two rows; zero where one has none. */
function moveCentsOf({ row: from }: ObservedRow, { row: to }: ObservedRow): number {
  if (from.bidPricePips === null || from.askPricePips === null) return 0;
  if (to.bidPricePips === null || to.askPricePips === null) return 0;
  const change = raw(to.bidPricePips) + raw(to.askPricePips) - raw(from.bidPricePips) - raw(from.askPricePips);
  return Math.abs(Number(change)) / 200;
}

/** Spare cover c − d of a position, before and at the row of a trigger. */
export interface Margins {
  /** Null when nothing was known at the row before. */
  readonly beforeE12: bigint | null;
  readonly nowE12: bigint;
}

/**
 * Return the time of a trigger that a row shows. It is the zero of the spare cover on the line from the row before, or
 * the deadline of the hard exit when that passed first. Without a row before it is the row itself.
 */
export function triggerAtMsOf(
  observed: ObservedMarket,
  rowIndex: number,
  { margins, config }: { readonly margins: Margins; readonly config: PolicyConfig },
): number {
  const [before, now] = [observed.rows[rowIndex - 1], observed.rows[rowIndex]];
  if (now === undefined) return 0;
  if (before === undefined || now.row.atMs - before.row.atMs > maxGapMs) return now.row.atMs;
  let atMs = now.row.atMs;
  if (margins.beforeE12 !== null && margins.beforeE12 >= 0n && margins.nowE12 < 0n) {
    const share = Number(margins.beforeE12) / Number(margins.beforeE12 - margins.nowE12);
    atMs = before.row.atMs + share * (now.row.atMs - before.row.atMs);
  }
  const deadlineMs = riskPhaseOf(before.snapshot, config)?.hardExitAtMs ?? atMs;
  return Math.min(atMs, Math.max(before.row.atMs, deadlineMs));
}
