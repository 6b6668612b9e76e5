import type { MarketSnapshot } from '@core/market';
import {
  type CoverInputs,
  coverInputsOf,
  decideUnwind,
  decideUnwindReason,
  exitSecondsOf,
  hardExitOf,
  type OwingPosition,
  type PolicyConfig,
  policyAtExit,
  type Route,
} from '@core/policy';
import type { UnwindAdvice } from '@core/position';
import { isZero, raw, type TokenUnits, type UsdcUnits } from '@core/pricing';
import { type Intent, ofOperation } from '../transactions/intents.ts';
import type { PositionReadings } from './observationOf.ts';

/** Keeper's view of the markets with debt. */
export interface DebtFeed {
  snapshotOf(tokenId: string): MarketSnapshot | null;
  /** Return true when the hard exit of a position was in force before, whatever its market is now. */
  isPastHardExit(positionKey: string): boolean;
  lastCoverOf(
    tokenId: string,
    debt: { readonly usdcUnits: UsdcUnits; readonly size: TokenUnits; readonly exitSeconds: number },
  ): CoverInputs | null;
}

/** Maximum age of orders of the same unwind. */
const sameUnwindMs = 60_000;

/** Inputs of the advice beside the market. */
export interface OwingReadings extends Pick<PositionReadings, 'record' | 'intents'> {
  readonly chain: Pick<
    PositionReadings['chain'],
    | 'state'
    | 'blockTimeMs'
    | 'bookedTokenUnits'
    | 'principalUsdcUnits'
    | 'debtUsdcUnits'
    | 'liquidationPricePips'
    | 'maxVenueFeeBps'
  >;
}

/** Return the risk policy's advice on the debt of a position, with its reason. */
export function unwindAdviceOf(
  { record, chain, intents }: OwingReadings,
  { feed, policy: current, route }: { readonly feed: DebtFeed; readonly policy: PolicyConfig; readonly route: Route },
): UnwindAdvice {
  if (chain.state !== 'open' || isZero(chain.debtUsdcUnits)) return { kind: 'none' };
  const exitSeconds = exitSecondsOf(current, record.quotedRisk);
  const policy = policyAtExit(current, exitSeconds);
  const nowMs = chain.blockTimeMs;
  const tokenId = record.venueTokenId;
  const waiting = (reason: string, isAlert = false): UnwindAdvice => {
    return { kind: 'wait', reason, untilMs: nowMs + policy.unwind.retryDelayMs, isAlert };
  };
  const snapshot = feed.snapshotOf(tokenId);
  if (snapshot === null) return waiting('market_unknown');
  const past = pastOrdersOf(intents, { nowMs, heldTokenUnits: chain.bookedTokenUnits });
  const position: OwingPosition = {
    side: record.side,
    tokenUnits: chain.bookedTokenUnits,
    collateralUsdcUnits: record.collateralUsdcUnits,
    // From the chain: the record lags behind its events, and a rung would be executed twice before it follows.
    principalUsdcUnits: chain.principalUsdcUnits,
    debtUsdcUnits: chain.debtUsdcUnits,
    liquidationPricePips: chain.liquidationPricePips,
    route,
    maxVenueFeeBps: chain.maxVenueFeeBps,
    plannedUnwinds: record.quotedRisk?.plannedUnwinds ?? [],
    owesSinceMs: record.openedAtMs,
    ...past,
    wasHardExitInForce: past.wasHardExitInForce || feed.isPastHardExit(record.positionKey),
  };
  const decided = decideUnwind(snapshot, position, policy);
  if (decided.kind === 'wait') return waiting(decided.reason, decided.isAlert);
  // A liquidation takes precedence in the decision, with the same mark.
  if (decided.kind !== 'sell') return { kind: 'none' };
  const now = coverInputsOf(snapshot, record.side, policy);
  const { tokenUnits: size, debtUsdcUnits } = position;
  const covered = feed.lastCoverOf(tokenId, { usdcUnits: debtUsdcUnits, size, exitSeconds });
  const { openedMarkPricePips } = record;
  const { isInForce, isFromBeforeStart } = hardExitOf(snapshot, position, policy);
  const { cause } = decided;
  const situation = now && { cause, isFromBeforeStart, now, covered, tokenUnits: size, openedMarkPricePips };
  const delayMs = isInForce ? policy.unwind.hardExitDelayMs : policy.unwind.retryDelayMs;
  return {
    kind: 'sell',
    reason: situation === null ? 'unknown' : decideUnwindReason(situation, policy),
    rung: decided.rung,
    isHardExit: isInForce,
    isBelowDebt: decided.isBelowDebt,
    tokenUnits: decided.tokenUnits,
    tickPricePips: snapshot.facts.tickPricePips,
    retryAtMs: nowMs + delayMs,
  };
}

/**
 * Derive the history of an unwind from its orders: how many the venue answered and sold nothing of, and whether the
 * hard exit was in force before. An order that ran out before it was posted says nothing about the book. Every order
 * after a hard exit is one of it, so the last ones suffice.
 */
function pastOrdersOf(
  intents: readonly Intent[],
  { nowMs, heldTokenUnits }: { readonly nowMs: number; readonly heldTokenUnits: TokenUnits },
): Pick<OwingPosition, 'killedCount' | 'sinceLastOrderMs' | 'wasHardExitInForce'> {
  const authorizations = ofOperation(intents, 'authorize_unwind');
  const orders = authorizations.map(({ plan }) => plan.details);
  const posts = ofOperation(intents, 'post_unwind').filter(
    ({ venueOrderId, outcome }) => venueOrderId !== null || typeof outcome?.refusal === 'string',
  );
  const hashes = new Set<string | null>(posts.map(({ orderHash }) => orderHash));
  const isKilled = ({ plan: { details } }: (typeof authorizations)[number]): boolean =>
    'orderHash' in details &&
    hashes.has(details.orderHash) &&
    raw(details.unwind.heldTokenUnits) === raw(heldTokenUnits) &&
    nowMs - details.decidedAtMs < sameUnwindMs;
  const last = orders.at(-1);
  return {
    killedCount: authorizations.filter(isKilled).length,
    sinceLastOrderMs: last === undefined ? null : nowMs - last.decidedAtMs,
    wasHardExitInForce: orders.some(({ unwind }) => unwind.isHardExit),
  };
}
