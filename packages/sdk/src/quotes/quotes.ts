import { checkName } from '../errors/inputError.ts';
import type { DraftQuote, FeeReport, FeeReportRequest, Quote } from '../generated/resources.ts';
import type { Rest } from '../http/rest.ts';
import type { CallOptions } from '../http/transport.ts';
import { type AnyQuoteOrder, quoteRequestOf } from './quoteOrder.ts';

/**
 * Drafts and quotes. All calls of one wallet share the limit of one per second and queue here. Every quote includes its
 * opening transaction, its gain and the basis of its figures.
 */
export class Quotes {
  readonly #rest: Rest;

  constructor(rest: Rest) {
    this.#rest = rest;
  }

  /**
   * Compute all figures without reservation and signature.
   *
   * @throws ServiceError with a quote code.
   */
  async draft(order: AnyQuoteOrder, options: CallOptions = {}): Promise<DraftQuote> {
    return this.#rest.createDraftQuote({
      body: quoteRequestOf(order),
      query: { expand: ['max_gain', 'basis'] },
      ...options,
    });
  }

  /**
   * Create a signed quote that can open a position until it expires.
   *
   * @throws ServiceError with a quote code.
   */
  async create(order: AnyQuoteOrder, options: CallOptions = {}): Promise<Quote> {
    return this.#rest.createQuote({
      body: quoteRequestOf(order),
      query: { expand: ['max_gain', 'transaction', 'basis'] },
      ...options,
    });
  }

  /**
   * Promote a draft to a signed quote.
   *
   * @throws ServiceError `not_found`, or a quote code when conditions have changed; InputError without a draft.
   */
  async promote(draft: DraftQuote | string, options: CallOptions = {}): Promise<Quote> {
    const id = typeof draft === 'string' ? draft : Object(draft).id;
    checkName('draft', id, 'draft');
    return this.#rest.promoteDraftQuote({
      path: { draft_quote_id: id },
      query: { expand: ['max_gain', 'transaction', 'basis'] },
      ...options,
    });
  }

  /** Compute all fees of a size and leverage; creates no quote and does not count against the limit of quotes. */
  feeReport(request: FeeReportRequest, options: CallOptions = {}): Promise<FeeReport> {
    return this.#rest.createFeeReport({ body: request, ...options });
  }
}
