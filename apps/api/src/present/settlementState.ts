import type { MarketRecord } from '@core/store';
import type { OpenPositionWire } from '@core/wire';
import { isVoided } from './positionMark.ts';

/** A market without payouts this long after its close is waiting for the venue's oracle. */
const unresolvedAfterMs = 24 * 3_600_000;

/** How far the settlement of a market's positions has come: a void wins over everything, payouts over waiting. */
export function settlementStateOf(
  market: Pick<MarketRecord, 'status' | 'closeTimeMs' | 'payoutNumerators' | 'payoutDenominator'>,
  nowMs: number,
): OpenPositionWire['timing']['settlement_state'] {
  if (isVoided(market)) return 'voided';
  if (market.payoutDenominator !== null) return 'settling';
  // A day after the close the venue owes an answer, whatever it calls the market meanwhile.
  if (market.closeTimeMs !== null && nowMs - market.closeTimeMs >= unresolvedAfterMs) return 'unresolved_upstream';
  return market.status === 'active' ? 'none' : 'awaiting_resolution';
}
