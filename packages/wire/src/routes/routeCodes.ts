import { type ErrorCode, errorCodes, errorTable } from '@core/errors';

/** Codes any route may answer with. */
export const everyRouteCodes: readonly ErrorCode[] = ['invalid_request', 'too_many_requests', 'internal_server_error'];

const countClause = 'Errors, Quote codes, Position-count limits';
const capitalClause = 'Errors, Quote codes, Borrowed-capital limits';

/** Every code of the quote pipeline, by the clauses of the specification. */
export const quoteCodes: readonly ErrorCode[] = [
  'customer_market_not_found',
  ...errorCodes.filter((code) => {
    const { clause } = errorTable[code];
    return clause.startsWith('Errors, Quote codes') || clause.startsWith('Endpoints, Quotes, Quote revision');
  }),
];

/** Drafts reserve nothing: no limit and no capacity code (specification, Endpoints, Quotes). */
export const draftCodes: readonly ErrorCode[] = quoteCodes.filter((code) => {
  const { clause } = errorTable[code];
  return clause !== countClause && clause !== capitalClause && code !== 'quote_side_capacity_exceeded';
});

/** A fee report validates like a quote, without eligibility and without limits. */
export const feeReportCodes: readonly ErrorCode[] = [
  'customer_market_not_found',
  'quote_leverage_below_minimum',
  'quote_leverage_exceeds_maximum',
  'quote_leverage_exceeds_collateral_floor',
  'quote_notional_below_minimum',
  'quote_market_not_ready',
  'notional_selector_empty_order_book',
];

/** Codes of a POST that honours an Idempotency-Key. */
export const idempotentCodes: readonly ErrorCode[] = ['idempotency_key_reused', 'request_already_in_progress'];
