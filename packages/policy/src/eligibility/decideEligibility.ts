import type { RejectionReasonCode } from '@core/errors';
import type { MarketView } from './capacityMax.ts';
import { sideReasonOf } from './sideReason.ts';

/** Null means that the side, or the market, accepts new positions. */
export interface Eligibility {
  readonly yes: RejectionReasonCode | null;
  readonly no: RejectionReasonCode | null;
  /** Set only when neither side accepts: the reason of the two that comes earlier in `eligibilityPrecedence`. */
  readonly market: RejectionReasonCode | null;
}

/** Order of the reasons: the first that applies counts, and the earlier of two sides counts for the market. */
export const eligibilityPrecedence: readonly RejectionReasonCode[] = [
  'RISK_ENGINE_MARKET_DISABLED',
  'QUOTE_MARKET_UNSUPPORTED_CATEGORY',
  'QUOTE_MARKET_NOT_ACTIVE',
  'QUOTE_MARKET_UNSUPPORTED_CRYPTO_ASSET',
  'QUOTE_ENTRY_EXCLUDED_MARKET_TYPE',
  'QUOTE_ENTRY_EXCLUDED_SPORT',
  'QUOTE_EVENT_NOT_STARTED',
  'QUOTE_TRADING_WINDOW_CLOSING',
  'QUOTE_HARD_EXIT_TOO_CLOSE',
  'QUOTE_MARKET_OPEN_INTEREST_TOO_LOW',
  'QUOTE_MARKET_RISK_TOO_HIGH',
  'QUOTE_ENTRY_BOOK_ONE_SIDED',
  'QUOTE_ENTRY_SPREAD_TOO_WIDE',
  'QUOTE_ENTRY_DEPTH_TOO_LOW',
  'QUOTE_ENTRY_BID_DEPTH_TOO_LOW',
  'QUOTE_ENTRY_MARKET_TOO_ELAPSED',
  'QUOTE_ENTRY_TOP_HOLDER_TOO_HIGH',
  'QUOTE_ENTRY_VOLUME_TOO_LOW',
  'QUOTE_ENTRY_PRICE_OUT_OF_RANGE',
  'QUOTE_MAX_LEVERAGE_TOO_LOW',
  'NOTIONAL_SELECTOR_BELOW_MIN_NOTIONAL',
  'NOTIONAL_SELECTOR_PREGAME_INSUFFICIENT_LIQUIDITY',
  'QUOTE_SIDE_CAPACITY_EXCEEDED',
];

/** Decide whether each side of a market accepts new positions now, with the reason when it does not. */
export function decideEligibility(view: MarketView): Eligibility {
  const yes = sideReasonOf(view, 'yes');
  const no = sideReasonOf(view, 'no');
  return { yes, no, market: yes === null || no === null ? null : earlierOf(yes, no) };
}

function earlierOf(a: RejectionReasonCode, b: RejectionReasonCode): RejectionReasonCode {
  return eligibilityPrecedence.indexOf(a) <= eligibilityPrecedence.indexOf(b) ? a : b;
}
