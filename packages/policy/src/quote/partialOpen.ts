import { type Rejection, reject } from '@core/errors';
import { compare, constants, hints, type MinFillFloor, type RateBps, type SnappedSize, snapQuote } from '@core/pricing';
import type { PartnerTerms } from '../partner/partnerTerms.ts';
import type { QuoteRequest } from './quoteRequest.ts';

/** Minimum share a partial opening must fill, and what bounds it. */
export interface PartialOpen {
  readonly size: SnappedSize;
  readonly floor: MinFillFloor;
  /** The caller's share, or the smallest valid one that keeps both floors; then it may exceed what is allowed. */
  readonly minFillBps: RateBps;
}

/** Size of which a part may fill: as requested, or as granted with the requested share. */
export type PartialSize = Pick<QuoteRequest, 'notionalUsdPips' | 'leverageBps' | 'minFillBps'>;

/** Floors of a partial opening of a size (definitions 6). */
export function partialOpenOf(request: PartialSize, terms: PartnerTerms): PartialOpen {
  const size = snapQuote({ notionalUsdPips: request.notionalUsdPips, leverageBps: request.leverageBps });
  const { minCollateralUsdPips, minNotionalUsdPips } = terms;
  const floor = hints.minFillFloorOf({ size, minCollateralUsdPips, minNotionalUsdPips });
  const minFillBps = request.minFillBps ?? hints.defaultMinFillBpsOf(floor) ?? floor.floorMinFillBps;
  return { size, floor, minFillBps };
}

/** Refuse a size whose minimum fill would end below the minimum collateral or notional, whatever share is allowed. */
export function fillFloorRefusalOf(request: PartialSize, terms: PartnerTerms): Rejection | null {
  const partial = partialOpenOf(request, terms);
  const isBelowFloor = compare(partial.minFillBps, partial.floor.floorMinFillBps) < 0;
  if (!isBelowFloor && compare(partial.minFillBps, constants.maxFillBps) <= 0) return null;
  // Without a share of its own the request means the largest one.
  const minFillBps = request.minFillBps ?? constants.maxFillBps;
  return reject('quote_min_fill_bps_below_floor', hints.minFillHintOf(minFillBps, partial.size, partial.floor));
}
