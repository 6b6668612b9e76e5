import { type BookLevel, compare, isZero } from '@core/pricing';
import { z } from 'zod';
import type { BookSnapshot } from '../port/venueClient.ts';
import { toLevelPricePips, toPricePips, toPricePipsDown, toTokenUnits } from '../text/decimal.ts';
import { venueMillisecondsOf } from '../text/venueMilliseconds.ts';
import { isBookHashValid } from './bookHash.ts';
import { decimalText } from './wireTypes.ts';

const wireLevelSchema = z.object({ price: decimalText, size: decimalText });

/** Answer of `GET /book` and the socket's `book` message. A message may leave out its hash and the last four fields. */
export const wireBookSchema = z.looseObject({
  market: z.string(),
  asset_id: z.string(),
  timestamp: decimalText,
  hash: z.string().nullish(),
  bids: z.array(wireLevelSchema),
  asks: z.array(wireLevelSchema),
  min_order_size: decimalText.nullish(),
  tick_size: decimalText.nullish(),
  neg_risk: z.boolean().nullish(),
  last_trade_price: decimalText.nullish(),
});

export type WireBook = z.output<typeof wireBookSchema>;

/** Levels best first without the empty ones, or null when a price or size cannot be read exactly. */
const levelsOf = (side: 'bid' | 'ask', wireLevels: WireBook['bids']): readonly BookLevel[] | null => {
  const levels: BookLevel[] = [];
  for (const { price, size } of wireLevels) {
    const level = { pricePips: toLevelPricePips(price), sizeTokenUnits: toTokenUnits(size) };
    if (level.pricePips === null || level.sizeTokenUnits === null) {
      return null;
    }
    if (!isZero(level.sizeTokenUnits)) {
      levels.push({ pricePips: level.pricePips, sizeTokenUnits: level.sizeTokenUnits });
    }
  }
  const direction = side === 'bid' ? -1 : 1;
  // The venue sends the best level last; sorting costs nothing on sorted input and trusts no order.
  return levels.toReversed().sort((left, right) => direction * compare(left.pricePips, right.pricePips));
};

/** A wire book in the service's own types; null when any amount in it cannot be read exactly. */
export function bookSnapshotOf(book: WireBook): BookSnapshot | null {
  const bids = levelsOf('bid', book.bids);
  const asks = levelsOf('ask', book.asks);
  const timestampMs = venueMillisecondsOf(book.timestamp);
  if (bids === null || asks === null || timestampMs === null) {
    return null;
  }
  return {
    conditionId: book.market.toLowerCase(),
    tokenId: book.asset_id,
    timestampMs,
    hash: book.hash || null,
    isHashValid: isBookHashValid(book),
    bids,
    asks,
    minOrderTokenUnits: toTokenUnits(book.min_order_size ?? ''),
    tickPricePips: toPricePips(book.tick_size ?? ''),
    isNegRisk: book.neg_risk ?? null,
    lastTradePricePips: toPricePipsDown(book.last_trade_price ?? ''),
  };
}
