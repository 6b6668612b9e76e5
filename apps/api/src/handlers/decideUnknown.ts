import { type ErrorCode, isRejection, type Rejection, reject } from '@core/errors';
import { decideQuote, type PartnerTerms, type QuoteRequest, quoteGates, unknownMarketOf } from '@core/policy';
import { serviceSnapshotOf } from '../observe/serviceSnapshot.ts';
import type { Service } from '../service.ts';

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
export function refuseUnknownMarket(
  parts: Pick<Service, 'config' | 'keeper' | 'contract'>,
  quote: {
    readonly ticker: string;
    readonly request: QuoteRequest;
    readonly terms: PartnerTerms;
    readonly nowMs: number;
  },
): Rejection {
  const { request, terms, nowMs } = quote;
  const snapshot = unknownMarketOf(quote.ticker, nowMs);
  const service = serviceSnapshotOf(parts, nowMs);
  const { contract } = parts;
  const decided = decideQuote({ kind: 'draft', request, snapshot, terms, usage: null, service, contract });
  return isRejection(decided) && earlierCodes.has(decided.code) ? decided : reject('customer_market_not_found');
}
