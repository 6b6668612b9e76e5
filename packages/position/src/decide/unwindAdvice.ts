import type { PricePips, TokenUnits } from '@core/pricing';
import type { UnwindReason } from '../states/unwindReasons.ts';

/** Sale that repays debt, as the risk policy requests it. */
export interface UnwindSale {
  readonly kind: 'sell';
  readonly reason: UnwindReason;
  /** The rung of the ladder that it carries out; null when nothing was planned. */
  readonly rung: number | null;
  /** True when no debt may stay, at any price of the tokens. */
  readonly isHardExit: boolean;
  /** True when all tokens are sold although they do not cover the debt. */
  readonly isBelowDebt: boolean;
  /** Size to sell, on the venue's grid: it repays the debt at its limit, or is the part that the book takes. */
  readonly tokenUnits: TokenUnits;
  readonly tickPricePips: PricePips;
  /** Time of the next check if no order results. */
  readonly retryAtMs: number;
}

/** Advice of the risk policy about the debt of a position now. */
export type UnwindAdvice =
  /** Covered, or without debt. */
  | { readonly kind: 'none' }
  | UnwindSale
  /** Something may be due and nothing can be sold now. */
  | {
      readonly kind: 'wait';
      readonly reason: string;
      readonly untilMs: number;
      /** Alert for an operator: waiting may cost the pool money. */
      readonly isAlert: boolean;
    };
