import type { MarketDefinition } from '../catalogue/marketDefinition.ts';
import type { Level, Outcome } from '../matching/bookOrder.ts';
import { MatchingBook } from '../matching/matchingBook.ts';
import { complementOf, onePricePips } from '../units/decimals.ts';
import { type BookSummary, bookSummaryOf } from './bookSummary.ts';
import { MarketEffects } from './marketEffects.ts';

/**
 * `trading`, then `ended` (no more orders), `requested`, `proposed`, perhaps `disputed` and proposed again, and at last
 * `resolved` with payouts.
 */
export type MarketStage = 'trading' | 'ended' | 'requested' | 'proposed' | 'disputed' | 'resolved';

export type Resolution = 0 | 1 | 'void';

export interface PricePoint {
  readonly atSeconds: number;
  readonly pricePips: bigint;
}

/** Listed market with its book, its scenario effects and its stage of resolution. */
export class SimMarket {
  readonly definition: MarketDefinition;
  readonly book = new MatchingBook();
  readonly effects = new MarketEffects();
  tickPricePips: bigint;
  lastTradePricePips: bigint | null = null;
  lastTradeMs: number | null = null;
  /** Instant of the last change of the book; part of its hash. */
  changedMs: number;
  stage: MarketStage = 'trading';
  /** True once the market exists on the settlement layer. */
  isListed = false;
  proposed: Resolution | null = null;
  resolution: Resolution | null = null;
  closedMs: number | null = null;
  /** Value traded since listing, USDC units. */
  tradedUsdcUnits = 0n;
  /** Price of YES at whole minutes, oldest first. */
  readonly history: PricePoint[] = [];
  /** Balances the venue reports as holders, per token, token units. */
  readonly holders: readonly [Map<string, bigint>, Map<string, bigint>] = [new Map(), new Map()];
  #summaries: [BookSummary | null, BookSummary | null] = [null, null];

  constructor(definition: MarketDefinition) {
    this.definition = definition;
    this.tickPricePips = definition.tickPricePips;
    this.changedMs = definition.listedMs;
  }

  get slug(): string {
    return this.definition.slug;
  }

  tokenIdOf(outcome: Outcome): bigint {
    return this.definition.tokenIds[outcome];
  }

  get isAcceptingOrders(): boolean {
    return this.stage === 'trading' && this.isListed && !this.definition.isNegRisk;
  }

  /** Mark the book as changed, so that its summary is rebuilt. */
  markChanged(nowMs: number): void {
    // Every change has its own instant: two books of one instant would differ by their hash alone.
    this.changedMs = Math.max(nowMs, this.changedMs + 1);
    this.#summaries = [null, null];
  }

  /** Return the levels of one token, best first, in its own prices. */
  levelsOf(outcome: Outcome): { readonly bids: readonly Level[]; readonly asks: readonly Level[] } {
    const bids = this.book.levels('bid');
    const asks = this.book.levels('ask');
    if (outcome === 0) return { bids, asks };
    const mirror = ({ pricePips, sizeTokenUnits }: Level): Level => ({
      pricePips: complementOf(pricePips),
      sizeTokenUnits,
    });
    return { bids: asks.map(mirror), asks: bids.map(mirror) };
  }

  /** Return the wire book of one token with its hash; built once per change. */
  summaryOf(outcome: Outcome): BookSummary {
    const cached = this.#summaries[outcome];
    if (cached !== null) return cached;
    const summary = bookSummaryOf({
      conditionId: this.definition.conditionId,
      tokenId: this.tokenIdOf(outcome),
      changedMs: this.changedMs,
      ...this.levelsOf(outcome),
      tickPricePips: this.tickPricePips,
      isNegRisk: this.definition.isNegRisk,
      lastTradePricePips: this.lastTradePipsOf(outcome),
    });
    this.#summaries[outcome] = summary;
    return summary;
  }

  bestBidPips(outcome: Outcome): bigint | null {
    const best = this.book.bestPricePips(outcome === 0 ? 'bid' : 'ask');
    return best === null || outcome === 0 ? best : complementOf(best);
  }

  bestAskPips(outcome: Outcome): bigint | null {
    const best = this.book.bestPricePips(outcome === 0 ? 'ask' : 'bid');
    return best === null || outcome === 0 ? best : complementOf(best);
  }

  /** Return the midpoint of YES in pips, rounded down; null without two sides. */
  midPips(): bigint | null {
    const bid = this.bestBidPips(0);
    const ask = this.bestAskPips(0);
    return bid === null || ask === null ? null : (bid + ask) / 2n;
  }

  /** Return the price of YES in the catalogue: the payout once reported, else the mid, else the last trade. */
  shownPricePips(): bigint {
    if (this.resolution === 'void') return onePricePips / 2n;
    if (this.resolution !== null) return this.resolution === 0 ? onePricePips : 0n;
    return this.midPips() ?? this.bestBidPips(0) ?? this.bestAskPips(0) ?? this.lastTradePricePips ?? onePricePips / 2n;
  }

  lastTradePipsOf(outcome: Outcome): bigint | null {
    if (this.lastTradePricePips === null || outcome === 0) return this.lastTradePricePips;
    return complementOf(this.lastTradePricePips);
  }

  recordTrade(trade: { readonly bookPricePips: bigint; readonly usdcUnits: bigint; readonly nowMs: number }): void {
    this.lastTradePricePips = trade.bookPricePips;
    this.lastTradeMs = trade.nowMs;
    this.tradedUsdcUnits += trade.usdcUnits;
  }

  /** Add to the reported balance of a holder, never below zero. */
  moveHolding(outcome: Outcome, account: string, tokenUnits: bigint): void {
    const balanceTokenUnits = (this.holders[outcome].get(account) ?? 0n) + tokenUnits;
    if (balanceTokenUnits > 0n) this.holders[outcome].set(account, balanceTokenUnits);
    else this.holders[outcome].delete(account);
  }
}
