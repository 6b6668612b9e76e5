import type { DraftQuote, FeeReport, FeeReportRequest, Quote, QuoteRequest } from '../generated/resources.ts';
import type { Rest } from '../http/rest.ts';
import type { CallOptions } from '../http/transport.ts';
import { type QuoteOrder, quoteRequestOf } from './quoteOrder.ts';

/** An order in the words of this client, or the body of the interface itself, such as `suggested` of an error. */
export type AnyQuoteOrder = QuoteOrder | QuoteRequest;

const bodyOf = (order: AnyQuoteOrder): QuoteRequest => ('market_ticker' in order ? order : quoteRequestOf(order));

/**
 * Drafts and quotes. All of one wallet share the limit of one a second: calls wait for their turn here. Every quote
 * comes with its opening transaction, its gain and the basis of its figures.
 */
export class Quotes {
  readonly #rest: Rest;

  constructor(rest: Rest) {
    this.#rest = rest;
  }

  /** All figures, without reservation and signature. @throws ServiceError with a quote code. */
  async draft(order: AnyQuoteOrder, options: CallOptions = {}): Promise<DraftQuote> {
    return this.#rest.createDraftQuote({ body: bodyOf(order), query: { expand: ['max_gain', 'basis'] }, ...options });
  }

  /** A signed quote that can open a position until it expires. @throws ServiceError with a quote code. */
  async create(order: AnyQuoteOrder, options: CallOptions = {}): Promise<Quote> {
    return this.#rest.createQuote({
      body: bodyOf(order),
      query: { expand: ['max_gain', 'transaction', 'basis'] },
      ...options,
    });
  }

  /** A signed quote from a draft. @throws ServiceError `not_found`, or a quote code when conditions have changed. */
  async promote(draft: DraftQuote | string, options: CallOptions = {}): Promise<Quote> {
    const id = typeof draft === 'string' ? draft : draft.id;
    return this.#rest.promoteDraftQuote({
      path: { draft_quote_id: id },
      query: { expand: ['max_gain', 'transaction', 'basis'] },
      ...options,
    });
  }

  /** All fees of a size and leverage; creates no quote and does not count against the limit of quotes. */
  feeReport(request: FeeReportRequest, options: CallOptions = {}): Promise<FeeReport> {
    return this.#rest.createFeeReport({ body: request, ...options });
  }
}
