import { type ErrorCode, eligibilityTwinOf, type RejectionReasonCode } from '@core/errors';
import type { Side } from '@core/position';
import { clearableNotionalOf, compare, constants } from '@core/pricing';
import { policyDefaults } from '../defaults.ts';
import { quoteGates } from '../quote/gates.ts';
import { type QuoteContext, quoteContextOf } from '../quote/quoteContext.ts';
import { capacityMaxOf, type MarketView } from './capacityMax.ts';

/**
 * Reasons shown for refusals without an uppercase twin: the most specific twin. Stale or missing data shows as risk, a
 * market the venue no longer trades as not active.
 */
const reasonByCode: Partial<Record<ErrorCode, RejectionReasonCode>> = {
  quote_market_not_eligible: 'QUOTE_MARKET_OPEN_INTEREST_TOO_LOW',
  quote_market_missing_venue_condition_id: 'QUOTE_ENTRY_EXCLUDED_MARKET_TYPE',
  quote_venue_missing_token: 'QUOTE_ENTRY_EXCLUDED_MARKET_TYPE',
  risk_engine_market_settlement_detected: 'QUOTE_MARKET_NOT_ACTIVE',
  risk_engine_market_closed: 'QUOTE_MARKET_NOT_ACTIVE',
  quote_venue_market_closed: 'QUOTE_MARKET_NOT_ACTIVE',
  quote_venue_market_inactive: 'QUOTE_MARKET_NOT_ACTIVE',
  quote_venue_market_not_accepting_orders: 'QUOTE_MARKET_NOT_ACTIVE',
  notional_selector_empty_order_book: 'QUOTE_ENTRY_BOOK_ONE_SIDED',
  quote_price_too_low: 'QUOTE_ENTRY_PRICE_OUT_OF_RANGE',
};

/** The uppercase value under which a refusal of a quote shows on the market. */
function reasonOfCode(code: ErrorCode): RejectionReasonCode {
  return eligibilityTwinOf(code) ?? reasonByCode[code] ?? 'QUOTE_MARKET_RISK_TOO_HIGH';
}

/** Only the market is judged: what the whole service is waiting for shows on no market. */
const undisturbedService = {
  isQuoteCreationEnabled: true,
  isPartialOpenEnabled: true,
  keeperHeartbeatAgeMs: 0,
  isVenueTakingOrders: true,
  isPriceSignerAnswering: true,
  isExitQuick: true,
  areGrantsFilled: true,
};

/** The request that opens if anything does: the minimum size at the lowest leverage and the highest slippage. */
function smallestRequestOf(view: MarketView, side: Side) {
  return {
    walletAddress: '0x0000000000000000000000000000000000000000',
    side,
    leverageBps: constants.minLeverageBps,
    notionalUsdPips: view.terms.minNotionalUsdPips,
    slippageBps: constants.maxSlippageBps,
    allowRevision: true,
    allowPartialFill: false,
    minFillBps: null,
    draftEntryPricePips: null,
  };
}

/**
 * Return the reason for which a side accepts no new position: the first market gate that refuses, then a book too thin
 * for the minimum, then caps too full for it. Null when it accepts them.
 */
export function sideReasonOf(view: MarketView, side: Side): RejectionReasonCode | null {
  const context = quoteContextOf({
    kind: 'draft',
    request: smallestRequestOf(view, side),
    snapshot: view.snapshot,
    terms: view.terms,
    usage: null,
    service: { ...undisturbedService, debtWatchAgeMs: view.debtWatchAgeMs === undefined ? 0 : view.debtWatchAgeMs },
    config: view.config ?? policyDefaults,
  });
  // The very gates of a quote, so that a market never shows as open what a quote would refuse.
  for (const gate of quoteGates) {
    if (gate.needs !== 'market') continue;
    const rejection = gate.check(context);
    if (rejection !== null) return reasonOfCode(rejection.code);
  }
  return thinBookReasonOf(context) ?? capacityReasonOf(view, side, context);
}

function thinBookReasonOf({ token, terms, phase }: QuoteContext): RejectionReasonCode | null {
  const asks = token.book?.asks ?? [];
  const clearable = clearableNotionalOf({ asks, slippageBps: constants.maxSlippageBps });
  if (compare(clearable, terms.minNotionalUsdPips) >= 0) return null;
  return phase?.kind === 'pregame'
    ? 'NOTIONAL_SELECTOR_PREGAME_INSUFFICIENT_LIQUIDITY'
    : 'NOTIONAL_SELECTOR_BELOW_MIN_NOTIONAL';
}

function capacityReasonOf(view: MarketView, side: Side, { terms }: QuoteContext): RejectionReasonCode | null {
  // At the lowest leverage the pool carries most: a side whose pool still lends for the minimum there is open.
  const capacity = capacityMaxOf(view, side, constants.minLeverageBps);
  // Unknown capacity closes nothing here; the quote itself finds out.
  if (capacity === null) return null;
  return compare(capacity, terms.minNotionalUsdPips) < 0 ? 'QUOTE_SIDE_CAPACITY_EXCEEDED' : null;
}
