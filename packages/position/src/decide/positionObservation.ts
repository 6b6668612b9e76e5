import type { BookLevel, PricePips, TokenUnits, UsdcUnits } from '@core/pricing';
import type { OpeningFailureReason } from '../states/openingFailure.ts';
import type { LivePurpose, PositionStateName } from '../states/transitions.ts';
import type { CloseAttempt } from './closeRetry.ts';
import type { UnwindAdvice } from './unwindAdvice.ts';
import type { UnwindRefusal } from './unwindRetry.ts';

/** The one order or grant of a position that may still fill. */
export interface LiveOrder {
  readonly purpose: LivePurpose;
  /** True for a grant of the vault: only the chain changes it. */
  readonly isGrant: boolean;
  readonly validUntilMs: number;
  /** The venue says that it will not fill any further: filled, killed or rejected. */
  readonly isTerminalAtVenue: boolean;
  /** Amount the account holds on chain, not the venue's report. */
  readonly filledUsdcUnits: UsdcUnits;
}

/** Lowest bids that a requested close counts on, by whether its user named a least price; null without a mark. */
export interface CloseFloors {
  readonly pricedPips: PricePips | null;
  readonly unpricedPips: PricePips | null;
}

/** The live book of a position's token, best levels first. */
export interface LiveBook {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  readonly tickPricePips: PricePips;
  /** Lowest price of a forced sale: mark × (1 − slip); null while the book has one side only. */
  readonly saleFloorPricePips: PricePips | null;
  /** Lowest bids that a requested close counts on; absent where an order takes any price of the user. */
  readonly closeFloors?: CloseFloors;
}

/** Observation of a position before the keeper acts: chain, venue and its own intents, without the book. */
export interface PositionObservation {
  /** Chain time: the only clock of a decision. */
  readonly nowMs: number;
  readonly state: PositionStateName;
  /** The digest matches a stored quote. Another position is never opened; an open one is followed like any other. */
  readonly isKnownQuote: boolean;
  readonly liveOrder: LiveOrder | null;
  /** The venue takes orders and nothing of a resolution is known. */
  readonly isMarketTradable: boolean;
  readonly arePayoutsKnown: boolean;
  /** Calls of the vault that were made before: they number the next one. */
  readonly callCounts: {
    /** For orders of the live one's purpose. */
    readonly finalize: number;
    readonly refund: number;
    readonly settle: number;
  };
  readonly opening: {
    readonly isCancelRequested: boolean;
    readonly windowEndsAtMs: number;
    readonly allowPartialFill: boolean;
    readonly notionalUsdcUnits: UsdcUnits;
    /** Minimum notional that must fill; equal to the notional of an atomic opening. */
    readonly floorUsdcUnits: UsdcUnits;
    /** Spent on tokens by orders that ended. */
    readonly filledUsdcUnits: UsdcUnits;
    readonly minPositionTokenUnits: TokenUnits;
    /** Remainder of the user's budget for the venue's fees of the whole opening, after earlier orders. */
    readonly venueFeeLeftUsdcUnits: UsdcUnits;
    /** The account has tokens of it. */
    readonly hasTokens: boolean;
    readonly attemptCount: number;
    readonly lastAttemptAtMs: number | null;
    /** Failure reason of the attempts so far, if the opening stays without a fill. */
    readonly unfilledReason: OpeningFailureReason;
  };
  readonly closing: {
    readonly heldTokenUnits: TokenUnits;
    readonly debtUsdcUnits: UsdcUnits;
    /** As the user asked, less what was sold of it. */
    readonly askedTokenUnits: TokenUnits;
    /** Tokens of the request that an order can still sell; null when nothing is requested. */
    readonly requestedTokenUnits: TokenUnits | null;
    readonly minPricePips: PricePips;
    /** Orders made for closes of this position so far. */
    readonly attemptCount: number;
    /** The last of them, as many as the delay to the next one can depend on; oldest first. */
    readonly attempts: readonly CloseAttempt[];
    readonly isDeferred: boolean;
  };
  readonly unwind: {
    readonly advice: UnwindAdvice;
    /** Orders made for unwinds of this position. */
    readonly attemptCount: number;
    /** Last sale without an order; null when this process knows of none. */
    readonly refusal: UnwindRefusal | null;
  };
  readonly liquidation: {
    /** The live mark is at or below the vault's liquidation price. */
    readonly isDue: boolean;
    readonly attemptCount: number;
    readonly lastAttemptAtMs: number | null;
  };
}

/** An observation and the book of the position's token; null when the venue has none. */
export interface BookedObservation extends PositionObservation {
  readonly book: LiveBook | null;
}
