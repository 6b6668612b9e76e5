import type { PricePips } from '@core/pricing';
import { z } from 'zod';
import { isVenueFault } from '../port/venueFault.ts';
import { decimalText, wholeNumber } from '../schema/wireTypes.ts';
import { toPricePipsDown } from '../text/decimal.ts';
import { type HttpTransport, requestJson, type TransportOptions, transportOf } from './httpRequest.ts';
import { read } from './readAnswer.ts';

/** Price of a token at one moment. */
export interface PastPrice {
  readonly atMs: number;
  readonly pricePips: PricePips;
}

/** Span of a price history up to now, in the venue's names. */
export interface PriceHistoryQuery {
  readonly interval: '1h' | '6h' | '1d' | '1w' | 'max';
  /** Interval of points in minutes. The venue refuses fine points over long spans. */
  readonly fidelityMinutes: number;
}

const historySchema = z.looseObject({ history: z.array(z.unknown()) });
const pointSchema = z.looseObject({ t: wholeNumber, p: decimalText });

/** Past prices of tokens over HTTP, for a real venue and for the simulator. */
export class HttpPriceHistory {
  readonly #url: string;
  readonly #transport: HttpTransport;

  /** @param options `url` is the origin of books. */
  constructor(options: TransportOptions & { readonly url: string }) {
    this.#url = options.url;
    this.#transport = transportOf(options);
  }

  /**
   * Read the past prices of a token, oldest first, each rounded down to a pip. Points outside 0 to 1 USD, and those
   * that cannot be read, are left out.
   * A token without history has none.
   * @throws VenueFault only.
   */
  async pastPrices(tokenId: string, { interval, fidelityMinutes }: PriceHistoryQuery): Promise<readonly PastPrice[]> {
    const path = '/prices-history';
    const search = new URLSearchParams({ market: tokenId, interval, fidelity: String(fidelityMinutes) });
    const request = { url: `${this.#url}${path}?${search}`, path, method: 'GET', group: 'books' } as const;
    try {
      return await requestJson(request, this.#transport, ({ body }) => pastPricesOf(read(historySchema, body)));
    } catch (error) {
      if (isVenueFault(error) && (error.code === 'not_found' || error.code === 'book_not_found')) return [];
      throw error;
    }
  }
}

function pastPricesOf({ history }: z.output<typeof historySchema>): readonly PastPrice[] {
  return history
    .flatMap((wire) => {
      const point = pointSchema.safeParse(wire).data;
      const pricePips = point === undefined ? null : toPricePipsDown(point.p);
      return point === undefined || pricePips === null ? [] : [{ atMs: point.t * 1_000, pricePips }];
    })
    .toSorted((left, right) => left.atMs - right.atMs);
}
