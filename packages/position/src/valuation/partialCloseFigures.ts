import { type PricePips, priceOf, toUsdPips, type UsdPips } from '@core/pricing';
import type { PositionPartialClose } from '../record/positionHistory.ts';

/** Money of one executed partial close. */
export interface PartialCloseFigures {
  readonly averageSalePricePips: PricePips;
  readonly saleProceedsUsdPips: UsdPips;
  readonly capitalRepaidUsdPips: UsdPips;
  readonly userPayoutUsdPips: UsdPips;
}

/**
 * Figures of one executed partial close. Money received or repaid is rounded down, and so is the average price.
 * @throws RangeError when nothing was sold.
 */
export function partialCloseFiguresOf(partialClose: PositionPartialClose): PartialCloseFigures {
  const { soldTokenUnits, saleProceedsUsdcUnits } = partialClose;
  return {
    averageSalePricePips: priceOf(saleProceedsUsdcUnits, soldTokenUnits, 'down'),
    saleProceedsUsdPips: toUsdPips(saleProceedsUsdcUnits, 'down'),
    capitalRepaidUsdPips: toUsdPips(partialClose.capitalRepaidUsdcUnits, 'down'),
    userPayoutUsdPips: toUsdPips(partialClose.userPayoutUsdcUnits, 'down'),
  };
}
