import { type ErrorCode, isRejection, type Rejection, reject } from '@core/errors';
import {
  decideQuote,
  type PartnerTerms,
  type QuoteRequest,
  quoteGates,
  type ServiceSnapshot,
  unknownMarketOf,
} from '@core/policy';

/** Codes of the gates that stand before the market's: switches, wallet form, partial-open parameters. */
const earlierCodes: ReadonlySet<ErrorCode> = new Set(
  quoteGates
    .slice(
      0,
      quoteGates.findIndex(({ needs }) => needs === 'market'),
    )
    .flatMap(({ codes }) => codes),
);

/** The refusal of a quote on a ticker nobody knows: an earlier gate's code where one applies, else not found. */
export function refuseUnknownMarket(quote: {
  readonly ticker: string;
  readonly request: QuoteRequest;
  readonly terms: PartnerTerms;
  readonly service: ServiceSnapshot;
  readonly nowMs: number;
}): Rejection {
  const { request, terms, service } = quote;
  const snapshot = unknownMarketOf(quote.ticker, quote.nowMs);
  const decided = decideQuote({ kind: 'draft', request, snapshot, terms, usage: null, service });
  return isRejection(decided) && earlierCodes.has(decided.code) ? decided : reject('customer_market_not_found');
}
