import type {
  OrderPurpose as AnyOrderPurpose,
  CloseReason,
  OpeningFailureReason,
  PositionStateName,
  PositionStatus,
  RiskMode,
  Side,
} from '@core/policy';
import type { LeverageBps, PricePips, RateBps, TokenUnits, UsdcUnits } from '@core/pricing';

/** The vault's eight states, by name. */
export type ChainState = PositionStateName;

export type { CloseReason, PositionStatus };

export type FailureReason = OpeningFailureReason;

/** The purpose of an order that may still fill. */
export type OrderPurpose = Exclude<AnyOrderPurpose, 'none'>;

/**
 * One position, as the chain's ledger tells it plus the terms it was quoted with. Letters in the comments are those of
 * DEFINITIONS sections 4 and 5. Amounts are USDC units unless the name says otherwise.
 */
export interface PositionRecord {
  readonly id: string;
  readonly positionKey: string;
  readonly accountAddress: string;
  /** Null together with `quoteId` when no stored quote matches: such a position is frozen. */
  readonly partnerId: string | null;
  readonly quoteId: string | null;
  readonly walletAddress: string;
  readonly marketId: string | null;
  readonly side: Side;
  readonly venueMarketId: string;
  readonly venueTokenId: string;
  readonly riskMode: RiskMode;
  readonly chainState: ChainState;
  readonly status: PositionStatus;
  readonly closeReason: CloseReason | null;
  readonly failureReason: FailureReason | null;
  /** Why a person must look; the keeper leaves a frozen position alone. */
  readonly frozenReason: string | null;

  /** c, N, quoted origination fee, venue part + partner part of the quoted open fee. */
  readonly quotedCollateralUsdcUnits: UsdcUnits;
  readonly quotedNotionalUsdcUnits: UsdcUnits;
  readonly quotedOriginationFeeUsdcUnits: UsdcUnits;
  readonly quotedVenueFeeUsdcUnits: UsdcUnits;
  /** T of the quote, before slippage. */
  readonly quotedTokenUnits: TokenUnits;
  /** Indicative entry price of the quote. */
  readonly entryPricePips: PricePips;
  readonly leverageBps: LeverageBps;
  readonly originationFeeBps: RateBps;
  readonly protocolOriginationFeeBps: RateBps;
  readonly partnerOriginationFeeBps: RateBps;
  readonly partnerTradingFeeBps: RateBps;
  readonly lifetimeFeeAprBps: RateBps;
  readonly liquidationFeeBps: RateBps;
  /** b; the buffer of the opening attestation once open, before that of the policy at quote time. */
  readonly exitBufferBps: RateBps;
  readonly slippageBps: RateBps;
  /** The user's unsigned arguments as the chain has them. */
  readonly minPositionTokenUnits: TokenUnits;
  readonly maxLiquidationPricePips: PricePips;
  readonly contractMinFillBps: RateBps;
  /** Echoes of the request; null when partial-open was not asked for. */
  readonly allowPartialFill: boolean | null;
  readonly minFillBps: RateBps | null;

  /** S, T0 and the mark at the opening; null until opened. */
  readonly spentUsdcUnits: UsdcUnits | null;
  readonly openedTokenUnits: TokenUnits | null;
  readonly openedMarkPricePips: PricePips | null;

  /** T, P, C, d, o, and the two parts of v (opening, sales); o and v are scaled by partial closes. */
  readonly tokenUnits: TokenUnits;
  readonly principalUsdcUnits: UsdcUnits;
  readonly collateralUsdcUnits: UsdcUnits;
  readonly pendingLifetimeFeeUsdcUnits: UsdcUnits;
  readonly originationFeeUsdcUnits: UsdcUnits;
  readonly openVenueFeeUsdcUnits: UsdcUnits;
  readonly saleVenueFeeUsdcUnits: UsdcUnits;
  /** Structural leverage: the entry value until an unwind completed. */
  readonly structuralLeverageBps: LeverageBps;
  /** Σ structural leverage × seconds until `leverageChangedAtMs`; the running part is added by the reader. */
  readonly leverageBpsSeconds: bigint;

