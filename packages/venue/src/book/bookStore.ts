import { type BookLevel, equals, midPriceOf, type PricePips } from '@core/pricing';
import type { BookSnapshot } from '../port/venueClient.ts';
import type { MarketMessage, PriceChange } from '../schema/marketMessage.ts';
import { isCrossed, type SeenTrade, type TokenBook, withLevel } from './tokenBook.ts';

/**
 * Effect of a message on one token. `ticked`: its book was confirmed or changed. `noted`: a trade or a tick size, which
 * makes no book younger. `ignored`: older than the book. `suspect`: book and venue disagree; the last good book stays
 * published and ages until a fresh one is read.
 */
export interface BookUpdate {
  readonly tokenId: string;
  readonly outcome: 'ticked' | 'noted' | 'ignored' | 'suspect';
}

/** Result of a REST read: the same book, one the socket should have sent, or one older than the book. */
export type ConfirmOutcome = 'same' | 'different' | 'older';

type Levels = readonly BookLevel[];

/** Trades that are kept of each token. */
const maxTrades = 30;

interface Entry {
  readonly tokenId: string;
  conditionId: string;
  /** Working levels; equal to the published ones unless the book is suspect. */
  bids: Levels;
  asks: Levels;
  /** The venue's instant of the last whole book, and of the last change. */
  wholeAtVenueMs: number;
  changedAtVenueMs: number;
  isSuspect: boolean;
  tickPricePips: PricePips | null;
  trades: readonly SeenTrade[];
  /** Null until a sound book was seen. */
  published: TokenBook | null;
}

const areSameLevels = (left: Levels, right: Levels): boolean =>
  left.length === right.length &&
  left.every((level, index) => {
    const other = right[index];
    return (
      other !== undefined &&
      equals(level.pricePips, other.pricePips) &&
      equals(level.sizeTokenUnits, other.sizeTokenUnits)
    );
  });

/** `undefined` on the venue's side means that it does not say. */
const agrees = (best: PricePips | undefined, said: PricePips | null | undefined): boolean =>
  said === undefined || (said === null ? best === undefined : best !== undefined && equals(best, said));

/**
 * Books of any number of tokens, kept from socket messages and REST reads. Each message costs time in the levels of its
 * own token only. What is read out is an immutable value. The clock is the caller's: every write is handed the instant.
 */
export class BookStore {
  readonly #entries = new Map<string, Entry>();

  /** The last good book of a token, null until the first one arrived. */
  book(tokenId: string): TokenBook | null {
    return this.#entries.get(tokenId)?.published ?? null;
  }

  /** True when the token's book and the venue disagree, or when it has none: read it again. */
  needsBook(tokenId: string): boolean {
    return this.#entries.get(tokenId)?.isSuspect ?? true;
  }

  /** Forget a token. */
  drop(tokenId: string): void {
    this.#entries.delete(tokenId);
  }

  /** Marks a token's book as not to be trusted further, for instance when the socket was away. */
  suspect(tokenId: string): void {
    const entry = this.#entries.get(tokenId);
    if (entry !== undefined) {
      entry.isSuspect = true;
    }
  }

