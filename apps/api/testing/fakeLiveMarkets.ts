import {
  type MarketOverlay,
  type MarketSnapshot,
  marketFactsOf,
  type SideSnapshot,
  type VenueMarket,
} from '@core/market';
import type { Side } from '@core/position';
import { type BookLevel, type OrderBook, pricePips, rateBps, tokenUnits } from '@core/pricing';
import type { Clock } from '@core/runtime';
import { type TokenBook } from '@core/venue';
import type { LiveMarkets } from '../src/markets/marketDirectory.ts';

/** The only trade of every token. */
const lastTrade = {
  pricePips: pricePips(8_000n),
  sizeTokenUnits: tokenUnits(125_000_000n),
  takerSide: 'SELL',
} as const;

/** A feed whose books stand still until a test changes them. Every market starts with a deep book around 0.80. */
export class FakeLiveMarkets implements LiveMarkets {
  readonly #markets = new Map<string, { record: VenueMarket; overlay: MarketOverlay }>();
  readonly #books = new Map<string, OrderBook>();
  readonly #clock: Clock;
  /** Age of every book. */
  bookAgeMs = 100;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  watch(record: VenueMarket, overlay: MarketOverlay): void {
    this.#markets.set(record.ticker, { record, overlay });
  }

  unwatch(ticker: string): void {
    this.#markets.delete(ticker);
  }

  setOpenLeveraged(): void {
    // Holdings do not matter to these tests.
  }

  /** Put another book under one side. */
  setBook(ticker: string, side: Side, book: OrderBook): void {
    this.#books.set(`${ticker}:${side}`, book);
  }

  snapshotOf(ticker: string): MarketSnapshot | null {
    const market = this.#markets.get(ticker);
    if (market === undefined) return null;
    return {
      nowMs: this.#clock.nowMs(),
      facts: marketFactsOf(market.record, market.overlay, new Set(['BTC'])),
      yes: this.#sideOf(ticker, 'yes'),
      no: this.#sideOf(ticker, 'no'),
      reference: { ageMs: 100, elapsedBps: null, isLive: false, isEnded: false },
      isBreakerTripped: market.overlay.isBreakerTripped,
    };
  }

  book(tokenId: string): TokenBook | null {
    for (const [ticker, { record }] of this.#markets) {
      const side = record.tokenIds?.yes === tokenId ? 'yes' : 'no';
      if (record.tokenIds?.[side] !== tokenId) continue;
      const { book, lastMidPricePips } = this.#sideOf(ticker, side);
      const receivedAtMs = this.#clock.nowMs() - this.bookAgeMs;
      return {
        bids: book?.bids ?? [],
        asks: book?.asks ?? [],
        conditionId: record.conditionId ?? '',
        tokenId,
        receivedAtMs,
        venueTimestampMs: receivedAtMs,
        tickPricePips: record.tickPricePips,
        trades: [{ atMs: receivedAtMs, ...lastTrade }],
        lastMid: lastMidPricePips === null ? null : { pricePips: lastMidPricePips, atMs: receivedAtMs },
      };
    }
    return null;
  }

  health(): ReturnType<LiveMarkets['health']> {
    return {
      socketState: 'open',
      marketCount: this.#markets.size,
      staleMarketCount: 0,
      staleTickers: [],
      freezeCount: 0,
    };
  }

  #sideOf(ticker: string, side: Side): SideSnapshot {
    const book = this.#books.get(`${ticker}:${side}`) ?? deepBook(side === 'yes' ? 8_000n : 4_000n);
    const bid = book.bids[0]?.pricePips ?? null;
    return {
      book,
      bookAgeMs: this.bookAgeMs,
      priceAgeMs: this.bookAgeMs,
      lastMidPricePips: bid,
      lastTrade: null,
      twap: { pricePips: bid, sampleCount: 10, lastSampleAgeMs: 100 },
      realisedVarianceE12: null,
      minimumBids: book.bids,
      openLeveragedTokenUnits: tokenUnits(0n),
      secondSource: bid === null ? null : { pricePips: bid, ageMs: 100 },
      topHolderShareBps: rateBps(1_000n),
    };
  }
}

/** Ten levels of 20,000 tokens on each side, a cent apart, around a middle. */
export function deepBook(middlePips: bigint): OrderBook {
  const level = (distancePips: bigint): BookLevel => ({
    pricePips: pricePips(middlePips + distancePips),
    sizeTokenUnits: tokenUnits(20_000_000_000n),
  });
  const steps = Array.from({ length: 10 }, (_, index) => BigInt(index + 1) * 100n);
  return { asks: steps.map((step) => level(step - 50n)), bids: steps.map((step) => level(50n - step)) };
}
