import { liveMidOf, type MarkedBook, type MarketSnapshot, type SideSnapshot } from '@core/market';
import { add, bestBidOf, min, type PricePips, raw } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';

/**
 * Mark a forced sale is bounded by. Bids are enough: nothing is bought, and a book that lost its asks is the one to
 * leave. Without asks it is the lower of the last valid mid and the best bid plus a tick, so that a vanished ask never
 * lifts it. Null while the bids are missing or too old.
 */
export function saleMarkOf(
  side: MarkedBook,
  { tickPricePips, config }: { readonly tickPricePips: PricePips; readonly config: PolicyConfig },
): PricePips | null {
  const mid = liveMidOf(side, config);
  if (mid !== null || side.book === null || side.bookAgeMs === null) return mid;
  const bid = bestBidOf(side.book);
  if (bid === null || side.bookAgeMs > config.ages.maxBookAgeMs) return null;
  const above = add(bid, tickPricePips);
  return side.lastMidPricePips === null ? above : min(above, side.lastMidPricePips);
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

/**
 * True while the divergence breaker stops opening: it is held open, or the live mid is further from a second source
 * than anything but a broken feed explains. A second source that is missing or old judges nothing.
 */
export function isBreakerTripped(snapshot: MarketSnapshot, side: SideSnapshot, config: PolicyConfig): boolean {
  if (snapshot.isBreakerTripped) return true;
  const mid = liveMidOf(side, config);
  const second = side.secondSource;
  if (mid === null || second === null || second.ageMs > config.ages.maxSecondSourceAgeMs) return false;
  const distance = raw(mid) - raw(second.pricePips);
  return (distance < 0n ? -distance : distance) > raw(config.entry.maxDivergencePricePips);
}
