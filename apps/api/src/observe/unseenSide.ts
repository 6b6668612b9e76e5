import type { SideSnapshot } from '@core/policy';
import { tokenUnits } from '@core/pricing';

/** One side of a market whose book nobody watches. */
export const unseenSide: SideSnapshot = {
  book: null,
  bookAgeMs: null,
  priceAgeMs: null,
  lastMidPricePips: null,
  lastTrade: null,
  twap: { pricePips: null, sampleCount: 0, lastSampleAgeMs: null },
  realisedVarianceE12: null,
  minimumBids: null,
  openLeveragedTokenUnits: tokenUnits(0n),
  secondSource: null,
  topHolderShareBps: null,
};
