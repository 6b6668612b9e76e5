import { reject } from '@core/errors';
import { compare } from '@core/pricing';
import { routes } from '../route/routes.ts';
import type { Gate } from './gate.ts';
import type { QuoteContext } from './quoteContext.ts';

/** Values of the excluded market types that are no line of a sport. */
const excludedTypes = {
  negRisk: 'neg_risk',
  settlement: 'crypto_settlement_unknown',
  cadence: (cadence: string) => `crypto_${cadence}`,
} as const;

// What the chain and the venue say of the market's life, the chain first: a condition or token that is missing makes
// every later answer meaningless, and a known settlement outranks what the venue still lists.
function lifecycleOf({ snapshot, request }: QuoteContext) {
  const { facts } = snapshot;
  const tokenId = request.side === 'yes' ? facts.yesTokenId : facts.noTokenId;
  if (facts.conditionId === null) return reject('quote_market_missing_venue_condition_id');
  if (tokenId === null) return reject('quote_venue_missing_token');
  if (facts.status !== 'active') return reject('quote_market_not_active');
  if (facts.isSettlementDetected) return reject('risk_engine_market_settlement_detected');
  if (facts.closeAtMs !== null && snapshot.nowMs >= facts.closeAtMs) return reject('risk_engine_market_closed');
  if (facts.isVenueClosed) return reject('quote_venue_market_closed');
  if (!facts.isVenueActive) return reject('quote_venue_market_inactive');
  return facts.isAcceptingOrders ? null : reject('quote_venue_market_not_accepting_orders');
}

// What the risk table has no row for. Negative-risk markets use another collateral and exchange, so a position in them
// could not be opened at all; neither could one of the PositionManager by an order, which the vault gives no account.
function exclusionOf({ snapshot, phase, config }: QuoteContext) {
  const { subject, isNegRisk, ledger } = snapshot.facts;
  if (isNegRisk) return reject('quote_entry_excluded_market_type', { market_type: excludedTypes.negRisk });
  if (!routes[config.openingRoute].ledgers.includes(ledger)) {
    return reject('quote_entry_excluded_market_type', { market_type: ledger });
  }
  // A market that pays when a price is reached at any time, or by another rule, has no model.
  if (subject?.kind === 'crypto' && subject.settlement === 'unknown') {
    return reject('quote_entry_excluded_market_type', { market_type: excludedTypes.settlement });
  }
  if (phase === null || subject === null || phase.isEntryAllowed) return null;
  if (subject.kind === 'crypto') {
    return reject('quote_entry_excluded_market_type', { market_type: excludedTypes.cadence(subject.cadence) });
  }
  const { inPlayLines } = config.sport.rows[subject.sport];
  if (inPlayLines.length === 0) return reject('quote_entry_excluded_sport', { sport: subject.sportName });
  return inPlayLines.includes(subject.line)
    ? reject('quote_event_not_started')
    : reject('quote_entry_excluded_market_type', { market_type: subject.marketType });
}

// Near the end time is the largest risk: what opens there could not be unwound before the jump at resolution.
function windowOf({ snapshot, phase }: QuoteContext) {
  if (phase === null) return reject('quote_market_not_ready');
  // In play, the time between latest entry and hard exit has a code of its own, checked with the book's quality.
  const endMs = phase.kind === 'in_play' ? phase.hardExitAtMs : phase.latestEntryAtMs;
  return snapshot.nowMs >= endMs ? reject('quote_trading_window_closing') : null;
}

export const marketGates: readonly Gate[] = [
  {
    // A person's decision outranks everything the data says.
    name: 'operator',
    needs: 'market',
    codes: ['risk_engine_market_disabled'],
    check: ({ snapshot }) => {
      const { disabled } = snapshot.facts;
      if (disabled === null) return null;
      return reject('risk_engine_market_disabled', disabled.reason === null ? {} : { reason: disabled.reason });
    },
  },
  {
    name: 'category',
    needs: 'market',
    codes: ['quote_market_unsupported_category'],
    check: ({ snapshot }) =>
      snapshot.facts.category === 'unsupported' || snapshot.facts.subject === null
        ? reject('quote_market_unsupported_category')
        : null,
  },
  {
    name: 'lifecycle',
    needs: 'market',
    codes: [
      'quote_market_missing_venue_condition_id',
      'quote_venue_missing_token',
      'quote_market_not_active',
      'risk_engine_market_settlement_detected',
      'risk_engine_market_closed',
      'quote_venue_market_closed',
      'quote_venue_market_inactive',
      'quote_venue_market_not_accepting_orders',
    ],
    check: lifecycleOf,
  },
  {
    name: 'crypto_asset',
    needs: 'market',
    codes: ['quote_market_unsupported_crypto_asset'],
    check: ({ snapshot }) => {
      const { subject } = snapshot.facts;
      return subject?.kind === 'crypto' && !subject.isAssetSupported
        ? reject('quote_market_unsupported_crypto_asset')
        : null;
    },
  },
  {
    name: 'exclusions',
    needs: 'market',
    codes: ['quote_entry_excluded_market_type', 'quote_entry_excluded_sport', 'quote_event_not_started'],
    check: exclusionOf,
  },
  {
    name: 'trading_window',
    needs: 'market',
    codes: ['quote_market_not_ready', 'quote_trading_window_closing'],
    check: windowOf,
  },
  {
    // An almost empty market has prices and no one to sell to.
    name: 'open_interest',
    needs: 'market',
    codes: ['quote_market_not_eligible'],
    check: ({ snapshot, config }) => {
      const { openInterestUsdPips } = snapshot.facts;
      // Unknown open interest is not judged.
      const isLow =
        openInterestUsdPips !== null && compare(openInterestUsdPips, config.entry.minOpenInterestUsdPips) < 0;
      return isLow ? reject('quote_market_not_eligible') : null;
    },
  },
  {
    name: 'risk_level',
    needs: 'market',
    codes: ['quote_market_risk_too_high'],
    check: ({ snapshot }) =>
      // Fees without a published schedule cannot be quoted: the market fails closed.
      snapshot.facts.riskLevel !== 'low' || snapshot.facts.venueFee === null
        ? reject('quote_market_risk_too_high')
        : null,
  },
  {
    // Before the first book there is nothing to be stale; saying so apart lets a client wait instead of giving up. A
    // market whose debts the keeper does not see is not ready either.
    name: 'readiness',
    needs: 'market',
    codes: ['quote_market_not_ready'],
    check: ({ snapshot, token, service, config }) => {
      const isFeedMissing = snapshot.facts.category === 'crypto' && snapshot.reference === null;
      const isBookMissing = token.book === null || token.bookAgeMs === null;
      const { debtWatchAgeMs } = service;
      const isWatched = debtWatchAgeMs !== null && debtWatchAgeMs <= config.ages.maxDebtWatchAgeMs;
      return isBookMissing || isFeedMissing || !isWatched ? reject('quote_market_not_ready') : null;
    },
  },
];
