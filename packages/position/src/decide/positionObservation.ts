import type { BookLevel, PricePips, TokenUnits, UsdcUnits } from '@core/pricing';
import type { OpeningFailureReason } from '../states/openingFailure.ts';
import type { LivePurpose, PositionStateName } from '../states/transitions.ts';
import type { CloseAttempt } from './closeRetry.ts';
import type { UnwindAdvice } from './unwindAdvice.ts';
import type { UnwindRefusal } from './unwindRetry.ts';

/** The one order of a position that may still fill. */
export interface LiveOrder {
  readonly purpose: LivePurpose;
  readonly validUntilMs: number;
  /** The venue says that it will not fill any further: filled, killed or rejected. */
  readonly isTerminalAtVenue: boolean;
  /** What the account holds of it on chain, not what the venue reports. */
  readonly filledUsdcUnits: UsdcUnits;
}

/** The live book of a position's token, best levels first. */
export interface LiveBook {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  readonly tickPricePips: PricePips;
  /** Lowest price of a forced sale: mark × (1 − slip); null while the book has one side only. */
  readonly saleFloorPricePips: PricePips | null;
}

/** What the keeper sees of a position before it acts: chain first, then venue, then its own intents. */
export interface PositionObservation {
  /** Chain time: the only clock of a decision. */
  readonly nowMs: number;
  readonly state: PositionStateName;
  /** The digest matches a stored quote. Others are frozen and never touched. */
  readonly isKnownQuote: boolean;
  readonly liveOrder: LiveOrder | null;
  /** The venue takes orders and nothing of a resolution is known. */
  readonly isMarketTradable: boolean;
  readonly arePayoutsKnown: boolean;
  /** Null when the venue has none. Read only when `isBookNeeded`; nothing else depends on it. */
  readonly book: LiveBook | null;
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
    /** What earlier orders left of the user's budget for the venue's fees of the whole opening. */
    readonly venueFeeLeftUsdcUnits: UsdcUnits;
    /** The account has tokens of it. */
    readonly hasTokens: boolean;
    readonly attemptCount: number;
    readonly lastAttemptAtMs: number | null;
    /** What the attempts so far came to, should it stay without a fill. */
    readonly unfilledReason: OpeningFailureReason;
  };
  readonly closing: {
    readonly heldTokenUnits: TokenUnits;
    readonly debtUsdcUnits: UsdcUnits;
    /** As the user asked, less what was sold of it. */
    readonly askedTokenUnits: TokenUnits;
    /** What an order can still sell of it; null when nothing is requested. */
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
    /** The last sale that came to no order, as far as this process knows. */
    readonly refusal: UnwindRefusal | null;
  };
  readonly liquidation: {
    /** The live mark is at or below the vault's liquidation price. */
    readonly isDue: boolean;
    readonly attemptCount: number;
    readonly lastAttemptAtMs: number | null;
  };
}
