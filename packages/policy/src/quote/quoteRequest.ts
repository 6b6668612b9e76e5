import type { Side } from '@core/position';
import type { LeverageBps, PricePips, RateBps, UsdPips } from '@core/pricing';

export type QuoteKind = 'quote' | 'draft';

/** A parsed quote request. Types, formats and the leverage step were checked when it was parsed. */
export interface QuoteRequest {
  /** Wallet of the caller's token, as given; anything but 20 bytes of hex refuses the quote. */
  readonly walletAddress: string;
  readonly side: Side;
  readonly leverageBps: LeverageBps;
  readonly notionalUsdPips: UsdPips;
  readonly slippageBps: RateBps;
  readonly allowRevision: boolean;
  readonly allowPartialFill: boolean;
  /** Null when the caller left it out. */
  readonly minFillBps: RateBps | null;
  /** Entry price of the draft when a draft is promoted, null otherwise. */
  readonly draftEntryPricePips: PricePips | null;
}

/** Switches of the service, checked before anything about the market. */
export interface ServiceSnapshot {
  readonly isQuoteCreationEnabled: boolean;
  readonly isPartialOpenEnabled: boolean;
  /** Silence of the keeper; null without any report, or when its chain stands still. Over the limit nothing opens. */
  readonly keeperHeartbeatAgeMs: number | null;
  /** False while the venue refuses the service's orders: nothing could be sold. */
  readonly isVenueTakingOrders: boolean;
  /** False while no price signer answers: nothing could be authorised. */
  readonly isPriceSignerAnswering: boolean;
  /** False while forced sales of the market's category take too long. */
  readonly isExitQuick: boolean;
  /** False while no filler takes the openings of the market's category, or none takes its sales. */
  readonly areGrantsFilled: boolean;
  /** Age of the last check of this market's debts; null before the first. */
  readonly debtWatchAgeMs: number | null;
}
