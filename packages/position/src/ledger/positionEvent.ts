import type { LeverageBps, PricePips, RateBps, TokenUnits, UsdcUnits } from '@core/pricing';
import type { Hex } from '../record/hex.ts';
import type { LivePurpose, OrderPurpose, PositionStateName } from '../states/transitions.ts';

/** Block and index of an event. */
export interface EventPlace {
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  readonly logIndex: number;
  readonly blockTimeMs: number;
}

/** Distribution of an account's money to its recipients. */
export interface Distribution {
  /** Balance of the account, or income of it. */
  readonly proceedsUsdcUnits: UsdcUnits;
  readonly principalUsdcUnits: UsdcUnits;
  readonly lifetimeFeeUsdcUnits: UsdcUnits;
  readonly liquidationFeeUsdcUnits: UsdcUnits;
  /** Recovered bad debt of an earlier end. */
  readonly recoveredUsdcUnits: UsdcUnits;
  readonly userUsdcUnits: UsdcUnits;
  /** Principal that never comes back. */
  readonly badDebtUsdcUnits: UsdcUnits;
}

/** Arguments the user signed and sent with `createPosition`. */
export interface CreateRequest {
  readonly venueMarketId: Hex;
  readonly venueTokenId: bigint;
  readonly collateralUsdcUnits: UsdcUnits;
  readonly leverageBps: LeverageBps;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly originationFeeBps: RateBps;
  readonly lifetimeFeeAprBps: RateBps;
  readonly liquidationFeeBps: RateBps;
  readonly venueFeeUsdcUnits: UsdcUnits;
  readonly minPositionTokenUnits: TokenUnits;
  readonly maxLiquidationPricePips: PricePips;
  readonly minFillBps: RateBps;
}

/** Arguments of each event that the fold reads: those of the vault, and a fill of one of our orders at the exchange. */
export interface PositionEventArguments {
  readonly PositionCreated: {
    readonly positionKey: Hex;
    readonly user: Hex;
    readonly account: Hex;
    readonly originationFeeUsdcUnits: UsdcUnits;
    readonly request: CreateRequest;
  };
  readonly OrderAuthorized: {
    readonly orderHash: Hex;
    readonly purpose: LivePurpose;
    /** Seconds since 1970. */
    readonly validUntil: bigint;
    readonly markPips: PricePips;
  };
  readonly OrderEnded: { readonly purpose: LivePurpose; readonly filledMakerAmount: bigint };
  readonly OrderFilled: {
    readonly orderHash: Hex;
    readonly side: 'buy' | 'sell';
    /** Venue's fee of the fill. */
    readonly feeUsdcUnits: UsdcUnits;
  };
  readonly PositionOpened: {
    readonly tokenUnits: TokenUnits;
    readonly tradeUsdcUnits: UsdcUnits;
    readonly spentUsdcUnits: UsdcUnits;
    readonly principalUsdcUnits: UsdcUnits;
    readonly originationFeeUsdcUnits: UsdcUnits;
    readonly refundUsdcUnits: UsdcUnits;
    readonly exitBufferBps: RateBps;
  };
  readonly PositionReduced: {
    readonly purpose: OrderPurpose;
    readonly state: PositionStateName;
    readonly soldTokenUnits: TokenUnits;
    /** Remainder. */
    readonly tokenUnits: TokenUnits;
    readonly distribution: Distribution;
  };
  readonly PositionRefunded: {
    readonly state: PositionStateName;
    readonly refundUsdcUnits: UsdcUnits;
    readonly badDebtUsdcUnits: UsdcUnits;
  };
  /** Zero tokens withdraw a request. */
  readonly CloseRequested: { readonly tokenUnits: TokenUnits; readonly minPricePips: PricePips };
  readonly CancelRequested: object;
  readonly MarginAdded: { readonly principalUsdcUnits: UsdcUnits; readonly lifetimeFeeUsdcUnits: UsdcUnits };
  readonly PositionExited: { readonly distribution: Distribution };
  readonly PositionSettled: { readonly distribution: Distribution };
  readonly Claimed: { readonly userUsdcUnits: UsdcUnits; readonly recoveredUsdcUnits: UsdcUnits };
  readonly PaymentDeferred: { readonly usdcUnits: UsdcUnits };
}

export type PositionEventName = keyof PositionEventArguments;

/** An event of a position's history. */
export type PositionEvent = {
  readonly [Name in PositionEventName]: EventPlace & {
    readonly name: Name;
    readonly args: PositionEventArguments[Name];
  };
}[PositionEventName];

export type EventNamed<Name extends PositionEventName> = Extract<PositionEvent, { readonly name: Name }>;
