import { marketProtocols, type VenueMarket } from '@core/market';
import type { FillBooks } from '@core/policy';
import { midPriceOf, type OrderBook, type PricePips } from '@core/pricing';
import type { VenueClient } from '@core/venue';
import type { Hex } from 'viem';
import type { TradedMarket } from '../journal/journalLines.ts';

/** Market with what the filler needs of it. */
export interface FillerMarket extends TradedMarket {
  readonly tickPricePips: PricePips;
  readonly feeSchedule: FillBooks['feeSchedule'];
}

/** Books of a market at one moment. */
export interface MarketBooksNow {
  readonly market: FillerMarket;
  readonly yes: OrderBook;
  readonly no: OrderBook;
}

/** Return the books of a market with those of one of its tokens first. */
export function booksOfToken({ market, yes, no }: MarketBooksNow, tokenId: bigint): FillBooks {
  const { feeSchedule } = market;
  return tokenId === market.yesTokenId
    ? { token: yes, complement: no, feeSchedule }
    : { token: no, complement: yes, feeSchedule };
}

/** Time for which a record of the catalogue is used: ticks change near 0 and 1. */
const recordAgeMs = 60_000;
/** Time for which books are used for further decisions. */
const booksAgeMs = 400;

interface Dated<Value> {
  readonly atMs: number;
  readonly value: Promise<Value>;
}

/**
 * Markets and books of the venue, read when a decision needs them: an answer is used for 0.4 s. A market whose books
 * are missing or damaged is not traded on.
 */
export class MarketBooks {
  readonly #venue: VenueClient;
  readonly #hasManaged: boolean;
  readonly #markets = new Map<Hex, Dated<FillerMarket | null>>();
  readonly #books = new Map<Hex, Dated<MarketBooksNow | null>>();
  readonly #mids = new Map<string, PricePips>();

  /** @param hasManaged True to trade in markets of the PositionManager too. */
  constructor(venue: VenueClient, hasManaged: boolean) {
    this.#venue = venue;
    this.#hasManaged = hasManaged;
  }

  /**
   * Return the books of a market; null for one that cannot be traded, or without a book.
   * @throws VenueFault when the venue does not answer.
   */
  async of(conditionId: Hex): Promise<MarketBooksNow | null> {
    const market = await this.#market(conditionId);
    return market === null
      ? null
      : recent(this.#books, { key: conditionId, ageMs: booksAgeMs }, () => this.#readBooks(market));
  }

  /** Return the last middle that the book of a token had while it had both sides; null before the first. */
  midOf(tokenId: bigint): PricePips | null {
    return this.#mids.get(String(tokenId)) ?? null;
  }

  /** Return a market; null for one that cannot be traded: unknown, without fees, of another ledger or negative risk. */
  #market(conditionId: Hex): Promise<FillerMarket | null> {
    return recent(this.#markets, { key: conditionId, ageMs: recordAgeMs }, async () => {
      const { markets } = await this.#venue.cataloguePage({ limit: 1, conditionIds: [conditionId] });
      const record = markets.find((market) => market.conditionId === conditionId);
      return record === undefined ? null : marketOf(record, { conditionId, hasManaged: this.#hasManaged });
    });
  }

  async #readBooks(market: FillerMarket): Promise<MarketBooksNow | null> {
    const ids = [market.yesTokenId, market.noTokenId].map(String);
    const books = await this.#venue.books(ids);
    const [yes, no] = ids.map((id) => books.find(({ tokenId }) => tokenId === id));
    if (yes === undefined || no === undefined) return null;
    for (const book of [yes, no]) {
      const mid = midPriceOf(book);
      if (mid !== null) this.#mids.set(book.tokenId, mid);
    }
    return { market, yes, no };
  }
}

function marketOf(
  record: VenueMarket,
  { conditionId, hasManaged }: { readonly conditionId: Hex; readonly hasManaged: boolean },
): FillerMarket | null {
  const { version, isNegRisk, tokenIds, venueFeeSchedule, isAcceptingOrders, tickPricePips } = record;
  const isOnLedger = hasManaged || marketProtocols[version].ledger === 'conditional_tokens';
  if (!isOnLedger || isNegRisk || tokenIds === null || venueFeeSchedule === null || !isAcceptingOrders) return null;
  return {
    conditionId,
    yesTokenId: BigInt(tokenIds.yes),
    noTokenId: BigInt(tokenIds.no),
    tickPricePips,
    feeSchedule: venueFeeSchedule,
  };
}

/** Return a value that was read recently, or read it. Concurrent readers share one read; a failure is not kept. */
function recent<Value>(
  values: Map<Hex, Dated<Value>>,
  { key, ageMs }: { readonly key: Hex; readonly ageMs: number },
  read: () => Promise<Value>,
): Promise<Value> {
  const nowMs = performance.now();
  const last = values.get(key);
  if (last !== undefined && nowMs - last.atMs <= ageMs) return last.value;
  const value = read();
  values.set(key, { atMs: nowMs, value });
  value.catch(() => values.delete(key));
  return value;
}
