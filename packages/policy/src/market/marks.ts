import { midPriceOf, min, type PricePips } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import type { SideSnapshot } from './marketSnapshot.ts';

/** Live mid of the token; null when a side is missing or the book is older than a decision may rest on. */
export function liveMidOf(side: SideSnapshot, config: PolicyConfig): PricePips | null {
  if (side.book === null || side.bookAgeMs === null || side.bookAgeMs > config.ages.maxBookAgeMs) return null;
  return midPriceOf(side.book);
}

/**
 * Mark of an opening: the lowest of the mid, the time-weighted mid and a last trade younger than a minute. Null
 * without a live mid; a missing average is judged by its own gate and not replaced here.
 */
export function openingMarkOf(side: SideSnapshot, config: PolicyConfig): PricePips | null {
  let mark = liveMidOf(side, config);
  if (mark === null) return null;
  if (side.twap.pricePips !== null) mark = min(mark, side.twap.pricePips);
  if (side.lastTrade !== null && side.lastTrade.ageMs < config.ages.maxLastTradeAgeMs) {
    mark = min(mark, side.lastTrade.pricePips);
  }
  return mark;
}

/** Mark shown to users: the mid, or the last one that was valid. Never attested when the book is not live. */
export function displayMarkOf(side: SideSnapshot): PricePips | null {
  return (side.book === null ? null : midPriceOf(side.book)) ?? side.lastMidPricePips;
}
