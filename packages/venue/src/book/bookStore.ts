import { type BookLevel, equals, midPriceOf, type PricePips } from '@core/pricing';
import type { BookSnapshot } from '../port/venueClient.ts';
import type { MarketMessage, PriceChange } from '../schema/marketMessage.ts';
import { isCrossed, type SeenPrice, type TokenBook, withLevel } from './tokenBook.ts';

/**
 * What a message did to one token. `ticked`: its book was confirmed or changed. `noted`: a trade or tick size was,
 * which makes no book younger. `ignored`: older than what is known. `suspect`: the book and the venue disagree; the
 * last good book stays published and ages until a fresh one is read.
 */
export interface BookUpdate {
  readonly tokenId: string;
  readonly outcome: 'ticked' | 'noted' | 'ignored' | 'suspect';
}

/** What a REST read showed: the same book, one the socket should have sent, or one older than what is known. */
export type ConfirmOutcome = 'same' | 'different' | 'older';

type Levels = readonly BookLevel[];

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
  lastTrade: SeenPrice | null;
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

  /** Forgets a token. */
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

  /** Applies one socket message. Tokens without a book yet come back as `suspect`. */
  apply(message: MarketMessage, nowMs: number): readonly BookUpdate[] {
    switch (message.kind) {
      case 'book':
        return [this.#applyBook(message.snapshot, nowMs)];
      case 'price_change':
        return this.#applyChanges(message, nowMs);
      case 'last_trade_price':
        return this.#edit(message.tokenId, (entry) => {
          entry.lastTrade = { pricePips: message.pricePips, atMs: nowMs };
          entry.published &&= { ...entry.published, lastTrade: entry.lastTrade };
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

  /** Takes in a whole book read over REST: confirms the known one, or replaces it when it is newer or not trusted. */
  confirm(snapshot: BookSnapshot, nowMs: number): ConfirmOutcome {
    const entry = this.#entries.get(snapshot.tokenId);
    if (entry === undefined) {
      this.#applyBook(snapshot, nowMs);
      return 'different';
    }
    const isSame = areSameLevels(entry.bids, snapshot.bids) && areSameLevels(entry.asks, snapshot.asks);
    if (snapshot.timestampMs < entry.changedAtVenueMs && !entry.isSuspect) {
      // An equal book confirms whatever its instant; a different older one is a read that was overtaken on its way.
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
        // The whole book that came later holds this change already.
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

  /** Publishes the working book if it is sound; else the last good one stays, with its age. */
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
      lastTrade: entry.lastTrade,
      lastMid: mid === null ? (entry.published?.lastMid ?? null) : { pricePips: mid, atMs: nowMs },
    };
  }
}

/** Sets each level, then compares the best prices with the ones the venue says stand after the last change. */
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
  lastTrade: null,
  published: null,
});
