import { type ChainSource, rpcOf } from '../chain/rpc.ts';
import type { PartialClose, Position, PositionTransactions } from '../generated/resources.ts';
import type { Operations } from '../generated/routes.ts';
import type { Rest } from '../http/rest.ts';
import type { CallOptions } from '../http/transport.ts';
import { Pages } from '../lists/pages.ts';
import { type ActionHost, PositionActions } from './positionActions.ts';

/** What positions need of their client. */
export type PositionsHost = Omit<ActionHost, 'byKey'>;

type Query = Operations['listPositions']['query'];

/** Filters of a position list; at most one of `market`, `event` and `series`, each a ticker. */
export type PositionFilter = Omit<Query, 'starting_after' | 'ending_before' | 'ticker' | 'venue_token_id'> & {
  readonly market?: string;
  readonly event?: string;
  readonly series?: string;
};

type Expansion = { readonly expand?: Operations['getPosition']['query']['expand'] };

/** Positions of the user: lists, look-ups, and what is done to them on chain. */
export class Positions extends PositionActions {
  readonly #rest: Rest;
  readonly #host: PositionsHost;

  constructor(rest: Rest, host: PositionsHost) {
    super({ ...host, byKey: (key) => this.byKey(key) });
    this.#rest = rest;
    this.#host = host;
  }

  /** @throws ServiceError `customer_position_not_found`. */
  get(id: string, { expand, ...options }: CallOptions & Expansion = {}): Promise<Position> {
    return this.#rest.getPosition({
      path: { position_id: id },
      ...(expand !== undefined && { query: { expand } }),
      ...options,
    });
  }

  /** Positions page by page, the newest first where nothing else is asked. */
  list({ market, event, series, ...filter }: PositionFilter = {}, options: CallOptions = {}): Pages<Position> {
    const rest = this.#rest;
    return new Pages({
      cursorOf: ({ id }) => id,
      read: (after) => {
        const query = { ...filter, ...(after !== null && { starting_after: after }) };
        if (market !== undefined) return rest.listMarketPositions({ path: { ticker: market }, query, ...options });
        if (event !== undefined) return rest.listEventPositions({ path: { event_ticker: event }, query, ...options });
        if (series !== undefined) {
          return rest.listSeriesPositions({ path: { series_ticker: series }, query, ...options });
        }
        return rest.listPositions({ query, ...options });
      },
    });
  }

  /** The position of an `on_chain_position_key`; null while the service has not seen it. */
  async byKey(key: string, { expand, ...options }: CallOptions & Expansion = {}): Promise<Position | null> {
    const wanted = key.toLowerCase();
    for await (const position of this.list({ limit: 100, ...(expand !== undefined && { expand }) }, options)) {
      if (position.on_chain_position_key === wanted) return position;
    }
    return null;
  }

  /** The position that a transaction is about; null when it is about none, or the service has not seen it. */
  async byTransaction(hash: string, source: ChainSource | undefined = this.#host.chain): Promise<Position | null> {
    if (source === undefined) throw new TypeError('give a node or a reader as `chain` of the client, or here');
    const receipt = await rpcOf(source, this.#host.surroundings)('eth_getTransactionReceipt', [hash]);
    if (receipt === null) return null;
    const { positionKeysOf } = await import('../chain/vaultCalls.ts');
    const { polygon_vault_contract_address: vault } = await this.#host.contractInfo();
    const [key] = positionKeysOf(receipt, vault);
    return key === undefined ? null : this.byKey(key);
  }

  /** Final transactions in nine groups. @throws ServiceError `customer_position_transactions_not_found`. */
  transactions(id: string, options: CallOptions = {}): Promise<PositionTransactions> {
    return this.#rest.getPositionTransactions({ path: { position_id: id }, ...options });
  }

  /** Executed partial closes in order of time. */
  partialCloses(id: string, options: CallOptions = {}): Pages<PartialClose> {
    return new Pages({
      cursorOf: ({ executed_at }) => executed_at,
      read: (after) =>
        this.#rest.listPartialCloses({
          path: { position_id: id },
          query: after === null ? {} : { starting_after: after },
          ...options,
        }),
    });
  }
}
