import { type PolicyConfig, riskPhaseOf } from '@core/policy';
import { type PricePips, pricePips, raw } from '@core/pricing';
import type { ObservedMarket, ObservedRow, Prices } from '../market/observedMarket.ts';
import { randomOf, seedOf } from '../market/random.ts';

/** When a sale fills: at the row that shows the trigger, at the next one, or so many seconds after the trigger. */
export type FillTiming = { readonly kind: 'row' } | { readonly kind: 'next_row' } | SecondsTiming;

interface SecondsTiming {
  readonly kind: 'seconds';
  readonly seconds: number;
  /** Moves of the mid from so many cents on are taken to be one jump that the sale always meets; null: none is. */
  readonly jumpCents: number | null;
}

/** Longer gaps between rows are gaps of the recording: nothing is read into them. */
const maxGapMs = 300_000;
/** Where the price stood between two rows. */
export interface Moment {
  readonly atMs: number;
  readonly prices: Prices;
}

/**
 * Prices between two rows: on the line from one to the other; where the whole move is taken to have happened by then,
 * the later row's when they are worse to sell at. Null across a gap of the recording.
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
 * Whether a sale so many seconds after the trigger meets all of the move that the row shows. In a game a move is one
 * event, a point or a goal, and the trigger is that event: always. Elsewhere the move may be one jump at any moment of
 * the interval, so that the share of the interval that the sale takes is the chance to meet it. The draw depends on the
 * market and the row alone: every position of the market sees the same path, and every run the same paths.
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

/** On the line between two prices, rounded to the nearest pip. */
function between(from: PricePips, to: PricePips, share: number): PricePips {
  const [a, b] = [Number(raw(from)), Number(raw(to))];
  return pricePips(BigInt(Math.round(a + (b - a) * share)));
}

/** Distance of the mids of two rows; zero where one has none. */
function moveCentsOf({ row: from }: ObservedRow, { row: to }: ObservedRow): number {
  if (from.bidPricePips === null || from.askPricePips === null) return 0;
  if (to.bidPricePips === null || to.askPricePips === null) return 0;
  const change = raw(to.bidPricePips) + raw(to.askPricePips) - raw(from.bidPricePips) - raw(from.askPricePips);
  return Math.abs(Number(change)) / 200;
}

/** Spare cover before and at the row of a trigger: c − d of a position. */
export interface Margins {
  /** Null when nothing was known at the row before. */
  readonly beforeE12: bigint | null;
  readonly nowE12: bigint;
}

/**
 * When the trigger came that a row shows: where the spare cover crossed zero on the line from the row before, or at the
 * deadline of the hard exit when that passed first. Without a row before, at the row itself.
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
