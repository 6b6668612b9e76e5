import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PolicyConfig } from '@core/policy';
import { isMarketEvent, type MarketEventRecord, type OutboxRecord, type PartnerStore, payloadOf } from '@core/store';
import { LRUCache } from 'lru-cache';
import { passes } from '../http/respond.ts';
import type { OnPoison } from '../http/soundOnes.ts';
import type { ListedView, MarketBoard } from '../markets/marketBoard.ts';
import type { MarketDirectory } from '../markets/marketDirectory.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import { eventBodyOf, type FindMarket, marketDataOf, notificationDataOf, positionDataOf } from './eventBody.ts';
import { MarketWindow } from './marketWindow.ts';

export interface DispatchOptions {
  readonly connections: Connections;
  readonly markets: Pick<MarketDirectory, 'remembered' | 'find' | 'refresh'>;
  readonly board: Pick<MarketBoard, 'viewsOf'>;
  /** Asked at each market event: terms change while a connection is open. */
  readonly partners: Pick<PartnerStore, 'byId'>;
  readonly policy: PolicyConfig;
  readonly idNamespace: string;
  /**
   * Called for a removed position: its clients must read a new snapshot, because no event takes back what they
   * received.
   */
  readonly onRemoved: (connections: readonly Connection[], record: OutboxRecord) => void;
  readonly onSent: (count: number) => void;
  readonly onFailure: (cause: unknown) => void;
  readonly onPoison: OnPoison;
}

/** Connections served before the event loop continues. */
const sliceSize = 500;
/** Encoded events of positions that are kept for those who come back. */
const keptBodies = 4_000;

/** Brings each event to its connections: presented and encoded once, not once per connection, in replays too. */
export class EventDispatch {
  readonly #options: DispatchOptions;
  readonly #window: MarketWindow;
  /** By event. */
  readonly #bodies = new LRUCache<string, Buffer>({ max: keptBodies });
  /** By what a partner sees of a market, then by event: gone together with the view. */
  readonly #marketBodies = new WeakMap<ListedView, Map<string, Buffer>>();

  constructor(options: DispatchOptions) {
    this.#options = options;
    this.#window = new MarketWindow((records) => this.#sendMarkets(records), options.onFailure);
  }

  async dispatch(record: OutboxRecord): Promise<void> {
    const targets = this.#options.connections.targetsOf(record);
    if (targets.length === 0) return;
    if (isMarketEvent(record)) this.#window.add(record);
    else if (record.type === 'position.removed') this.#options.onRemoved(targets, record);
    else {
      // A new event waits for no query: one that fails would lose it.
      const findMarket: FindMarket = (ticker) => Promise.resolve(this.#options.markets.remembered(ticker));
      await this.#send(record, targets, await this.bodyOf(record, findMarket));
    }
  }

  /** The frame of an event that is the same for everyone who gets it. */
  async bodyOf(
    record: Exclude<OutboxRecord, MarketEventRecord>,
    findMarket: FindMarket = (ticker) => this.#options.markets.find(ticker),
  ): Promise<Buffer> {
    const cached = this.#bodies.get(record.id);
    if (cached !== undefined) return cached;
    const { policy, idNamespace } = this.#options;
    const data =
      record.type === 'notification'
        ? notificationDataOf(record, idNamespace)
        : await positionDataOf(record, { findMarket, policy, idNamespace });
    const body = eventBodyOf(record, data);
    this.#bodies.set(record.id, body);
    return body;
  }

  /** Return the frame of a market's event as the connection's partner sees it; null for a market that is not listed. */
  async marketBodyOf(record: MarketEventRecord, { caller }: Connection): Promise<Buffer | null> {
    const { markets, board, partners } = this.#options;
    const partner = await partners.byId(caller.partner.id);
    if (partner === null) return null;
    const { ticker, version } = payloadOf(record);
    let market = await markets.find(ticker);
    if (market === null || market.record.version < version) {
      await markets.refresh();
      market = await markets.find(ticker);
    }
    if (market === null) return null;
    for await (const view of board.viewsOf(partner, [market.record])) return this.#viewBodyOf(record, view);
    return null;
  }

  close(): Promise<void> {
    return this.#window.close();
  }

  #viewBodyOf(record: MarketEventRecord, view: ListedView): Buffer {
    const bodies = this.#marketBodies.get(view) ?? new Map<string, Buffer>();
    const body = bodies.get(record.id) ?? eventBodyOf(record, marketDataOf(record, view.wire));
    this.#marketBodies.set(view, bodies.set(record.id, body));
    return body;
  }

  async #sendMarkets(records: readonly MarketEventRecord[]): Promise<void> {
    const bodies = await this.#marketBodiesOf(records);
    for (const record of records) {
      for (const [partnerId, group] of this.#marketGroups()) {
        const body = bodies.get(partnerId)?.get(record) ?? null;
        if (body !== null) await this.#send(record, group, body);
      }
    }
  }

  /**
   * By partner, the frame of each event. All are made before the first is sent, so that a database that fails meanwhile
   * leaves all of them for later; and until no partner is without, because one may connect meanwhile.
   */
  async #marketBodiesOf(
    records: readonly MarketEventRecord[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<MarketEventRecord, Buffer | null>>> {
    const bodies = new Map<string, Map<MarketEventRecord, Buffer | null>>();
    for (;;) {
      const missing = [...this.#marketGroups()].filter(([partnerId]) => !bodies.has(partnerId));
      if (missing.length === 0) return bodies;
      for (const [partnerId, [first]] of missing) {
        const own = new Map<MarketEventRecord, Buffer | null>();
        if (first !== undefined) for (const record of records) own.set(record, await this.#soundBodyOf(record, first));
        bodies.set(partnerId, own);
      }
    }
  }

  /** The frame of a market's event; null for one that cannot be presented. @throws when the database is away. */
  async #soundBodyOf(record: MarketEventRecord, connection: Connection): Promise<Buffer | null> {
    try {
      return await this.marketBodyOf(record, connection);
    } catch (cause) {
      if (passes(cause)) throw cause;
      this.#options.onPoison(record, cause);
      return null;
    }
  }

  #marketGroups(): ReadonlyMap<string, readonly Connection[]> {
    return Map.groupBy(this.#options.connections.of({ kind: 'markets' }), ({ caller }) => caller.partner.id);
  }

  async #send(record: OutboxRecord, targets: readonly Connection[], body: Buffer): Promise<void> {
    for (let start = 0; start < targets.length; start += sliceSize) {
      if (start > 0) await nextTurn();
      for (const connection of targets.slice(start, start + sliceSize)) connection.deliver(record, body);
    }
    this.#options.onSent(targets.length);
  }
}