  /** Whole-life totals, never scaled. */
  readonly totalOriginationFeeUsdcUnits: UsdcUnits;
  readonly totalOpenVenueFeeUsdcUnits: UsdcUnits;
  readonly totalSaleVenueFeeUsdcUnits: UsdcUnits;
  /** Paid or credited to the user after opening, without open-time refunds. */
  readonly proceedsUsdcUnits: UsdcUnits;
  /** Returned at opening, cancel or revert. */
  readonly refundedUsdcUnits: UsdcUnits;
  /** Counted in one of the two above, and still in the position's account: the user could not receive it when it was paid. */
  readonly deferredUsdcUnits: UsdcUnits;
  /** What the user repaid of the debt, with margin, to exit, or with a payment that waited when the debt was taken. */
  readonly repaidMarginUsdcUnits: UsdcUnits;
  readonly collectedLifetimeFeeUsdcUnits: UsdcUnits;
  readonly collectedLiquidationFeeUsdcUnits: UsdcUnits;
  /** Unpaid principal only. */
  readonly badDebtUsdcUnits: UsdcUnits;

  readonly livePurpose: OrderPurpose | null;
  readonly liveOrderHash: string | null;
  readonly liveValidUntilMs: number | null;
  /** Tokens still asked to be closed; null without a request. */
  readonly closeRequestedTokenUnits: TokenUnits | null;
  readonly closeRequestedMinPricePips: PricePips | null;
  readonly closeRequestedAtMs: number | null;
  readonly cancelRequestedAtMs: number | null;
  /** A requested close met a resolved market: the tokens wait for settlement. */
  readonly closeDeferredAtMs: number | null;

  /** Block times. */
  readonly createdAtMs: number;
  readonly openedAtMs: number | null;
  readonly principalChangedAtMs: number | null;
  readonly leverageChangedAtMs: number | null;
  readonly closedAtMs: number | null;
  /** Block of the last event folded in. */
  readonly updatedBlockNumber: bigint;
}

/** The nine groups of the specification's position transactions. */
export type TransactionGroup =
  | 'open'
  | 'close'
  | 'liquidation'
  | 'settle'
  | 'force_unwind'
  | 'cancel_request'
  | 'cancel'
  | 'revert'
  | 'redemption';

export interface PositionTransactionRecord {
  readonly group: TransactionGroup;
  readonly transactionHash: string;
  readonly blockNumber: bigint;
  readonly logIndex: number;
  /** Whether this transaction's purpose routes to the exchange at all: only then the wire shows the list. */
  readonly routed: boolean;
  /** The venue's match transactions. */
  readonly exchangeTransactionHashes: readonly string[];
}

export interface PositionUnwindRecord {
  /** 0, 1, … in order of execution. */
  readonly sequence: number;
  readonly executedAtMs: number;
  readonly beforeLeverageBps: LeverageBps;
  readonly afterLeverageBps: LeverageBps;
  /** A value of the specification's `reason` list; null when no risk run is behind it. */
  readonly reason: string | null;
  readonly blockNumber: bigint;
}

export interface PositionPartialCloseRecord {
  readonly sequence: number;
  readonly executedAtMs: number;
  readonly soldTokenUnits: TokenUnits;
  readonly saleProceedsUsdcUnits: UsdcUnits;
  readonly capitalRepaidUsdcUnits: UsdcUnits;
  readonly userPayoutUsdcUnits: UsdcUnits;
  readonly remainingTokenUnits: TokenUnits;
  readonly newLeverageBps: LeverageBps;
  readonly blockNumber: bigint;
}

/** A position with everything that hangs on it: what one fold of its chain events yields. */
export interface PositionProjection {
  readonly position: PositionRecord;
  readonly transactions: readonly PositionTransactionRecord[];
  readonly unwinds: readonly PositionUnwindRecord[];
  readonly partialCloses: readonly PositionPartialCloseRecord[];
}
