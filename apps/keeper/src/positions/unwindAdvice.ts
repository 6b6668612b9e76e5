import {
  type CoverInputs,
  coverInputsOf,
  decideUnwind,
  decideUnwindReason,
  exitSecondsOf,
  hardExitOf,
  type MarketSnapshot,
  type OwingPosition,
  type PolicyConfig,
  policyAtExit,
} from '@core/policy';
import type { UnwindAdvice } from '@core/position';
import { isZero, raw, type TokenUnits, type UsdcUnits } from '@core/pricing';
import { type Intent, ofOperation } from '../transactions/intents.ts';
import type { PositionReadings } from './observationOf.ts';

/** The keeper's own view of markets, as far as debts are concerned. */
export interface DebtFeed {
  snapshotOf(tokenId: string): MarketSnapshot | null;
  /** Whether the hard exit of a position was in force before, whatever its market says now. */
  isPastHardExit(positionKey: string): boolean;
  lastCovered(
    tokenId: string,
    debt: { readonly usdcUnits: UsdcUnits; readonly size: TokenUnits; readonly exitSeconds: number },
  ): CoverInputs | null;
}

/** Orders longer ago belong to another unwind, whatever they sold. */
const sameUnwindMs = 60_000;

/** What advice about a position rests on beside its market. */
export interface OwingReadings extends Pick<PositionReadings, 'record' | 'intents'> {
  readonly chain: Pick<
    PositionReadings['chain'],
    'state' | 'blockTimeMs' | 'bookedTokenUnits' | 'principalUsdcUnits' | 'debtUsdcUnits' | 'liquidationPricePips'
  >;
}

/** What the risk policy says about the debt of a position, and why. */
export function unwindAdviceOf(
  { record, chain, intents }: OwingReadings,
  { feed, policy: current }: { readonly feed: DebtFeed; readonly policy: PolicyConfig },
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
    // Of the chain: the record follows its events, and before it did a rung would be carried out a second time.
    principalUsdcUnits: chain.principalUsdcUnits,
    debtUsdcUnits: chain.debtUsdcUnits,
    liquidationPricePips: chain.liquidationPricePips,
    plannedUnwinds: record.quotedRisk?.plannedUnwinds ?? [],
    owesSinceMs: record.openedAtMs,
    ...past,
    wasHardExitInForce: past.wasHardExitInForce || feed.isPastHardExit(record.positionKey),
  };
  const decided = decideUnwind(snapshot, position, policy);
  if (decided.kind === 'wait') return waiting(decided.reason, decided.isAlert);
  // What the vault lets be liquidated is: that step comes first and reads the same mark.
  if (decided.kind !== 'sell') return { kind: 'none' };
  const now = coverInputsOf(snapshot, record.side, policy);
  const { tokenUnits: size, debtUsdcUnits } = position;
  const covered = feed.lastCovered(tokenId, { usdcUnits: debtUsdcUnits, size, exitSeconds });
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
    tokenUnits: decided.tokenUnits,
    tickPricePips: snapshot.facts.tickPricePips,
    retryAtMs: nowMs + delayMs,
  };
}

/**
 * What the last orders say: how many of this unwind sold nothing, and whether the hard exit was in force before. Once
 * it was, every later order is one of it, so that the last ones say it as well as all.
 */
function pastOrdersOf(
  intents: readonly Intent[],
  { nowMs, heldTokenUnits }: { readonly nowMs: number; readonly heldTokenUnits: TokenUnits },
): Pick<OwingPosition, 'killedCount' | 'sinceLastOrderMs' | 'wasHardExitInForce'> {
  const orders = ofOperation(intents, 'authorize_unwind').map(({ plan }) => plan.details);
  const isKilled = ({ unwind, decidedAtMs }: (typeof orders)[number]): boolean =>
    raw(unwind.heldTokenUnits) === raw(heldTokenUnits) && nowMs - decidedAtMs < sameUnwindMs;
  const last = orders.at(-1);
  return {
    killedCount: orders.filter(isKilled).length,
    sinceLastOrderMs: last === undefined ? null : nowMs - last.decidedAtMs,
    wasHardExitInForce: orders.some(({ unwind }) => unwind.isHardExit),
  };
}
