import { setImmediate as nextTurn } from 'node:timers/promises';
import { marketPricesOf, type PolicyConfig } from '@core/policy';
import type { Clock } from '@core/runtime';
import { isoTimeOf, nullableMoney, type ServerFrame, socketLimits } from '@core/wire';
import type { OnPoison } from '../http/soundOnes.ts';
import type { MarketBooks, MarketDirectory, ObservedMarket } from '../markets/marketDirectory.ts';
import { presentPrices } from '../markets/presentMarket.ts';
import { shownMarkOf } from '../positions/presentPosition.ts';
import type { Connection } from './connection.ts';

type PricesFrame = Extract<ServerFrame, { readonly frame: 'prices' }>;
type MarketEntry = PricesFrame['markets'][number];

export interface FollowedPricesOptions {
  readonly markets: Pick<MarketDirectory, 'recordOf' | 'observe' | 'booksOf'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly config: PolicyConfig;
  /** Called once for each record of a market whose prices cannot be presented: it is left out. */
  readonly onPoison: OnPoison;
}

/** Prices of a market as last presented, with the objects they were read from. */
interface PresentedPrices {
  readonly record: ObservedMarket['record'];
  readonly books: MarketBooks;
  readonly entry: MarketEntry;
  readonly text: string;
}

/** Markets that a connection follows, and those among them that it has no prices of yet. */
interface Following {
  readonly tickers: readonly string[];
  readonly isNew: Set<string>;
}

/** Connections served before other work runs. */
const sliceSize = 500;

/**
 * Sends each connection the prices of the markets it follows: at once, when they change, and from time to time. A
 * market is presented once for all its followers, and only when its books or its record have changed.
 */
export class FollowedPrices {
  readonly #options: FollowedPricesOptions;
  readonly #following = new Map<Connection, Following>();
  /** By ticker; only of markets that someone follows. */
  #presented = new Map<string, PresentedPrices>();
  readonly #unreadable = new WeakSet<ObservedMarket['record']>();
  #repeatedAtMs = -Infinity;

  constructor(options: FollowedPricesOptions) {
    this.#options = options;
  }

  /** Replace the markets that a connection follows. Unknown and final ones are ignored. */
  follow(connection: Connection, tickers: readonly string[]): void {
    const unique = [...new Set(tickers)];
    if (unique.length === 0) this.#following.delete(connection);
    else this.#following.set(connection, { tickers: unique, isNew: new Set(unique) });
  }

  forget(connection: Connection): void {
    this.#following.delete(connection);
  }

  /**
   * Send what is due.
   * @param runningMs time of the process's own clock, which no one sets.
   */
  async send(runningMs: number): Promise<void> {
    const isRepeat = runningMs - this.#repeatedAtMs >= socketLimits.pricesRepeatMs;
    if (isRepeat) this.#repeatedAtMs = runningMs;
    const before = this.#presented;
    const presented = new Map<string, PresentedPrices>();
    this.#presented = presented;
    const presentedOf = (ticker: string): PresentedPrices | null => {
      const cached = presented.get(ticker);
      if (cached !== undefined) return cached;
      const fresh = this.#present(ticker, isRepeat ? undefined : before.get(ticker));
      if (fresh !== null) presented.set(ticker, fresh);
      return fresh;
    };
    let servedCount = 0;
    for (const [connection, { tickers, isNew }] of this.#following) {
      const markets: MarketEntry[] = [];
      for (const ticker of tickers) {
        const market = presentedOf(ticker);
        if (market === null) continue;
        const isChanged = market.text !== before.get(ticker)?.text;
        if (isRepeat || isNew.delete(ticker) || isChanged) markets.push(market.entry);
      }
      if (markets.length > 0) {
        connection.sendFrame({ frame: 'prices', at: isoTimeOf(this.#options.clock.nowMs()), markets });
      }
      servedCount += 1;
      if (servedCount % sliceSize === 0) await nextTurn();
    }
  }

  /**
   * Present a market again when its books or its record are other objects than before; null when it is not listed or
   * cannot be presented.
   */
  #present(ticker: string, before: PresentedPrices | undefined): PresentedPrices | null {
    const { markets, onPoison } = this.#options;
    const record = markets.recordOf(ticker);
    if (record === null) return null;
    try {
      return this.#presentRecord(record, before);
    } catch (cause) {
      if (!this.#unreadable.has(record)) onPoison(record, cause);
      this.#unreadable.add(record);
      return null;
    }
  }

  #presentRecord(record: ObservedMarket['record'], before: PresentedPrices | undefined): PresentedPrices {
    const { markets, config } = this.#options;
    const { ticker } = record;
    const books = markets.booksOf(record);
    const isSame =
      before?.record === record && before.books.yes.book === books.yes.book && before.books.no.book === books.no.book;
    if (isSame) return before;
    const { snapshot } = markets.observe(record);
    const entry = {
      ticker,
      prices: snapshot === null ? null : presentPrices(marketPricesOf(snapshot, config)),
      ...nullableMoney('yes_mark_price', shownMarkOf({ record, snapshot }, 'yes')),
      ...nullableMoney('no_mark_price', shownMarkOf({ record, snapshot }, 'no')),
    };
    return { record, books, entry, text: JSON.stringify(entry) };
  }
}
