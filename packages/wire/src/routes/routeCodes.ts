import { codesOfGroups, type ErrorCode } from '@core/errors';

/** Codes any route may answer with. */
export const everyRouteCodes = codesOfGroups('everyRoute');

/** Codes of a POST that honours an Idempotency-Key. */
export const idempotentCodes = codesOfGroups('idempotency');

const unreservedGroups = ['eligibility', 'size', 'quality', 'partialOpen', 'otherQuote', 'revision'] as const;

/** Drafts reserve nothing: no limit and no capacity code (specification, Endpoints, Quotes). */
export const draftCodes: readonly ErrorCode[] = ['customer_market_not_found', ...codesOfGroups(...unreservedGroups)];

/** Every code of the quote pipeline. */
export const quoteCodes: readonly ErrorCode[] = [
  'customer_market_not_found',
  ...codesOfGroups(...unreservedGroups, 'capacity', 'positionLimit', 'capitalLimit'),
];

/** A fee report validates like a quote, without eligibility and without limits: codes of several groups. */
export const feeReportCodes: readonly ErrorCode[] = [
  'customer_market_not_found',
  'quote_leverage_below_minimum',
  'quote_leverage_exceeds_maximum',
  'quote_leverage_exceeds_collateral_floor',
  'quote_notional_below_minimum',
  'quote_market_not_ready',
  'notional_selector_empty_order_book',
];