  /** Apply one socket message. Tokens without a book come back as `suspect`. */
  apply(message: MarketMessage, nowMs: number): readonly BookUpdate[] {
    switch (message.kind) {
      case 'book':
        return [this.#applyBook(message.snapshot, nowMs)];
      case 'price_change':
        return this.#applyChanges(message, nowMs);
      case 'last_trade_price':
        return this.#edit(message.tokenId, (entry) => {
          const { pricePips, sizeTokenUnits, takerSide } = message;
          entry.trades = [{ atMs: nowMs, pricePips, sizeTokenUnits, takerSide }, ...entry.trades].slice(0, maxTrades);
          entry.published &&= { ...entry.published, trades: entry.trades };
        });
      case 'tick_size_change':
        return this.#edit(message.tokenId, (entry) => {
          entry.tickPricePips = message.newTickPricePips;
          entry.published &&= { ...entry.published, tickPricePips: entry.tickPricePips };
        });
      case 'market_resolved':
        return [];
    }
  }

  /**
   * Apply a whole book read over REST: confirm the current one, or replace it when the new one is newer or the current
   * one is not trusted.
   */
  confirm(snapshot: BookSnapshot, nowMs: number): ConfirmOutcome {
    const entry = this.#entries.get(snapshot.tokenId);
    if (entry === undefined) {
      this.#applyBook(snapshot, nowMs);
      return 'different';
    }
    const isSame = areSameLevels(entry.bids, snapshot.bids) && areSameLevels(entry.asks, snapshot.asks);
    if (snapshot.timestampMs < entry.changedAtVenueMs && !entry.isSuspect) {
      // An equal book confirms at any instant; a different older one is a read overtaken by messages.
      if (isSame) {
        this.#publish(entry, nowMs);
      }
      return isSame ? 'same' : 'older';
    }
    this.#replace(entry, snapshot, nowMs);
    return isSame ? 'same' : 'different';
  }

  #applyBook(snapshot: BookSnapshot, nowMs: number): BookUpdate {
    const { tokenId } = snapshot;
    const entry = this.#entries.get(tokenId);
    if (snapshot.isHashValid === false) {
      this.suspect(tokenId);
      return { tokenId, outcome: 'suspect' };
    }
    if (entry === undefined) {
      const created = entryOf(snapshot);
      this.#entries.set(tokenId, created);
      this.#publish(created, nowMs);
      return { tokenId, outcome: created.isSuspect ? 'suspect' : 'ticked' };
    }
    if (snapshot.timestampMs < entry.changedAtVenueMs && !entry.isSuspect) {
      return { tokenId, outcome: 'ignored' };
    }
    this.#replace(entry, snapshot, nowMs);
    return { tokenId, outcome: entry.isSuspect ? 'suspect' : 'ticked' };
  }

  #replace(entry: Entry, snapshot: BookSnapshot, nowMs: number): void {
    entry.conditionId = snapshot.conditionId;
    entry.bids = snapshot.bids;
    entry.asks = snapshot.asks;
    entry.wholeAtVenueMs = snapshot.timestampMs;
    entry.changedAtVenueMs = snapshot.timestampMs;
    entry.tickPricePips = snapshot.tickPricePips ?? entry.tickPricePips;
    entry.isSuspect = false;
    this.#publish(entry, nowMs);
  }

  #applyChanges(message: MarketMessage & { kind: 'price_change' }, nowMs: number): readonly BookUpdate[] {
    const byToken = Map.groupBy(message.changes, (change) => change.tokenId);
    return [...byToken].map(([tokenId, changes]) => {
      const entry = this.#entries.get(tokenId);
      if (entry === undefined) {
        return { tokenId, outcome: 'suspect' };
      }
      if (message.timestampMs < entry.wholeAtVenueMs) {
        // The later whole book contains this change already.
        return { tokenId, outcome: 'ignored' };
      }
      if (message.timestampMs < entry.changedAtVenueMs) {
        // Overtaken by a later change, which may have set the same level: the order is lost.
        entry.isSuspect = true;
        return { tokenId, outcome: 'suspect' };
      }
      applyTo(entry, changes);
      entry.changedAtVenueMs = message.timestampMs;
      this.#publish(entry, nowMs);
      return { tokenId, outcome: entry.isSuspect ? 'suspect' : 'ticked' };
    });
  }

  #edit(tokenId: string, edit: (entry: Entry) => void): readonly BookUpdate[] {
    const entry = this.#entries.get(tokenId);
    if (entry === undefined) {
      return [];
    }
    edit(entry);
    return [{ tokenId, outcome: 'noted' }];
  }

  /** Publish the working book if it is sound; otherwise the last good one stays, with its age. */
  #publish(entry: Entry, nowMs: number): void {
    if (isCrossed(entry)) {
      entry.isSuspect = true;
    }
    if (entry.isSuspect) {
      return;
    }
    const mid = midPriceOf(entry);
    entry.published = {
      conditionId: entry.conditionId,
      tokenId: entry.tokenId,
      bids: entry.bids,
      asks: entry.asks,
      receivedAtMs: nowMs,
      venueTimestampMs: entry.changedAtVenueMs,
      tickPricePips: entry.tickPricePips,
      trades: entry.trades,
      lastMid: mid === null ? (entry.published?.lastMid ?? null) : { pricePips: mid, atMs: nowMs },
    };
  }
}

/** Set each level, then compare the best prices with those the venue announced for the state after the last change. */
const applyTo = (entry: Entry, changes: readonly PriceChange[]): void => {
  for (const change of changes) {
    const level = { pricePips: change.pricePips, sizeTokenUnits: change.sizeTokenUnits };
    if (change.side === 'BUY') {
      entry.bids = withLevel(entry.bids, level, 'bid');
    } else {
      entry.asks = withLevel(entry.asks, level, 'ask');
    }
  }
  const last = changes.at(-1);
  const isAgreed =
    agrees(entry.bids[0]?.pricePips, last?.bestBidPricePips) &&
    agrees(entry.asks[0]?.pricePips, last?.bestAskPricePips);
  if (!isAgreed) {
    entry.isSuspect = true;
  }
};

const entryOf = (snapshot: BookSnapshot): Entry => ({
  tokenId: snapshot.tokenId,
  conditionId: snapshot.conditionId,
  bids: snapshot.bids,
  asks: snapshot.asks,
  wholeAtVenueMs: snapshot.timestampMs,
  changedAtVenueMs: snapshot.timestampMs,
  isSuspect: false,
  tickPricePips: snapshot.tickPricePips,
  trades: [],
  published: null,
});
