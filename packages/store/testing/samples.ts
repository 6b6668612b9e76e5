import type { ListedMarket } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { type PartnerTerms, type PricedQuote, policyDefaults, type QuoteRequest } from '@core/policy';
import { hashOf, sampleNowMs, walletOf } from '@core/position/testing';
import { leverageBps, pricePips, type QuoteFigures, quoteFiguresOf, rateBps, tokenUnits, usdPips } from '@core/pricing';
import type { AdmissionOutcome } from '../src/quote/admission.ts';
import type { AdmissionStore } from '../src/quote/createAdmission.ts';
import type { QuoteRecord, ReserveLimits, ReserveRequest } from '../src/quote/createQuotes.ts';

/** Consistent records for tests. Every instant is derived from `sampleNowMs`, every hash from a number. */
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
    noSubTitle: 'Down',
    category: 'crypto',
    eventTicker: 'event-1',
    eventTitle: 'Event 1',
    seriesTicker: 'series-1',
    clusterKey: 'cluster-1',
    tags: ['crypto'],
    closeTimeMs: sampleNowMs + 3_600_000,
    latestEnterAtMs: sampleNowMs + 3_000_000,
    record: sampleVenueMarket(`market-${number}`, sampleNowMs, { tokenIds: { yes: `${number}1`, no: `${number}2` } }),
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

const sampleFigures: QuoteFigures = quoteFiguresOf({
  asks: [{ pricePips: pricePips(5_000n), sizeTokenUnits: tokenUnits(1_000_000_000n) }],
  notionalUsdPips: sampleRequest.notionalUsdPips,
  leverageBps: sampleRequest.leverageBps,
  slippageBps: sampleRequest.slippageBps,
  tickPricePips: pricePips(100n),
  exitBufferBps: rateBps(800n),
  fees: {
    ...policyDefaults.fees,
    contractMaxOriginationFeeBps: rateBps(500n),
    venue: { ratePpm: 70_000n, exponent: 1n },
  },
});

export const samplePricedQuote: PricedQuote = {
  kind: 'priced',
  side: 'yes',
  tokenId: '11',
  revision: null,
  slippageBps: sampleRequest.slippageBps,
  minFillBps: rateBps(10_000n),
  allowPartialFill: false,
  figures: sampleFigures,
  markPricePips: pricePips(4_950n),
  exitBufferBps: rateBps(800n),
  riskMode: 'adaptive',
  exitSeconds: 60,
  plannedUnwinds: [],
};

export const noLimits: ReserveLimits = {
  user: { notionalUsdPips: null, borrowUsdcUnits: null },
  cluster: { borrowUsdcUnits: null },
  side: { notionalUsdPips: null, borrowUsdcUnits: null, promisedUsdcUnits: null },
  market: { notionalUsdPips: null, borrowUsdcUnits: null },
  partner: { notionalUsdPips: null },
  global: { notionalUsdPips: null, borrowUsdcUnits: null, promisedUsdcUnits: null },
};

/** Reserve and store a quote on its own: without buckets and without an Idempotency-Key. */
export async function reserveQuote(
  { admission }: { readonly admission: AdmissionStore },
  reservation: ReserveRequest,
): Promise<AdmissionOutcome['kind']> {
  const plain = { standard: null, strict: null, idempotency: null, nowMs: sampleNowMs };
  return (await admission.admit({ ...plain, reservation })).outcome.kind;
}

function sampleQuote(number: number, changes: Partial<QuoteRecord> = {}): Omit<QuoteRecord, 'positionId'> {
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
    riskSignature: `0x${'1b'.repeat(65)}`,
    ...changes,
  };
}

export function sampleReserve(
  number: number,
  changes: Partial<Omit<ReserveRequest, 'quote'>> &
    Partial<Pick<QuoteFigures, 'notionalUsdPips' | 'borrowUsdcUnits'>> & { readonly quote?: Partial<QuoteRecord> } = {},
): ReserveRequest {
  const { notionalUsdPips, borrowUsdcUnits, quote, ...rest } = changes;
  const figures: QuoteFigures = {
    ...sampleFigures,
    ...(notionalUsdPips !== undefined && { notionalUsdPips }),
    ...(borrowUsdcUnits !== undefined && { borrowUsdcUnits }),
  };
  return {
    clusterKey: null,
    limits: noLimits,
    releaseAtMs: sampleNowMs + 45_000,
    ...rest,
    quote: sampleQuote(number, { figures: { ...samplePricedQuote, figures }, ...quote }),
  };
}
