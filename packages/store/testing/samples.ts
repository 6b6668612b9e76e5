import { type PartnerTerms, type PricedQuote, policyDefaults, type QuoteRequest } from '@core/policy';
import {
  constants,
  leverageBps,
  pricePips,
  type QuoteFigures,
  quoteFiguresOf,
  rateBps,
  tokenUnits,
  usdcUnits,
  usdPips,
} from '@core/pricing';
import type { ListedMarket } from '../src/market/markets.ts';
import type { PositionRecord } from '../src/position/positionRecord.ts';
import type { QuoteRecord, ReserveLimits, ReserveRequest } from '../src/quote/quotes.ts';

/** Consistent records for tests. Every instant is derived from `sampleNowMs`, every hash from a number. */
export const sampleNowMs = Date.UTC(2026, 10, 21, 12);

export function hashOf(number: number): string {
  // Spread over all bytes, so that ids made from the leading ones differ.
  return `0x${((BigInt(number + 1) * 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95n) % 2n ** 256n).toString(16).padStart(64, '0')}`;
}

export function walletOf(number: number): string {
  return `0x${(number + 1).toString(16).padStart(40, '0')}`;
}

export const samplePartnerTerms: PartnerTerms = {
  fees: policyDefaults.fees,
  minCollateralUsdPips: policyDefaults.quote.minCollateralUsdPips,
  minNotionalUsdPips: policyDefaults.quote.minNotionalUsdPips,
  maxLeverageBps: policyDefaults.quote.maxLeverageBps,
  riskMode: 'adaptive',
  limits: policyDefaults.limits.partner,
};

export function sampleMarket(number: number, changes: Partial<ListedMarket> = {}): ListedMarket {
  return {
    ticker: `market-${number}`,
    venueMarketId: hashOf(10_000 + number),
    questionId: hashOf(20_000 + number),
    oracleAddress: walletOf(99),
    yesTokenId: `${number}1`,
    noTokenId: `${number}2`,
    title: `Market ${number}`,
    yesSubTitle: 'Up',
    category: 'crypto',
    eventTicker: 'event-1',
    eventTitle: 'Event 1',
    seriesTicker: 'series-1',
    clusterKey: 'cluster-1',
    tags: ['crypto'],
    closeTimeMs: sampleNowMs + 3_600_000,
    latestEnterAtMs: sampleNowMs + 3_000_000,
    record: { volume24hUsdPips: 5n, outcomes: ['Up', 'Down'] },
    ...changes,
  };
}

export const sampleRequest: QuoteRequest = {
  walletAddress: walletOf(0),
  side: 'yes',
  leverageBps: leverageBps(50_000n),
  notionalUsdPips: usdPips(1_000_000n),
  slippageBps: rateBps(500n),
  allowRevision: false,
  allowPartialFill: false,
  minFillBps: null,
  draftEntryPricePips: null,
};

export const sampleFigures: QuoteFigures = quoteFiguresOf({
  asks: [{ pricePips: pricePips(5_000n), sizeTokenUnits: tokenUnits(1_000_000_000n) }],
  notionalUsdPips: sampleRequest.notionalUsdPips,
  leverageBps: sampleRequest.leverageBps,
  slippageBps: sampleRequest.slippageBps,
  tickPricePips: pricePips(100n),
  exitBufferBps: rateBps(800n),
  fees: {
    ...policyDefaults.fees,
    contractMaxOriginationFeeBps: constants.maxOriginationFeeBps,
    venue: { ratePpm: 70_000n, exponent: 1n },
  },
});

export const samplePricedQuote: PricedQuote = {
  kind: 'priced',
  side: 'yes',
  tokenId: '11',
  leverageBps: sampleRequest.leverageBps,
  notionalUsdPips: sampleRequest.notionalUsdPips,
  revision: null,
  slippageBps: sampleRequest.slippageBps,
  minFillBps: rateBps(10_000n),
  allowPartialFill: false,
  figures: sampleFigures,
  markPricePips: pricePips(4_950n),
  exitBufferBps: rateBps(800n),
  riskMode: 'adaptive',
  plannedUnwinds: [],
};

export const noLimits: ReserveLimits = {
  userNotionalUsdPips: null,
  marketNotionalUsdPips: null,
  sideNotionalUsdPips: null,
  globalNotionalUsdPips: null,
  partnerNotionalUsdPips: null,
  userBorrowUsdcUnits: null,
  marketBorrowUsdcUnits: null,
  sideBorrowUsdcUnits: null,
  clusterBorrowUsdcUnits: null,
  totalBorrowUsdcUnits: null,
  poolFreeLiquidityUsdcUnits: null,
};

