import type { PricePips, TokenUnits } from '@core/pricing';
import type { UnwindReason } from '../states/unwindReasons.ts';

/** A sale that repays debt, as the risk policy asks for it. */
export interface UnwindSale {
  readonly kind: 'sell';
  readonly reason: UnwindReason;
  /** The rung of the ladder that it carries out; null when nothing was planned. */
  readonly rung: number | null;
  /** No debt may stay, whatever the tokens bring. */
  readonly isHardExit: boolean;
  /** Size to sell, on the venue's grid: it repays the debt at its limit, or is the part that the book takes. */
  readonly tokenUnits: TokenUnits;
  readonly tickPricePips: PricePips;
  /** When to look again should it come to no order. */
  readonly retryAtMs: number;
}

/** What the risk policy says about the debt of a position now. */
export type UnwindAdvice =
  /** Covered, or no debt at all. */
  | { readonly kind: 'none' }
  | UnwindSale
  /** Something may be due and nothing can be sold now. */
  | {
      readonly kind: 'wait';
      readonly reason: string;
      readonly untilMs: number;
      /** A person is asked for: waiting may cost the pool money. */
      readonly isAlert: boolean;
    };
