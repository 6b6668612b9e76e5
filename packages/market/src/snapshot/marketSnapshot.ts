import type { Side } from '@core/position';
import type { BookLevel, OrderBook, PricePips, RateBps, TokenUnits } from '@core/pricing';
import type { MarketFacts } from '../facts/marketFacts.ts';

export interface AgedPrice {
  readonly pricePips: PricePips;
  readonly ageMs: number;
}

/** Time-weighted average of the mid over the window of `config.ages.twapWindowMs`. */
export interface TimeWeightedPrice {
  /** Null when fewer than the required samples were seen. */
  readonly pricePips: PricePips | null;
  readonly sampleCount: number;
  /** Age of the youngest sample; null when none was seen. */
  readonly lastSampleAgeMs: number | null;
}

/** Observations of one token of a market at `MarketSnapshot.nowMs`. */
export interface SideSnapshot {
  /** Both sides best first; null until the first book arrived. */
  readonly book: OrderBook | null;
  /** Time since the last message or confirming REST read of this book; null without a book. */
  readonly bookAgeMs: number | null;
  /** Time since the book last had both sides, so that a mid existed; null when it never had. */
  readonly priceAgeMs: number | null;
  /** Last valid mid, rounded down: shown when a side is missing, never attested then. */
  readonly lastMidPricePips: PricePips | null;
  readonly lastTrade: AgedPrice | null;
  readonly twap: TimeWeightedPrice;
  /** EWMA of logit variance per second, scaled by 1e12; null before the first interval is complete. */
  readonly realisedVarianceE12: bigint | null;
  /**
   * Depth of the bids, as the minimum of the last five minutes at each distance from the best bid, laid below the
   * best bid of now; best first, sizes not yet halved. Null before the first book.
   */
  readonly minimumBids: readonly BookLevel[] | null;
  /** Tokens of this side held by open positions that owe: a forced sale may have to wait for all of theirs. */
  readonly openLeveragedTokenUnits: TokenUnits;
  /** Mid of the second source (the venue's REST read, or one minus the other token's mid). */
  readonly secondSource: AgedPrice | null;
  /** Largest holder's share of this token; null when unknown (then it is not judged). */
  readonly topHolderShareBps: RateBps | null;
}

/** State of the reference feed of the market's subject: crypto spot or the game's score. */
export interface ReferenceSnapshot {
  /** Silence of the feed. */
  readonly ageMs: number;
  /** Share of the game played when the score feed says it, in 1/10000; null otherwise. */
  readonly elapsedBps: number | null;
  /** The score feed says the game is running, whatever the schedule said. */
  readonly isLive: boolean;
  /** The score feed says the game is over. */
  readonly isEnded: boolean;
}

/** The observed market: all that a decision about it reads. One clock reading per snapshot. */
export interface MarketSnapshot {
  readonly nowMs: number;
  readonly facts: MarketFacts;
  readonly yes: SideSnapshot;
  readonly no: SideSnapshot;
  /** Null when no message of the feed was ever seen. */
  readonly reference: ReferenceSnapshot | null;
  /** The divergence breaker of this market is held open, until an operator or calm prices reset it. */
  readonly isBreakerTripped: boolean;
}

/** The token of the chosen side. */
export function sideOf(snapshot: MarketSnapshot, side: Side): SideSnapshot {
  return side === 'yes' ? snapshot.yes : snapshot.no;
}
