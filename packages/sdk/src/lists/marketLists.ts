import { checkName } from '../errors/inputError.ts';
import type { Market } from '../generated/resources.ts';
import type { Operations } from '../generated/routes.ts';
import type { Rest } from '../http/rest.ts';
import type { CallOptions } from '../http/transport.ts';
import { Pages } from './pages.ts';

type Query = Operations['listMarkets']['query'];

/** Filters of a market list; `event` and `series` are tickers from the `event` field of a market. */
export type MarketFilter = Omit<Query, 'starting_after' | 'ending_before'> & {
  readonly event?: string;
  readonly series?: string;
};

/** Markets: one by its ticker, or filtered lists. */
export class Markets {
  readonly #rest: Rest;

  constructor(rest: Rest) {
    this.#rest = rest;
  }

  /**
   * Read one market.
   *
   * @throws ServiceError `customer_market_not_found`, and InputError without a ticker.
   */
  async get(
    ticker: string,
    options: CallOptions & { readonly expand?: Operations['getMarket']['query']['expand'] } = {},
  ): Promise<Market> {
    checkName('ticker', ticker, 'market');
    const { expand, ...call } = options;
    return this.#rest.getMarket({ path: { ticker }, ...(expand !== undefined && { query: { expand } }), ...call });
  }

  /** List markets page by page. `query` searches title, ticker and token IDs. */
  list({ event, series, ...filter }: MarketFilter = {}, options: CallOptions = {}): Pages<Market> {
    const rest = this.#rest;
    return new Pages({
      cursorOf: ({ ticker }) => ticker,
      read: (after) => {
        const query = { ...filter, ...(after !== null && { starting_after: after }) };
        if (event !== undefined) return rest.listEventMarkets({ path: { event_ticker: event }, query, ...options });
        if (series !== undefined) return rest.listSeriesMarkets({ path: { series_ticker: series }, query, ...options });
        return rest.listMarkets({ query, ...options });
      },
    });
  }
}
