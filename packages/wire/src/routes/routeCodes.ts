import { codesOfGroups, type ErrorCode } from '@core/errors';

/** Codes of every route. */
export const everyRouteCodes = codesOfGroups('everyRoute');

/** Codes of a POST that honours an Idempotency-Key. */
export const idempotentCodes = codesOfGroups('idempotency');

const unreservedGroups = ['eligibility', 'size', 'quality', 'partialOpen', 'otherQuote', 'revision'] as const;

/**
 * Codes of a draft. It reserves nothing, so no limit and no capacity code applies (specification, Endpoints, Quotes).
 */
export const draftCodes: readonly ErrorCode[] = ['customer_market_not_found', ...codesOfGroups(...unreservedGroups)];

/** Codes of the quote pipeline. */
export const quoteCodes: readonly ErrorCode[] = [
  'customer_market_not_found',
  ...codesOfGroups(...unreservedGroups, 'capacity', 'positionLimit', 'capitalLimit'),
];

/** Codes of a fee report. It validates like a quote, without eligibility and limits. */
export const feeReportCodes: readonly ErrorCode[] = [
  'customer_market_not_found',
  'quote_leverage_below_minimum',
  'quote_leverage_exceeds_maximum',
  'quote_leverage_exceeds_collateral_floor',
  'quote_notional_below_minimum',
  'quote_market_not_ready',
  'notional_selector_empty_order_book',
];
