import { pricePips, rateBps, subtract, tokenUnits, usdcUnits } from '@core/pricing';
import type { MarketRecord, PositionRecord, QuoteRecord } from '@core/store';
import { positionIdOf } from '@core/store';
import type { PlacedEvent } from './ledgerEvent.ts';

/** What a projection needs to know that the position's own events do not tell. */
export interface FoldContext {
  /** The stored quote whose digest the chain's fields have; null freezes the position. */
  readonly quote: QuoteRecord | null;
  readonly market: MarketRecord | null;
  readonly arePayoutsKnown: boolean;
  /** Why the keeper gave an opening up. */
  readonly refundReason: PositionRecord['failureReason'];
  readonly closeDeferredAtMs: number | null;
}

export type CreatedEvent = Extract<PlacedEvent, { name: 'PositionCreated' }>;

const none = usdcUnits(0n);

/** A pending position: the terms of its quote, and of the chain where no quote is known. */
export function createdPositionOf(event: CreatedEvent, context: FoldContext): PositionRecord {
  const { request, positionKey, user, account } = event.args;
  const { quote, market } = context;
  return {
    id: positionIdOf(positionKey),
    positionKey: positionKey.toLowerCase(),
    accountAddress: account.toLowerCase(),
    partnerId: quote?.partnerId ?? null,
    quoteId: quote?.id ?? null,
    walletAddress: user.toLowerCase(),
    marketId: market?.id ?? null,
    side: quote?.side ?? (market?.noTokenId === request.venueTokenId.toString() ? 'no' : 'yes'),
    venueMarketId: request.venueMarketId.toLowerCase(),
    venueTokenId: request.venueTokenId.toString(),
    chainState: 'pending',
    status: 'pending',
    closeReason: null,
    failureReason: null,
    frozenReason: quote === null ? 'unknown_quote' : null,
    ...quotedTermsOf(event, quote),
    ...unopened,
    principalUsdcUnits: none,
    collateralUsdcUnits: request.collateralUsdcUnits,
    originationFeeUsdcUnits: event.args.originationFeeUsdcUnits,
    structuralLeverageBps: request.leverageBps,
    createdAtMs: event.blockTimeMs,
    updatedBlockNumber: event.blockNumber,
  };
}

/** Figures of the quote; an unknown one leaves what only it could tell at zero. */
function quotedTermsOf({ args }: CreatedEvent, quote: QuoteRecord | null) {
  const { request } = args;
  const priced = quote?.figures;
  const figures = priced?.figures;
  const isPartialAsked = quote?.request.allowPartialFill === true;
  return {
    riskMode: priced?.riskMode ?? 'adaptive',
    quotedCollateralUsdcUnits: request.collateralUsdcUnits,
    quotedNotionalUsdcUnits: request.notionalUsdcUnits,
    quotedOriginationFeeUsdcUnits: args.originationFeeUsdcUnits,
    quotedVenueFeeUsdcUnits: request.venueFeeUsdcUnits,
    quotedTokenUnits: figures?.positionTokenUnits ?? request.minPositionTokenUnits,
    entryPricePips: figures?.entryPricePips ?? pricePips(0n),
    leverageBps: request.leverageBps,
    originationFeeBps: request.originationFeeBps,
    protocolOriginationFeeBps: figures?.protocolOriginationFeeBps ?? request.originationFeeBps,
    partnerOriginationFeeBps: figures?.partnerOriginationFeeBps ?? rateBps(0n),
    partnerTradingFeeBps: figures?.partnerTradingFeeBps ?? rateBps(0n),
    lifetimeFeeAprBps: request.lifetimeFeeAprBps,
    liquidationFeeBps: request.liquidationFeeBps,
    exitBufferBps: priced?.exitBufferBps ?? rateBps(0n),
    slippageBps: priced?.slippageBps ?? rateBps(0n),
    minPositionTokenUnits: request.minPositionTokenUnits,
    maxLiquidationPricePips: request.maxLiquidationPricePips,
    contractMinFillBps: request.minFillBps,
    allowPartialFill: isPartialAsked ? true : null,
    minFillBps: isPartialAsked ? (priced?.minFillBps ?? null) : null,
  } as const;
}

const unopened = {
  spentUsdcUnits: null,
  openedTokenUnits: null,
  openedMarkPricePips: null,
  tokenUnits: tokenUnits(0n),
  pendingLifetimeFeeUsdcUnits: none,
  openVenueFeeUsdcUnits: none,
  saleVenueFeeUsdcUnits: none,
  leverageBpsSeconds: 0n,
  totalOriginationFeeUsdcUnits: none,
  totalOpenVenueFeeUsdcUnits: none,
  totalSaleVenueFeeUsdcUnits: none,
  proceedsUsdcUnits: none,
  refundedUsdcUnits: none,
  deferredUsdcUnits: none,
  repaidMarginUsdcUnits: none,
  collectedLifetimeFeeUsdcUnits: none,
  collectedLiquidationFeeUsdcUnits: none,
  badDebtUsdcUnits: none,
  livePurpose: null,
  liveOrderHash: null,
  liveValidUntilMs: null,
  closeRequestedTokenUnits: null,
  closeRequestedMinPricePips: null,
  closeRequestedAtMs: null,
  cancelRequestedAtMs: null,
  closeDeferredAtMs: null,
  openedAtMs: null,
  principalChangedAtMs: null,
  leverageChangedAtMs: null,
  closedAtMs: null,
} as const;

/** What the pool lends to an opening: the quoted notional without the collateral. */
export function quotedBorrowOf(position: PositionRecord): PositionRecord['principalUsdcUnits'] {
  return subtract(position.quotedNotionalUsdcUnits, position.quotedCollateralUsdcUnits);
}
