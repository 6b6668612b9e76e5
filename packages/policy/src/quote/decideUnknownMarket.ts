import { type ErrorCode, isRejection, type Rejection, reject } from '@core/errors';
import { unknownMarketOf } from '@core/market';
import { decideQuote, type QuoteDecisionInputs } from './decideQuote.ts';
import { quoteGates } from './gates.ts';

/** Codes of the gates before the market's: switches, wallet form, partial-open parameters. */
const earlierCodes: ReadonlySet<ErrorCode> = new Set(
  quoteGates
    .slice(
      0,
      quoteGates.findIndex(({ needs }) => needs === 'market'),
    )
    .flatMap(({ codes }) => codes),
);

/** The refusal of a quote on a ticker that is not listed: an earlier gate's code where one applies, else not found. */
export function decideUnknownMarket(
  question: Omit<QuoteDecisionInputs, 'kind' | 'snapshot' | 'usage'>,
  { ticker, nowMs }: { readonly ticker: string; readonly nowMs: number },
): Rejection {
  const snapshot = unknownMarketOf(ticker, nowMs);
  const decided = decideQuote({ ...question, kind: 'draft', snapshot, usage: null });
  return isRejection(decided) && earlierCodes.has(decided.code) ? decided : reject('customer_market_not_found');
}
