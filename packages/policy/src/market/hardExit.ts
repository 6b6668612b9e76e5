import type { MarketSnapshot } from '@core/market';
import { type RateBps, rateBps, raw } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { type RiskPhase, riskPhaseOf } from './riskPhase.ts';

/** Memory of a position about deadlines. */
export interface OwingSince {
  /** A moment from which the position has owed without a break, epoch milliseconds; null when it is not known. */
  readonly owesSinceMs: number | null;
  /** True when the hard exit was in force for this position before; stored by the caller until the debt is repaid. */
  readonly wasHardExitInForce: boolean;
}

export interface HardExit {
  /** The debt must go now, covered or not. */
  readonly isInForce: boolean;
  /** True when the debt is from before the start of its game: it was due at the start. */
  readonly isFromBeforeStart: boolean;
  /** Share of the mark that a forced sale may give away now. */
  readonly slipBps: RateBps;
}

/**
 * Return the hard exit of a position. Once its deadline has passed it stays in force until the debt is repaid: a game
 * that starts, restarts its clock or is postponed gives no new time to an overdue debt. A debt from before the start of
 * a game is past its own deadline as soon as the game runs.
 */
export function hardExitOf(snapshot: MarketSnapshot, owing: OwingSince, config: PolicyConfig): HardExit {
  const { slipBps } = config.model;
  const phase = riskPhaseOf(snapshot, config);
  if (phase === null) return { isInForce: owing.wasHardExitInForce, isFromBeforeStart: false, slipBps };
  const isFromBeforeStart = isOwedFromBeforeStart(snapshot, phase, owing);
  const isInForce = owing.wasHardExitInForce || isFromBeforeStart || snapshot.nowMs >= phase.hardExitAtMs;
  if (!isInForce) return { isInForce, isFromBeforeStart, slipBps };
  const toJumpMs = isFromBeforeStart ? 0 : phase.jumpAtMs - snapshot.nowMs;
  return { isInForce, isFromBeforeStart, slipBps: widenedSlipOf(toJumpMs, config) };
}

function isOwedFromBeforeStart({ facts }: MarketSnapshot, phase: RiskPhase, { owesSinceMs }: OwingSince): boolean {
  if (phase.kind !== 'in_play' || facts.subject?.kind !== 'sport' || owesSinceMs === null) return false;
  return owesSinceMs < facts.subject.gameStartAtMs;
}

/**
 * In the last two minutes before the jump the slip widens evenly to the maximum of the vault: a sale at a poor price
 * loses a share of the position, the jump takes all of it from one of the two sides.
 */
function widenedSlipOf(toJumpMs: number, { model }: PolicyConfig): RateBps {
  const leftMs = Math.min(model.slipWideningMs, Math.max(0, Math.ceil(toJumpMs)));
  const closerMs = BigInt(model.slipWideningMs - leftMs);
  const wider = (raw(model.maxSlipBps) - raw(model.slipBps)) * closerMs;
  return rateBps(raw(model.slipBps) + wider / BigInt(model.slipWideningMs));
}
