import type { PlannedUnwind, Side } from '@core/position';
import type { PricePips, QuoteFigures, RateBps } from '@core/pricing';
import type { RiskMode } from '../partner/partnerTerms.ts';

export type Revision = 'notional_reduced' | 'leverage_reduced' | 'notional_and_leverage_reduced';

/** A quote the policy is willing to sign: what was granted, all figures, and what chain and keeper need with it. */
export interface PricedQuote {
  readonly kind: 'priced';
  readonly side: Side;
  readonly tokenId: string;
  /** Null when the request was granted unchanged. */
  readonly revision: Revision | null;
  readonly slippageBps: RateBps;
  /** 10000 for an atomic order. */
  readonly minFillBps: RateBps;
  readonly allowPartialFill: boolean;
  /** Of the size as granted, after revision. */
  readonly figures: QuoteFigures;
  /** Mark of an opening attestation at this moment. */
  readonly markPricePips: PricePips;
  readonly exitBufferBps: RateBps;
  readonly riskMode: RiskMode;
  /** Time that a forced sale is expected to take now; the debt is watched with it as long as it is owed. */
  readonly exitSeconds: number;
  /** Empty for adaptive positions. */
  readonly plannedUnwinds: readonly PlannedUnwind[];
}
