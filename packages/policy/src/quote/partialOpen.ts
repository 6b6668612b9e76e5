import { constants, hints, type MinFillFloor, max, type RateBps, type SnappedSize, snapQuote } from '@core/pricing';
import type { PartnerTerms } from './partnerTerms.ts';
import type { QuoteRequest } from './quoteRequest.ts';

/** Least share a partial opening must fill, and what bounds it. */
export interface PartialOpen {
  readonly size: SnappedSize;
  readonly floor: MinFillFloor;
  /** The caller's share, or the smallest valid one that keeps both floors; then it may exceed what is allowed. */
  readonly minFillBps: RateBps;
}

/** Floors of a partial opening of the requested size (definitions 6). */
export function partialOpenOf(request: QuoteRequest, terms: PartnerTerms): PartialOpen {
  const size = snapQuote({ notionalUsdPips: request.notionalUsdPips, leverageBps: request.leverageBps });
  const { minCollateralUsdPips, minNotionalUsdPips } = terms;
  const floor = hints.minFillFloorOf({ size, minCollateralUsdPips, minNotionalUsdPips });
  const minFillBps = request.minFillBps ?? max(constants.minFillBps, floor.floorMinFillBps);
  return { size, floor, minFillBps };
}
