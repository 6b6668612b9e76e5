import { type PricePips, pricePips } from '@core/pricing';
import type { Position } from '../record/position.ts';
import type { Side } from '../states/terms.ts';

/** Reported payouts of a market: numerators yes and no; the denominator is null until they are reported. */
export interface ReportedPayouts {
  readonly payoutNumerators: readonly bigint[];
  readonly payoutDenominator: bigint | null;
}

/** Progress of the settlement of a market's positions. */
export type SettlementState = 'none' | 'awaiting_resolution' | 'settling' | 'voided' | 'unresolved_upstream';

/** A payout vector in which both outcomes are worth the same: the market was voided. */
function isVoided({ payoutNumerators: [yes, no], payoutDenominator }: ReportedPayouts): boolean {
  return payoutDenominator !== null && yes !== undefined && yes === no;
}

/** Return the payout of a token of a side, in pips rounded down; null until payouts are reported. */
export function payoutPriceOf({ payoutNumerators, payoutDenominator }: ReportedPayouts, side: Side): PricePips | null {
  const payout = payoutNumerators[side === 'yes' ? 0 : 1];
  return payoutDenominator === null || payout === undefined ? null : pricePips((payout * 10_000n) / payoutDenominator);
}

/** A market without payouts this long after its close is waiting for the venue's oracle. */
export const unresolvedAfterMs = 24 * 3_600_000;

/** A void wins over everything, payouts over waiting. */
function settlementStateOf(
  market: ReportedPayouts & { readonly status: string; readonly closeTimeMs: number | null },
  nowMs: number,
): SettlementState {
  if (isVoided(market)) return 'voided';
  if (market.payoutDenominator !== null) return 'settling';
  // A day after the close the venue's answer is overdue, in any status of the market.
  if (market.closeTimeMs !== null && nowMs - market.closeTimeMs >= unresolvedAfterMs) return 'unresolved_upstream';
  return market.status === 'active' ? 'none' : 'awaiting_resolution';
}

/** Times of a position's market at a moment. An unknown market counts as active, without a close time. */
export interface TimingFigures<Status extends string> {
  readonly isSettlementPending: boolean;
  readonly isVoided: boolean;
  readonly marketCloseTimeMs: number | null;
  readonly marketStatus: Status | 'active';
  readonly settlementState: SettlementState;
  readonly timeToCloseMinutes: number | null;
}

/** Timing of an open-type position (specification, Position); a position is not shown from before it was created. */
export function timingFiguresOf<Status extends string>(
  position: Pick<Position, 'createdAtMs'>,
  market: (ReportedPayouts & { readonly status: Status; readonly closeTimeMs: number | null }) | null,
  nowMs: number,
): TimingFigures<Status> {
  const marketStatus = market?.status ?? 'active';
  const marketCloseTimeMs = market?.closeTimeMs ?? null;
  return {
    isSettlementPending: marketStatus !== 'active',
    isVoided: market !== null && isVoided(market),
    marketCloseTimeMs,
    marketStatus,
    settlementState: market === null ? 'none' : settlementStateOf(market, nowMs),
    timeToCloseMinutes: timeToCloseMinutesOf(marketCloseTimeMs, Math.max(nowMs, position.createdAtMs)),
  };
}

/** Whole minutes until the market closes, never negative; null without a close time. */
function timeToCloseMinutesOf(closeTimeMs: number | null, nowMs: number): number | null {
  return closeTimeMs === null ? null : Math.max(0, Math.floor((closeTimeMs - nowMs) / 60_000));
}
