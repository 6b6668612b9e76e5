import type { MarketRecord, VenueMarket } from '@core/market';
import {
  type Position,
  type PositionObservation,
  sellableRequestOf,
  type UnwindAdvice,
  type UnwindRefusal,
  venueFeeLeftOf,
} from '@core/position';
import {
  add,
  compare,
  isZero,
  multiplyDivide,
  type PricePips,
  pricePips,
  raw,
  subtract,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import { type ChainPosition, vaultConstants } from '@core/vault';
import { zeroHash } from 'viem';
import { attemptCountOf, type Intent, ofOperation, signedCountOf } from '../transactions/intents.ts';
import type { OrderedPurpose } from '../transactions/intentTable.ts';
import { postOf } from '../transactions/venueOrders.ts';
import { failureReasonOf } from './failureReason.ts';
import { isOverOnChain } from './isOverOnChain.ts';

/** Market data of a step. */
export interface PositionMarket extends Pick<MarketRecord, 'status' | 'payoutDenominator'> {
  readonly record: Pick<VenueMarket, 'isClosed' | 'resolutionStatus' | 'tickPricePips'>;
}

/**
 * Market data of an unlisted market. Only the chain and the price signers know more of it: payouts settle it, and a
 * close is tried while there are none.
 */
const unlistedMarket: PositionMarket = {
  status: 'active',
  payoutDenominator: null,
  record: { isClosed: false, resolutionStatus: 'none', tickPricePips: pricePips(1n) },
};

/** Return the market data of a step; the default for an unlisted market. */
export function positionMarketOf(market: MarketRecord | null): PositionMarket {
  return market === null ? unlistedMarket : { ...market, record: market.record ?? unlistedMarket.record };
}

/** Data of a position from every source except the book. */
export interface PositionReadings {
  readonly record: Position;
  readonly market: PositionMarket;
  readonly chain: ChainPosition;
  /** Intents that a decision reads: unfinished ones, and the newest of each operation. */
  readonly intents: readonly Intent[];
  /** Cash of the account at the block of `chain`; read while Pending, zero otherwise. */
  readonly accountUsdcUnits: UsdcUnits;
  /** Mark of the position's token; null while none is reliable enough for a forced sale. */
  readonly markPricePips: PricePips | null;
}

/** Window after the creation in which the vault opens a position. */
const openWindowMs = vaultConstants.openWindowSeconds * 1_000;

/** Return true when the last close request was deferred; a deferral from before it was of an earlier request. */
export function isCloseDeferred(
  { closeRequestedAtMs }: Pick<Position, 'closeRequestedAtMs'>,
  intents: readonly Intent[],
): boolean {
  const last = ofOperation(intents, 'defer_close').at(-1);
  return last !== undefined && last.plan.details.decidedAtMs >= (closeRequestedAtMs ?? 0);
}

/** Build the observation of a decision. Chain time is its only clock. */
export function observationOf(
  readings: PositionReadings,
  { advice, refusal }: { readonly advice: UnwindAdvice; readonly refusal: UnwindRefusal | null },
): PositionObservation {
  const { record, market, chain, intents } = readings;
  const notional = record.quotedNotionalUsdcUnits;
  const isPartial = raw(record.contractMinFillBps) < 10_000n;
  const purpose = chain.liveOrder?.purpose ?? 'none';
  return {
    nowMs: chain.blockTimeMs,
    state: chain.state,
    isKnownQuote: record.quoteId !== null,
    liveOrder: liveOrderOf(readings),
    isMarketTradable: isTradable(market, market.record) && !chain.isDecided,
    arePayoutsKnown: chain.isDecided,
    callCounts: {
      finalize: signedCountOf(intents, `finalize_${purpose}`),
      refund: signedCountOf(intents, 'refund'),
      settle: signedCountOf(intents, 'settle'),
    },
    opening: {
      isCancelRequested: chain.isCancelRequested,
      windowEndsAtMs: record.createdAtMs + openWindowMs,
      allowPartialFill: isPartial,
      notionalUsdcUnits: notional,
      floorUsdcUnits: isPartial ? multiplyDivide(notional, raw(record.contractMinFillBps), 10_000n, 'up') : notional,
      filledUsdcUnits: chain.filledUsdcUnits,
      minPositionTokenUnits: record.minPositionTokenUnits,
      venueFeeLeftUsdcUnits: venueFeeLeftIn(readings),
      hasTokens: !isZero(chain.accountTokenUnits),
      ...lastAttemptOf(intents, 'open'),
      attemptCount: attemptCountOf(intents, 'authorize_open'),
      unfilledReason: failureReasonOf(intents, {
        notionalUsdcUnits: notional,
        minPositionTokenUnits: record.minPositionTokenUnits,
        entryPricePips: record.entryPricePips,
        tickPricePips: market.record.tickPricePips,
      }),
    },
    closing: {
      heldTokenUnits: chain.bookedTokenUnits,
      debtUsdcUnits: chain.debtUsdcUnits,
      askedTokenUnits: chain.closeTokenUnits,
      requestedTokenUnits: sellableRequestOf(chain.closeTokenUnits, chain.bookedTokenUnits),
      minPricePips: chain.closeMinPricePips,
      attemptCount: attemptCountOf(intents, 'authorize_close'),
      attempts: ofOperation(intents, 'authorize_close').map(({ plan }) => plan.details.close),
      isDeferred: isCloseDeferred(record, intents),
    },
    unwind: { advice, refusal, attemptCount: signedCountOf(intents, 'authorize_unwind') },
    liquidation: {
      isDue: isLiquidationDue(readings),
      ...lastAttemptOf(intents, 'liquidate'),
      attemptCount: signedCountOf(intents, 'authorize_liquidate'),
    },
  };
}

/**
 * Return the remaining venue fee, by the vault's calculation at the end of the live order. Before the first order the
 * loan is still to be drawn.
 */
function venueFeeLeftIn(readings: PositionReadings): UsdcUnits {
  const { record, chain, accountUsdcUnits } = readings;
  const notionalUsdcUnits = record.quotedNotionalUsdcUnits;
  const live = liveOrderOf(readings);
  const loanToCome = isZero(chain.debtUsdcUnits)
    ? subtract(notionalUsdcUnits, record.quotedCollateralUsdcUnits)
    : usdcUnits(0n);
  return venueFeeLeftOf({
    notionalUsdcUnits,
    venueFeeUsdcUnits: record.quotedVenueFeeUsdcUnits,
    originationFeeUsdcUnits: record.quotedOriginationFeeUsdcUnits,
    cashUsdcUnits: add(accountUsdcUnits, loanToCome),
    filledUsdcUnits: add(chain.filledUsdcUnits, live?.filledUsdcUnits ?? usdcUnits(0n)),
  });
}

function isLiquidationDue({ chain, markPricePips }: PositionReadings): boolean {
  const price = chain.liquidationPricePips;
  return !isZero(price) && markPricePips !== null && compare(markPricePips, price) <= 0;
}

/**
 * Return true for an open market without a known resolution. A temporary pause of the venue does not count: refunds and
 * closes deferred to settlement are final.
 */
export function isTradable(
  market: Pick<PositionMarket, 'status' | 'payoutDenominator'>,
  listed: Pick<PositionMarket['record'], 'isClosed' | 'resolutionStatus'>,
): boolean {
  const isOpen = market.status === 'active' && !listed.isClosed;
  return isOpen && listed.resolutionStatus === 'none' && market.payoutDenominator === null;
}

function liveOrderOf({ chain, intents }: PositionReadings): PositionObservation['liveOrder'] {
  const order = chain.liveOrder;
  if (order === null) {
    return null;
  }
  const post = postOf(intents, order.orderHash);
  return {
    purpose: order.purpose,
    isGrant: order.orderHash === zeroHash,
    validUntilMs: order.validUntilMs,
    isTerminalAtVenue: isOverOnChain(chain, post) || post?.state === 'dropped' || post?.state === 'final',
    filledUsdcUnits: filledOf(chain, order),
  };
}

/** Return the filled amount, only if tokens arrived: a status without tokens is a reverted match. */
function filledOf(chain: ChainPosition, order: NonNullable<ChainPosition['liveOrder']>): UsdcUnits {
  const hasTokens = !isZero(chain.accountTokenUnits);
  return order.purpose === 'open' && hasTokens ? order.filledUsdcUnits : usdcUnits(0n);
}

function lastAttemptOf(intents: readonly Intent[], purpose: OrderedPurpose) {
  const last = ofOperation(intents, `authorize_${purpose}`).at(-1);
  return { lastAttemptAtMs: last?.plan.details.decidedAtMs ?? null };
}