export function sampleQuote(number: number, changes: Partial<QuoteRecord> = {}): Omit<QuoteRecord, 'positionId'> {
  return {
    id: `off_${number.toString().padStart(26, '0')}`,
    draftId: null,
    partnerId: 'ptn_1',
    walletAddress: walletOf(0),
    marketId: 'mkt_1',
    side: 'yes',
    positionKey: hashOf(number),
    positionSeed: `0x${number.toString(16).padStart(32, '0')}`,
    digest: hashOf(50_000 + number),
    signatureExpirySeconds: BigInt(sampleNowMs / 1_000 + 15),
    request: sampleRequest,
    figures: samplePricedQuote,
    createdAtMs: sampleNowMs,
    ...changes,
  };
}

export function sampleReserve(
  number: number,
  changes: Partial<Omit<ReserveRequest, 'quote'>> & { readonly quote?: Partial<QuoteRecord> } = {},
): ReserveRequest {
  return {
    notionalUsdPips: usdPips(1_000_000n),
    borrowUsdcUnits: usdcUnits(80_000_000n),
    clusterKey: null,
    limits: noLimits,
    releaseAtMs: sampleNowMs + 45_000,
    ...changes,
    quote: sampleQuote(number, changes.quote),
  };
}

export function samplePosition(number: number, changes: Partial<PositionRecord> = {}): PositionRecord {
  return {
    id: `pos_${number.toString().padStart(26, '0')}`,
    positionKey: hashOf(number),
    accountAddress: walletOf(1_000 + number),
    partnerId: 'ptn_1',
    quoteId: 'off_1',
    walletAddress: walletOf(0),
    marketId: 'mkt_1',
    side: 'yes',
    venueMarketId: hashOf(10_001),
    venueTokenId: '11',
    riskMode: 'adaptive',
    chainState: 'open',
    status: 'open',
    closeReason: null,
    failureReason: null,
    frozenReason: null,
    quotedCollateralUsdcUnits: usdcUnits(20_000_000n),
    quotedNotionalUsdcUnits: usdcUnits(100_000_000n),
    quotedOriginationFeeUsdcUnits: usdcUnits(1_000_000n),
    quotedVenueFeeUsdcUnits: usdcUnits(3_500_000n),
    quotedTokenUnits: tokenUnits(200_000_000n),
    entryPricePips: pricePips(5_000n),
    leverageBps: leverageBps(50_000n),
    originationFeeBps: rateBps(100n),
    protocolOriginationFeeBps: rateBps(100n),
    partnerOriginationFeeBps: rateBps(0n),
    partnerTradingFeeBps: rateBps(0n),
    lifetimeFeeAprBps: rateBps(1_000n),
    liquidationFeeBps: rateBps(100n),
    exitBufferBps: rateBps(800n),
    slippageBps: rateBps(500n),
    minPositionTokenUnits: tokenUnits(190_000_000n),
    maxLiquidationPricePips: pricePips(4_600n),
    contractMinFillBps: rateBps(10_000n),
    allowPartialFill: null,
    minFillBps: null,
    spentUsdcUnits: usdcUnits(100_000_000n),
    openedTokenUnits: tokenUnits(200_000_000n),
    openedMarkPricePips: pricePips(4_950n),
    tokenUnits: tokenUnits(200_000_000n),
    principalUsdcUnits: usdcUnits(80_000_000n),
    collateralUsdcUnits: usdcUnits(20_000_000n),
    pendingLifetimeFeeUsdcUnits: usdcUnits(0n),
    originationFeeUsdcUnits: usdcUnits(1_000_000n),
    openVenueFeeUsdcUnits: usdcUnits(3_400_000n),
    saleVenueFeeUsdcUnits: usdcUnits(0n),
    structuralLeverageBps: leverageBps(50_000n),
    leverageBpsSeconds: 0n,
    totalOriginationFeeUsdcUnits: usdcUnits(1_000_000n),
    totalOpenVenueFeeUsdcUnits: usdcUnits(3_400_000n),
    totalSaleVenueFeeUsdcUnits: usdcUnits(0n),
    proceedsUsdcUnits: usdcUnits(0n),
    refundedUsdcUnits: usdcUnits(100_000n),
    deferredUsdcUnits: usdcUnits(0n),
    repaidMarginUsdcUnits: usdcUnits(0n),
    collectedLifetimeFeeUsdcUnits: usdcUnits(0n),
    collectedLiquidationFeeUsdcUnits: usdcUnits(0n),
    badDebtUsdcUnits: usdcUnits(0n),
    livePurpose: null,
    liveOrderHash: null,
    liveValidUntilMs: null,
    closeRequestedTokenUnits: null,
    closeRequestedMinPricePips: null,
    closeRequestedAtMs: null,
    cancelRequestedAtMs: null,
    closeDeferredAtMs: null,
    createdAtMs: sampleNowMs,
    openedAtMs: sampleNowMs + 4_000,
    principalChangedAtMs: sampleNowMs + 4_000,
    leverageChangedAtMs: sampleNowMs + 4_000,
    closedAtMs: null,
    updatedBlockNumber: 7n,
    ...changes,
  };
}
