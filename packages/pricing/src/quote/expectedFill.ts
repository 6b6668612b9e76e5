import { clearableNotionalOf } from '../book/clearable.ts';
import type { BookFill, BookLevel } from '../book/orderBook.ts';
import { walkAsks } from '../book/walk.ts';
import { min, multiplyDivide } from '../units/arithmetic.ts';
import { priceOf, tokensFor, toUsdcUnits, wholeBps } from '../units/conversion.ts';
import { type PricePips, type RateBps, raw, type TokenUnits, type UsdcUnits } from '../units/quantity.ts';

/** Fill of a notional by the book as it is now, and the minimum that the user agrees to. */
export interface ExpectedFill {
  readonly fills: readonly BookFill[];
  readonly bestAskPricePips: PricePips;
  /** Average price of the part that clears now, rounded up. */
  readonly entryPricePips: PricePips;
  /** Tokens for the whole notional. */
  readonly tokenUnits: TokenUnits;
  /** Tokens less the slippage, rounded down: `min_expected_position_token_units`. */
  readonly minExpectedPositionTokenUnits: TokenUnits;
}

/**
 * Walk the asks for a notional (DEFINITIONS 2). An atomic opening must fill all of it except less than a pip, which
 * snapping may add to a size at the very end of the book: entry = ⌈notional × 10,000 / tokens⌉. A partial-open prices
 * the part that clears within the slippage and counts tokens for the whole notional at that price.
 *
 * @throws RangeError when the book cannot fill an atomic size, or no part of a partial one. The ladder refuses both.
 */
export function expectedFillOf({
  asks,
  notionalUsdcUnits,
  slippageBps,
  isPartialOpen,
}: {
  readonly asks: readonly BookLevel[];
  readonly notionalUsdcUnits: UsdcUnits;
  readonly slippageBps: RateBps;
  readonly isPartialOpen: boolean;
}): ExpectedFill {
  const fillable = isPartialOpen
    ? min(notionalUsdcUnits, toUsdcUnits(clearableNotionalOf({ asks, slippageBps })))
    : notionalUsdcUnits;
  const walk = walkAsks({ asks, notionalUsdcUnits: fillable });
  const best = walk.fills[0];
  if (best === undefined || walk.averagePricePips === null || raw(walk.restUsdcUnits) >= 100n) {
    throw new RangeError('the book cannot fill the notional');
  }
  const entryPricePips = isPartialOpen ? walk.averagePricePips : priceOf(notionalUsdcUnits, walk.tokenUnits, 'up');
  const tokens = isPartialOpen ? tokensFor(notionalUsdcUnits, entryPricePips, 'down') : walk.tokenUnits;
  return {
    fills: walk.fills,
    bestAskPricePips: best.pricePips,
    entryPricePips,
    tokenUnits: tokens,
    minExpectedPositionTokenUnits: multiplyDivide(tokens, wholeBps - raw(slippageBps), wholeBps, 'down'),
  };
}
