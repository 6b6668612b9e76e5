import type { LeverageBps, PricePips, QuoteFigures, RateBps, UsdPips } from '@core/pricing';
import type { Side } from '../market/marketFacts.ts';
import type { RiskMode } from './partnerTerms.ts';

export type Revision = 'notional_reduced' | 'leverage_reduced' | 'notional_and_leverage_reduced';

/** A rung of a committed position's ladder, fixed when the quote was given. */
export interface PlannedUnwind {
  readonly rung: number;
  /** The rung is due when the mark is at or below this price. */
  readonly triggerPricePips: PricePips;
  readonly targetLeverageBps: LeverageBps;
}

/** A quote the policy is willing to sign: what was granted, all figures, and what the chain and the keeper need with it. */
export interface PricedQuote {
  readonly kind: 'priced';
  readonly side: Side;
  readonly tokenId: string;
  /** Granted, after revision. */
  readonly leverageBps: LeverageBps;
  /** Granted, after revision; equals the request unless the size was revised. */
  readonly notionalUsdPips: UsdPips;
  /** Null when the request was granted as it came. */
  readonly revision: Revision | null;
  readonly slippageBps: RateBps;
  /** 10000 for an atomic order. */
  readonly minFillBps: RateBps;
  readonly allowPartialFill: boolean;
  readonly figures: QuoteFigures;
  /** What an opening attestation would carry now. */
  readonly markPricePips: PricePips;
  readonly exitBufferBps: RateBps;
  readonly riskMode: RiskMode;
  /** Empty for adaptive positions. */
  readonly plannedUnwinds: readonly PlannedUnwind[];
}
