import { sideOf } from '@core/market';
import { coverInputsOf, coverOf, hardExitOf, type PolicyConfig } from '@core/policy';
import type { Side } from '@core/position';
import { bestBidOf, constants, type PricePips, pricePips, raw, type TokenUnits } from '@core/pricing';
import type { ObservedMarket } from '../market/observedMarket.ts';

/**
 * Cover of a side at a row for all positions of a replay. Cover never rises with size, so two sizes bound it for all
 * between; most lives are decided by one comparison.
 */
export interface CoverRow {
  /** Cover c of the largest position; null while nothing could be sold. */
  readonly lowestCoverE12: bigint | null;
  /** Return cover c of a size. */
  readonly coverAt: (size: TokenUnits) => bigint;
  /** Mark that bounds a forced sale. */
  readonly markPricePips: PricePips;
  /** True when a hard exit is in force for a position opened in this phase, or from before the start of a game. */
  readonly isHardExit: boolean;
  readonly isHardExitOfEarlier: boolean;
}

const noPrice = pricePips(0n);

export function coverTableOf(
  observed: ObservedMarket,
  side: Side,
  { largest, config }: { readonly largest: TokenUnits; readonly config: PolicyConfig },
): readonly CoverRow[] {
  return observed.rows.map(({ snapshot }) => {
    const isInForce = (owesSinceMs: number | null) =>
      hardExitOf(snapshot, { owesSinceMs, wasHardExitInForce: false }, config).isInForce;
    const deadlines = { isHardExit: isInForce(null), isHardExitOfEarlier: isInForce(Number.NEGATIVE_INFINITY) };
    const inputs = coverInputsOf(snapshot, side, config);
    const book = sideOf(snapshot, side).book;
    if (inputs === null || book === null || bestBidOf(book) === null) {
      return { ...deadlines, lowestCoverE12: null, coverAt: () => 0n, markPricePips: noPrice };
    }
    const coverAt = coverOf(inputs, config);
    return { ...deadlines, lowestCoverE12: coverAt(largest), coverAt, markPricePips: inputs.markPricePips };
  });
}

/** Return the largest of some sizes. */
export function largestTokensOf(tokens: readonly TokenUnits[]): TokenUnits {
  let largest = constants.minOrderTokenUnits;
  for (const size of tokens) if (raw(size) > raw(largest)) largest = size;
  return largest;
}
