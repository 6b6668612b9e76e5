import {
  type LiveBook,
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
  raw,
  subtract,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import type { MarketRecord } from '@core/store';
import { type ChainPosition, vaultConstants } from '@core/vault';
import type { VenueMarket } from '@core/venue';
import { attemptCountOf, type Intent, ofOperation } from '../transactions/intents.ts';
import type { OrderedPurpose } from '../transactions/intentTable.ts';
import { postOf } from '../transactions/venueOrders.ts';
import { failureReasonOf } from './failureReason.ts';

/** What was read of a position, from everywhere but the book. */
export interface PositionReadings {
  readonly record: Position;
  readonly market: MarketRecord;
  readonly chain: ChainPosition;
  /** As far as a decision reads them: those under way, and the newest of each operation. */
  readonly intents: readonly Intent[];
  /** Cash of the account at the block of `chain`; read while Pending, zero otherwise. */
  readonly accountUsdcUnits: UsdcUnits;
  /** Mark of the position's token; null while none is known that a forced sale may rest on. */
  readonly markPricePips: PricePips | null;
}

/** The vault opens nothing later than this after the creation. */
const openWindowMs = vaultConstants.openWindowSeconds * 1_000;

/** The observation that a position is decided on. Chain time is the only clock in it. */
export function observationOf(
  readings: PositionReadings,
  { advice, refusal }: { readonly advice: UnwindAdvice; readonly refusal: UnwindRefusal | null },
): Omit<PositionObservation, 'book'> & { readonly book: LiveBook | null } {
  const { record, market, chain, intents } = readings;
  const notional = record.quotedNotionalUsdcUnits;
  const isPartial = raw(record.contractMinFillBps) < 10_000n;
  const purpose = chain.liveOrder?.purpose ?? 'none';
  return {
    nowMs: chain.blockTimeMs,
    state: chain.state,
    isKnownQuote: record.quoteId !== null,
    liveOrder: liveOrderOf(readings),
    isMarketTradable: isTradable(market, market.record as VenueMarket) && chain.payoutDenominator === 0n,
    arePayoutsKnown: chain.payoutDenominator > 0n,
    book: null,
    callCounts: {
      finalize: attemptCountOf(intents, `finalize_${purpose}`),
      refund: attemptCountOf(intents, 'refund'),
      settle: attemptCountOf(intents, 'settle'),
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
      ...attemptsOf(intents, 'open'),
      unfilledReason: failureReasonOf(intents, {
        notionalUsdcUnits: notional,
        minPositionTokenUnits: record.minPositionTokenUnits,
        entryPricePips: record.entryPricePips,
        tickPricePips: (market.record as VenueMarket).tickPricePips,
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
      isDeferred: ofOperation(intents, 'defer_close').length > 0,
    },
    unwind: { advice, refusal, attemptCount: attemptCountOf(intents, 'authorize_unwind') },
    liquidation: { isDue: isLiquidationDue(readings), ...attemptsOf(intents, 'liquidate') },
  };
}

/** As the vault will reckon it when it has ended the live order. Before the first order the loan is still to come. */
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
 * The market is open and nothing of a resolution is known. A venue that takes no orders for a while does not count:
 * such a pause ends, while a refund and a close put off until settlement are for good.
 */
export function isTradable(
  market: Pick<MarketRecord, 'status' | 'payoutDenominator'>,
  listed: Pick<VenueMarket, 'isClosed' | 'resolutionStatus'>,
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
    validUntilMs: order.validUntilMs,
    isTerminalAtVenue: post !== null && (post.state === 'dropped' || post.state === 'final'),
    filledUsdcUnits: filledOf(chain, order),
  };
}

/** Believed only as far as tokens are there: a status without tokens is a match that was reverted. */
function filledOf(chain: ChainPosition, order: NonNullable<ChainPosition['liveOrder']>): UsdcUnits {
  const hasTokens = !isZero(chain.accountTokenUnits);
  return order.purpose === 'open' && hasTokens ? order.filledUsdcUnits : usdcUnits(0n);
}

function attemptsOf(intents: readonly Intent[], purpose: OrderedPurpose) {
  const operation = `authorize_${purpose}` as const;
  const last = ofOperation(intents, operation).at(-1);
  const attemptCount = attemptCountOf(intents, operation);
  return { attemptCount, lastAttemptAtMs: last?.plan.details.decidedAtMs ?? null };
}
