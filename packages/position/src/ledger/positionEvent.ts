import type { LeverageBps, PricePips, RateBps, TokenUnits, UsdcUnits } from '@core/pricing';
import type { LivePurpose, OrderPurpose, PositionStateName } from '../states/transitions.ts';

/** Where an event happened. */
export interface EventPlace {
  readonly transactionHash: string;
  readonly blockNumber: bigint;
  readonly logIndex: number;
  readonly blockTimeMs: number;
}

/** Who got what of an account's money. */
export interface Distribution {
  /** What was in the account, or came into it. */
  readonly proceedsUsdcUnits: UsdcUnits;
  readonly principalUsdcUnits: UsdcUnits;
  readonly lifetimeFeeUsdcUnits: UsdcUnits;
  readonly liquidationFeeUsdcUnits: UsdcUnits;
  /** Bad debt of an earlier end that came back. */
  readonly recoveredUsdcUnits: UsdcUnits;
  readonly userUsdcUnits: UsdcUnits;
  /** Principal that never comes back. */
  readonly badDebtUsdcUnits: UsdcUnits;
}

/** What the user signed and sent with `createPosition`. */
export interface CreateRequest {
  readonly venueMarketId: string;
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

/** What the fold reads of each event: those of the vault, and a fill of one of our orders at the exchange. */
export interface PositionEventArguments {
  readonly PositionCreated: {
    readonly positionKey: string;
    readonly user: string;
    readonly account: string;
    readonly originationFeeUsdcUnits: UsdcUnits;
    readonly request: CreateRequest;
  };
  readonly OrderAuthorized: {
    readonly orderHash: string;
    readonly purpose: LivePurpose;
    /** Seconds since 1970. */
    readonly validUntil: bigint;
    readonly markPips: PricePips;
  };
  readonly OrderEnded: { readonly purpose: LivePurpose; readonly filledMakerAmount: bigint };
  readonly OrderFilled: {
    readonly orderHash: string;
    readonly side: 'buy' | 'sell';
    /** What the venue took of the fill. */
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
    /** What is left. */
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
