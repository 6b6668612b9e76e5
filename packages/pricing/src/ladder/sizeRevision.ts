import type { BookLevel } from '../book/orderBook.ts';
import type { CollateralFloorHint } from '../limits/hints.ts';
import type { LiquidationTerms } from '../liquidation/liquidationPrice.ts';
import type { ExpectedFill } from '../quote/expectedFill.ts';
import type { SnappedSize } from '../size/snapQuote.ts';
import type { LeverageBps, PricePips, RateBps, UsdcUnits, UsdPips } from '../units/quantity.ts';

/** Size that a user requests, already checked for form: leverage on the step, notional at least the minimum. */
export interface SizeRequest {
  readonly side: 'yes' | 'no';
  readonly notionalUsdPips: UsdPips;
  readonly leverageBps: LeverageBps;
  readonly slippageBps: RateBps;
  readonly allowRevision: boolean;
  /** Fill floor of a partial-open, or null for an atomic opening. */
  readonly minFillBps: RateBps | null;
}

/** Book, mark and limits of a market as the ladder uses them. */
export interface SizeMarket extends LiquidationTerms {
  /** Asks of the side's token, best first. */
  readonly asks: readonly BookLevel[];
  /** Mark of an opening attestation at this moment. */
  readonly markPricePips: PricePips;
  readonly minNotionalUsdPips: UsdPips;
  /** Minimum of the market; the vault's floor of 1,000,000 units applies as well. */
  readonly minCollateralUsdPips: UsdPips;
  /** True before the start of a game, when a thin book has its own code. */
  readonly isPregame: boolean;
  /** G: the maximum leverage of the market at a notional, on the step, never higher for a larger one. */
  readonly leverageLimitOf: (notionalUsdPips: UsdPips) => LeverageBps;
}

/** Figures that a revision lowered (specification, Quote revision rules). */
export type Revision = 'notional_reduced' | 'leverage_reduced' | 'notional_and_leverage_reduced';

/** Size that can be quoted now. */
export interface AcceptedSize {
  readonly kind: 'accepted';
  /** Revision of the request; null when it was granted unchanged. */
  readonly revision: Revision | null;
  readonly notionalUsdPips: UsdPips;
  readonly leverageBps: LeverageBps;
  readonly size: SnappedSize;
  readonly fill: ExpectedFill;
}

interface LiquidityHint {
  readonly max_supported_collateral_usd_pips: UsdPips;
  readonly min_notional_usd_pips: UsdPips;
  readonly slippage_max_usd_pips: UsdPips;
}

interface LeverageHint {
  readonly current_book_leverage_bps: LeverageBps;
  readonly max_leverage_bps: LeverageBps;
}

/** Params of each refusal, keyed as the specification spells them (Hint params), values as quantities. */
export interface SizeRefusalParams {
  readonly notional_selector_empty_order_book: Readonly<Record<string, never>>;
  readonly notional_selector_below_min_notional: LiquidityHint;
  readonly notional_selector_pregame_insufficient_liquidity: LiquidityHint;
  readonly notional_selector_insufficient_liquidity: LiquidityHint;
  readonly quote_slippage_too_high: { readonly current_slippage_bps: RateBps; readonly max_slippage_bps: RateBps };
  readonly quote_liquidation_not_viable: {
    readonly entry_price_usd_pips: PricePips;
    readonly liquidation_price_usd_pips: PricePips;
    readonly min_tolerance_pct_bps: RateBps;
    readonly side: 'yes' | 'no';
  };
  readonly quote_leverage_too_high_for_price: {
    readonly current_book_leverage_bps: LeverageBps;
    readonly entry_price_usd_pips: PricePips;
    readonly max_acceptable_leverage_bps: LeverageBps;
    readonly minimum_buffer_usd_pips: PricePips;
  };
  readonly quote_leverage_exceeds_maximum: LeverageHint;
  readonly quote_leverage_exceeds_model_max: LeverageHint;
  readonly quote_max_leverage_too_low: {
    readonly max_leverage_bps: LeverageBps;
    readonly min_leverage_bps: LeverageBps;
  };
  readonly quote_leverage_exceeds_collateral_floor: CollateralFloorHint;
  readonly LIQUIDITY_INSUFFICIENT: Readonly<Record<string, never>>;
  readonly QUOTE_REVISION_REQUIRED: {
    readonly revision: Revision;
    readonly requested_leverage_bps: LeverageBps;
    readonly requested_notional_usd_pips: UsdPips;
    readonly acceptable_leverage_bps: LeverageBps;
    readonly acceptable_notional_usd_pips: UsdPips;
    readonly acceptable_collateral_usdc_units: UsdcUnits;
  };
}

/** Codes of the ladder. */
export type SizeRefusalCode = keyof SizeRefusalParams;

/** Refusal of the ladder, in the shape of every other rejection of the service. */
export type SizeRefusal = {
  [Code in SizeRefusalCode]: {
    readonly kind: 'rejection';
    readonly code: Code;
    readonly params: SizeRefusalParams[Code];
  };
}[SizeRefusalCode];

/** Result of the ladder: a size to quote, or a refusal. */
export type SizeRevision = AcceptedSize | SizeRefusal;
