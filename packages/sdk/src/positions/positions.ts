import type { ChainSource } from '../chain/rpc.ts';
import { isHash } from '../chain/wallet.ts';
import { checkName, InputError } from '../errors/inputError.ts';
import type { PartialClose, Position, PositionTransactions } from '../generated/resources.ts';
import type { Operations } from '../generated/routes.ts';
import type { Rest } from '../http/rest.ts';
import type { CallOptions } from '../http/transport.ts';
import { Pages } from '../lists/pages.ts';
import { type ActionHost, PositionActions } from './positionActions.ts';
import { keyOf } from './positionRef.ts';

/** Dependencies of positions. */
export type PositionsHost = Omit<ActionHost, 'byKey' | 'isListed'>;

type Query = Operations['listPositions']['query'];

/** Filters of a position list; at most one of `market`, `event` and `series`, each a ticker. */
export type PositionFilter = Omit<Query, 'starting_after' | 'ending_before' | 'ticker' | 'venue_token_id'> & {
  readonly market?: string;
  readonly event?: string;
  readonly series?: string;
};

/** Number of newest positions that are searched for one that was just opened. */
const newestCount = 20;

type Expansion = { readonly expand?: Operations['getPosition']['query']['expand'] };

/** Positions of the user: lists, queries, and actions on chain. */
export class Positions extends PositionActions {
  readonly #rest: Rest;
  readonly #host: PositionsHost;

  constructor(rest: Rest, host: PositionsHost) {
    super({ ...host, byKey: (key, options) => this.byKey(key, options), isListed: (key) => this.#isListed(key) });
    this.#rest = rest;
    this.#host = host;
  }

  /**
   * Read one position.
   *
   * @throws ServiceError `customer_position_not_found`, and InputError without an ID.
   */
  async get(id: string, { expand, ...options }: CallOptions & Expansion = {}): Promise<Position> {
    checkName('id', id, 'position');
    return this.#rest.getPosition({
      path: { position_id: id },
      ...(expand !== undefined && { query: { expand } }),
      ...options,
    });
  }

  /** List positions page by page, newest first by default. */
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

  /**
   * Find the position of an `on_chain_position_key`; null while the service does not know it.
   *
   * @throws InputError for anything but a key of 32 bytes.
   */
  async byKey(key: string, { expand, ...options }: CallOptions & Expansion = {}): Promise<Position | null> {
    const lowerKey = keyOf(key);
    for await (const position of this.list({ limit: 100, ...(expand !== undefined && { expand }) }, options)) {
      if (position.on_chain_position_key === lowerKey) return position;
    }
    return null;
  }

  async #isListed(key: string): Promise<boolean> {
    const { data } = await this.list({ limit: newestCount }).firstPage();
    return data.some(({ on_chain_position_key: listed }) => listed === key);
  }

  /**
   * Find the position of a transaction; null when it concerns none, or the service does not know it.
   *
   * @throws InputError for anything but the hash of a transaction.
   */
  async byTransaction(hash: string, source: ChainSource | undefined = this.#host.chain): Promise<Position | null> {
    if (!isHash(hash)) throw new InputError('hash', hash, '`hash` must be the hash of a transaction.');
    const { rpcOf, sourceOf } = await import('../chain/rpc.ts');
    const receipt = await rpcOf(sourceOf(source), this.#host.surroundings)('eth_getTransactionReceipt', [hash]);
    if (receipt === null) return null;
    const { positionKeysOf } = await import('../chain/vaultCalls.ts');
    const { polygon_vault_contract_address: vault } = await this.#host.contractInfo();
    const [key] = positionKeysOf(receipt, vault);
    return key === undefined ? null : this.byKey(key);
  }

  /**
   * Read the final transactions in nine groups.
   *
   * @throws ServiceError `customer_position_transactions_not_found`.
   */
  transactions(id: string, options: CallOptions = {}): Promise<PositionTransactions> {
    return this.#rest.getPositionTransactions({ path: { position_id: id }, ...options });
  }

  /** List executed partial closes in order of time. */
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
