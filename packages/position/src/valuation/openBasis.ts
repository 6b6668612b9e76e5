import {
  type LeverageBps,
  type PricePips,
  type RateBps,
  subtract,
  type TokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import type { Position } from '../record/position.ts';

/**
 * Everything the figures of an open-type position follow from, beside the mark and the moment: only an event of the
 * position changes it. Letters are those of DEFINITIONS 4.
 */
export interface OpenBasis {
  /** True before the fill is recorded: the figures are those of the quote, nothing is paid yet. */
  readonly isPending: boolean;
  /** T. */
  readonly tokenUnits: TokenUnits;
  /** T0; null while pending. */
  readonly openedTokenUnits: TokenUnits | null;
  /** P. A position of an active status has no bad debt. */
  readonly principalUsdcUnits: UsdcUnits;
  /** C. */
  readonly collateralUsdcUnits: UsdcUnits;
  /** d. */
  readonly pendingLifetimeFeeUsdcUnits: UsdcUnits;
  /** Instant since which the principal bears interest, epoch milliseconds; null when none accrues. */
  readonly principalChangedAtMs: number | null;
  /** o. */
  readonly originationFeeUsdcUnits: UsdcUnits;
  /** v of the opening and of sales. */
  readonly openVenueFeeUsdcUnits: UsdcUnits;
  readonly saleVenueFeeUsdcUnits: UsdcUnits;
  /** y. */
  readonly unwindPaidUsdcUnits: UsdcUnits;
  readonly structuralLeverageBps: LeverageBps;
  readonly lifetimeFeeAprBps: RateBps;
  readonly liquidationFeeBps: RateBps;
  readonly exitBufferBps: RateBps;
  /** Mark at the opening, before it the price of the quote: health is 100 % from here up. */
  readonly referencePricePips: PricePips;
}

const nothing = usdcUnits(0n);

/** Return the basis of a position of an active status. */
export function openBasisOf(position: Position): OpenBasis {
  const { structuralLeverageBps, lifetimeFeeAprBps, liquidationFeeBps, exitBufferBps } = position;
  const referencePricePips = position.openedMarkPricePips ?? position.entryPricePips;
  const terms = { structuralLeverageBps, lifetimeFeeAprBps, liquidationFeeBps, exitBufferBps, referencePricePips };
  if (position.spentUsdcUnits === null) return { ...terms, ...quotedBooksOf(position) };
  return {
    ...terms,
    isPending: false,
    tokenUnits: position.tokenUnits,
    openedTokenUnits: position.openedTokenUnits,
    principalUsdcUnits: position.principalUsdcUnits,
    collateralUsdcUnits: position.collateralUsdcUnits,
    pendingLifetimeFeeUsdcUnits: position.pendingLifetimeFeeUsdcUnits,
    principalChangedAtMs: position.principalChangedAtMs,
    originationFeeUsdcUnits: position.originationFeeUsdcUnits,
    openVenueFeeUsdcUnits: position.openVenueFeeUsdcUnits,
    saleVenueFeeUsdcUnits: position.saleVenueFeeUsdcUnits,
    unwindPaidUsdcUnits: position.unwindPaidUsdcUnits,
  };
}

function quotedBooksOf(position: Position) {
  return {
    isPending: true,
    tokenUnits: position.quotedTokenUnits,
    openedTokenUnits: position.openedTokenUnits,
    principalUsdcUnits: subtract(position.quotedNotionalUsdcUnits, position.quotedCollateralUsdcUnits),
    collateralUsdcUnits: position.quotedCollateralUsdcUnits,
    pendingLifetimeFeeUsdcUnits: nothing,
    principalChangedAtMs: null,
    originationFeeUsdcUnits: position.quotedOriginationFeeUsdcUnits,
    openVenueFeeUsdcUnits: nothing,
    saleVenueFeeUsdcUnits: nothing,
    unwindPaidUsdcUnits: nothing,
  };
}
