import { type PricePips, type RateBps, raw, type TokenUnits, type UsdcUnits } from '@core/pricing';
import type { CreatePositionFields } from './createPositionDigest.ts';

/** The four values a user adds to a signed quote. They are not signed and can only tighten. */
export interface UserLimits {
  /** Budget for the venue's and the partner's fee; what is not used comes back. */
  readonly venueFeeUsdcUnits: UsdcUnits;
  /** Fewest tokens accepted for the whole notional; pro rata for a part. */
  readonly minPositionTokenUnits: TokenUnits;
  readonly maxLiquidationPricePips: PricePips;
  /** 10,000 = all or nothing. */
  readonly minFillBps: RateBps;
}

/**
 * The struct `createPosition` takes: the ten signed values that are not known from the call itself, then the user's
 * own. Numbers for types of at most 32 bits, bigints above.
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
