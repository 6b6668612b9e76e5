import { type PricePips, pricePips, type RateBps, rateBps, type TokenUnits } from '@core/pricing';
import { blankOf } from '../record/blank.ts';
import { lowerHex } from '../record/hex.ts';
import { type Position, positionFields } from '../record/position.ts';
import type { QuotedRisk } from '../record/quotedRisk.ts';
import type { OpeningFailureReason } from '../states/openingFailure.ts';
import type { RiskMode, Side } from '../states/terms.ts';
import type { UnwindOrder } from './besideEvent.ts';
import type { EventNamed } from './positionEvent.ts';

/** Terms of a stored quote beside those on chain. */
export interface QuotedTerms {
  readonly id: string;
  readonly partnerId: string;
  readonly side: Side;
  readonly riskMode: RiskMode;
  readonly risk: QuotedRisk;
  readonly positionTokenUnits: TokenUnits;
  readonly entryPricePips: PricePips;
  readonly protocolOriginationFeeBps: RateBps;
  readonly partnerOriginationFeeBps: RateBps;
  readonly partnerTradingFeeBps: RateBps;
  readonly exitBufferBps: RateBps;
  readonly slippageBps: RateBps;
  readonly allowPartialFill: boolean;
  readonly minFillBps: RateBps;
}

/** Context of a position from outside its own events. */
export interface FoldContext {
  readonly positionId: string;
  /** The stored quote whose digest the chain's fields have; null when it is not known, or lost. */
  readonly quote: QuotedTerms | null;
  readonly market: { readonly id: string; readonly noTokenId: string } | null;
  readonly arePayoutsKnown: boolean;
  /** Reason for which the keeper refunded an opening. */
  readonly refundReason: OpeningFailureReason | null;
  readonly closeDeferredAtMs: number | null;
  /** Reasons of ordered unwinds, by the hash of their order in lower case. */
  readonly unwindOrders: ReadonlyMap<string, UnwindOrder>;
}

/** A pending position: the terms of its quote, and of the chain where no quote is known. */
export function createdPositionOf(event: EventNamed<'PositionCreated'>, context: FoldContext): Position {
  const { request, positionKey, user, account } = event.args;
  const { quote, market } = context;
  const venueTokenId = request.venueTokenId.toString();
  return {
    ...blankOf(positionFields),
    id: context.positionId,
    positionKey: lowerHex(positionKey),
    accountAddress: lowerHex(account),
    partnerId: quote?.partnerId ?? null,
    quoteId: quote?.id ?? null,
    walletAddress: lowerHex(user),
    marketId: market?.id ?? null,
    side: quote?.side ?? (market?.noTokenId === venueTokenId ? 'no' : 'yes'),
    venueMarketId: lowerHex(request.venueMarketId),
    venueTokenId,
    chainState: 'pending',
    status: 'pending',
    ...quotedTermsOf(event, quote),
    collateralUsdcUnits: request.collateralUsdcUnits,
    originationFeeUsdcUnits: event.args.originationFeeUsdcUnits,
    structuralLeverageBps: request.leverageBps,
    createdAtMs: event.blockTimeMs,
    updatedBlockNumber: event.blockNumber,
  };
}

/** Figures of the quote; what only an unknown quote could have said stays zero. */
function quotedTermsOf({ args }: EventNamed<'PositionCreated'>, quote: QuotedTerms | null): Partial<Position> {
  const { request } = args;
  const isPartialAsked = quote?.allowPartialFill === true;
  return {
    riskMode: quote?.riskMode ?? 'adaptive',
    quotedRisk: quote?.risk ?? null,
    quotedCollateralUsdcUnits: request.collateralUsdcUnits,
    quotedNotionalUsdcUnits: request.notionalUsdcUnits,
    quotedOriginationFeeUsdcUnits: args.originationFeeUsdcUnits,
    quotedVenueFeeUsdcUnits: request.venueFeeUsdcUnits,
    quotedTokenUnits: quote?.positionTokenUnits ?? request.minPositionTokenUnits,
    entryPricePips: quote?.entryPricePips ?? pricePips(0n),
    leverageBps: request.leverageBps,
    originationFeeBps: request.originationFeeBps,
    protocolOriginationFeeBps: quote?.protocolOriginationFeeBps ?? request.originationFeeBps,
    partnerOriginationFeeBps: quote?.partnerOriginationFeeBps ?? rateBps(0n),
    partnerTradingFeeBps: quote?.partnerTradingFeeBps ?? rateBps(0n),
    lifetimeFeeAprBps: request.lifetimeFeeAprBps,
    liquidationFeeBps: request.liquidationFeeBps,
    exitBufferBps: quote?.exitBufferBps ?? rateBps(0n),
    slippageBps: quote?.slippageBps ?? rateBps(0n),
    minPositionTokenUnits: request.minPositionTokenUnits,
    maxLiquidationPricePips: request.maxLiquidationPricePips,
    contractMinFillBps: request.minFillBps,
    allowPartialFill: isPartialAsked ? true : null,
    minFillBps: isPartialAsked ? (quote?.minFillBps ?? null) : null,
  };
}
