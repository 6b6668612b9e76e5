import { midPriceOf, type PricePips } from '@core/pricing';
import type { ObservationAges } from '../observation.ts';
import type { SideSnapshot } from './marketSnapshot.ts';

/** Mark of a token. */
export interface Mark {
  readonly pricePips: PricePips;
  /** False while a side is missing or the book is too old: shown, but never signed. */
  readonly isAttestable: boolean;
}

/** Inputs of a mark. */
export type MarkedBook = Pick<SideSnapshot, 'book' | 'bookAgeMs' | 'lastMidPricePips'>;

/** The one bound of a mark. Every `PolicyConfig` and `ObservationConfig` has it. */
export interface MarkConfig {
  readonly ages: Pick<ObservationAges, 'maxBookAgeMs'>;
}

/** Return the mark shown to users: the mid of the token's own book, or the last valid one. Null when it had none. */
export function displayMarkOf(side: Pick<MarkedBook, 'book' | 'lastMidPricePips'>): PricePips | null {
  return (side.book === null ? null : midPriceOf(side.book)) ?? side.lastMidPricePips;
}

/** Return the mark of a token, and whether it may be signed. Null when it had none. */
export function markOf(side: MarkedBook, config: MarkConfig): Mark | null {
  const pricePips = displayMarkOf(side);
  return pricePips === null ? null : { pricePips, isAttestable: liveMidOf(side, config) !== null };
}

/** Return the live mid of the token; null when a side is missing or the book is older than `maxBookAgeMs`. */
export function liveMidOf(side: MarkedBook, config: MarkConfig): PricePips | null {
  if (side.book === null || side.bookAgeMs === null || side.bookAgeMs > config.ages.maxBookAgeMs) return null;
  return midPriceOf(side.book);
}
