import { type PricePips, type RateBps, raw, type TokenUnits, type UsdcUnits } from '@core/pricing';
import type { CreatePositionFields } from './createPositionDigest.ts';

/** Values that a user adds to a signed quote. They are not signed and can only tighten its terms. */
export interface UserLimits {
  /** Budget for the fees of venue and partner; the unused part is refunded. */
  readonly venueFeeUsdcUnits: UsdcUnits;
  /** Minimum tokens for the whole notional; pro rata for a part. */
  readonly minPositionTokenUnits: TokenUnits;
  readonly maxLiquidationPricePips: PricePips;
  /** Minimum fill; 10,000 = all or nothing. */
  readonly minFillBps: RateBps;
}

/**
 * Convert quote and limits to the struct of `createPosition`: the ten signed values that the call does not imply, then
 * the user's limits. Numbers for types of at most 32 bits, bigints above.
 */
export function toCreateRequestStruct(fields: CreatePositionFields, limits: UserLimits) {
  return {
    positionSeed: fields.positionSeed,
    venueMarketId: fields.venueMarketId,
    venueTokenId: fields.venueTokenId,
    collateralUsdcUnits: raw(fields.collateralUsdcUnits),
    leverageBps: Number(raw(fields.leverageBps)),
    notionalUsdcUnits: raw(fields.notionalUsdcUnits),
    originationFeeBps: Number(raw(fields.originationFeeBps)),
    lifetimeFeeAprBps: Number(raw(fields.lifetimeFeeAprBps)),
    liquidationFeeBps: Number(raw(fields.liquidationFeeBps)),
    signatureExpiry: fields.signatureExpiry,
    venueFeeUsdcUnits: raw(limits.venueFeeUsdcUnits),
    minPositionTokenUnits: raw(limits.minPositionTokenUnits),
    maxLiquidationPricePips: Number(raw(limits.maxLiquidationPricePips)),
    minFillBps: Number(raw(limits.minFillBps)),
  } as const;
}
