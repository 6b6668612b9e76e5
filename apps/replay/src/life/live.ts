import { debtPerTokenOf, type PolicyConfig } from '@core/policy';
import { isDust, isLiquidatable, isZero } from '@core/pricing';
import { atPrices, type ObservedMarket } from '../market/observedMarket.ts';
import {
  type Attempt,
  attemptAt,
  decisionAt,
  type ExitKind,
  liquidationPriceAt,
  type Order,
  type Watched,
} from './attempt.ts';
import type { CoverRow } from './coverTable.ts';
import type { Entry } from './entry.ts';
import { type FillTiming, meetsWholeMove, momentBetween, triggerAtMsOf } from './fillTiming.ts';
import { type Account, debtAt, openedAccountOf, withResolution } from './money.ts';

/** A position from its opening to the resolution of its market. */
export interface Life {
  readonly entry: Entry;
  readonly account: Account;
  readonly isWinner: boolean;
  /** First sale that repaid debt; null without one. */
  readonly firstExit: ExitKind | null;
  readonly exits: readonly ExitKind[];
  /** Time from the opening to the first trigger; null without one. */
  readonly toTriggerSeconds: number | null;
  /** Attempts that sold nothing. */
  readonly failedCount: number;
  /** True when debt was left at the resolution. */
  readonly hadDebtAtResolution: boolean;
}

export interface LifeInputs {
  readonly observed: ObservedMarket;
  readonly table: readonly CoverRow[];
  readonly timing: FillTiming;
  readonly config: PolicyConfig;
}

interface Progress {
  account: Account;
  isHardExitInForce: boolean;
  firstTriggerAtMs: number | null;
  /** True before the first attempt for the current trigger. */
  isFresh: boolean;
  failedCount: number;
  readonly exits: ExitKind[];
}

/**
 * Follow one position through the rows after its opening. A sale answers the first trigger with the requested delay;
 * the unsold rest is attempted again at each row until the debt is repaid. The tokens then wait for the outcome.
 */
export function lifeOf(entry: Entry, inputs: LifeInputs): Life {
  const { observed, config } = inputs;
  const progress: Progress = {
    account: openedAccountOf(entry, config.fees.lifetimeFeeAprBps),
    isHardExitInForce: false,
    firstTriggerAtMs: null,
    isFresh: true,
    failedCount: 0,
    exits: [],
  };
  let rowIndex = entry.rowIndex + 1;
  while (rowIndex < observed.rows.length && owes(progress.account)) {
    rowIndex = lookAt(rowIndex, { entry, inputs, progress });
  }
  const { account, exits, firstTriggerAtMs } = progress;
  const { market } = observed;
  const isWinner = market.isYesWinner === (entry.side === 'yes');
  const endMs = Math.max(market.closeAtMs, market.rows.at(-1)?.atMs ?? 0);
  return {
    entry,
    account: withResolution(account, { atMs: endMs, isWinner }),
    isWinner,
    firstExit: exits[0] ?? null,
    exits,
    toTriggerSeconds: firstTriggerAtMs === null ? null : (firstTriggerAtMs - entry.atMs) / 1_000,
    failedCount: progress.failedCount,
    hadDebtAtResolution: owes(account),
  };
}

/** Return true while debt is left on tokens. Debt of a position that was sold out is a loss already. */
function owes({ principalUsdcUnits, tokenUnits }: Account): boolean {
  return !isZero(principalUsdcUnits) && !isDust(tokenUnits);
}

interface Looking {
  readonly entry: Entry;
  readonly inputs: LifeInputs;
  readonly progress: Progress;
}

/** Evaluate a row, act where the policy orders it, and return the index of the next row. */
function lookAt(rowIndex: number, looking: Looking): number {
  const { entry, inputs, progress } = looking;
  const { observed, table, timing, config } = inputs;
  const [seen, cover] = [observed.rows[rowIndex], table[rowIndex]];
  if (seen === undefined || cover === undefined) return rowIndex + 1;
  const { account } = progress;
  progress.isHardExitInForce ||= entry.phase === 'pregame' ? cover.isHardExitOfEarlier : cover.isHardExit;
  const next = rowIndex + 1;
  if (cover.lowestCoverE12 === null) return next;
  const nowMs = seen.row.atMs;
  const debtE12 = debtPerTokenOf(debtAt(account, nowMs), account.tokenUnits);
  const isReached = isLiquidatable(cover.markPricePips, liquidationPriceAt(account, nowMs, config));
  if (!progress.isHardExitInForce && !isReached && debtE12 <= cover.lowestCoverE12) return next;
  const watched: Watched = { entry, account, isHardExitInForce: progress.isHardExitInForce };
  const decision = decisionAt(seen.snapshot, watched, config);
  if (decision.kind === 'none' && !isReached) return next;
  const order = decision.kind === 'sell' ? decision : null;
  const isDelayed = progress.isFresh && timing.kind !== 'row';
  progress.firstTriggerAtMs ??= nowMs;
  progress.isFresh = false;
  if (!isDelayed) {
    record(progress, attemptAt(seen.snapshot, watched, { mark: cover.markPricePips, ordered: order, config }));
    return next;
  }
  if (timing.kind === 'next_row') return answerAtRow(next, order, looking);
  const marginE12 = (at: CoverRow | undefined) =>
    at === undefined || at.lowestCoverE12 === null ? null : at.coverAt(account.tokenUnits) - debtE12;
  const margins = { beforeE12: marginE12(table[rowIndex - 1]), nowE12: marginE12(cover) ?? 0n };
  const triggerAtMs = triggerAtMsOf(observed, rowIndex, { margins, config });
  const soldAtMs = triggerAtMs + timing.seconds * 1_000;
  const end = soldAtMs <= nowMs ? rowIndex : firstRowFrom(observed, soldAtMs, next);
  const isWholeMove = end === rowIndex && meetsWholeMove(observed, rowIndex, timing);
  return answerBetween({ endIndex: end, soldAtMs, isWholeMove }, order, looking);
}

function firstRowFrom(observed: ObservedMarket, atMs: number, from: number): number {
  let index = from;
  while (index < observed.rows.length && (observed.rows[index]?.row.atMs ?? 0) < atMs) index += 1;
  return index;
}

/** Sell at a row, or at the next one with a book. */
function answerAtRow(rowIndex: number, ordered: Order | null, { entry, inputs, progress }: Looking): number {
  const { observed, table, config } = inputs;
  const [seen, cover] = [observed.rows[rowIndex], table[rowIndex]];
  if (seen === undefined || cover === undefined || cover.lowestCoverE12 === null) return rowIndex;
  const watched = { entry, account: progress.account, isHardExitInForce: progress.isHardExitInForce };
  record(progress, attemptAt(seen.snapshot, watched, { mark: cover.markPricePips, ordered, config }));
  return rowIndex + 1;
}

/** Sell between two rows; across a gap of the recording at the later one. */
function answerBetween(
  sale: { readonly endIndex: number; readonly soldAtMs: number; readonly isWholeMove: boolean },
  ordered: Order | null,
  looking: Looking,
): number {
  const { entry, inputs, progress } = looking;
  const { observed, table, config } = inputs;
  const [from, to, cover] = [observed.rows[sale.endIndex - 1], observed.rows[sale.endIndex], table[sale.endIndex]];
  if (from === undefined || to === undefined || cover === undefined) return sale.endIndex;
  const isYes = entry.side === 'yes';
  const moment = momentBetween(from, to, { atMs: Math.floor(sale.soldAtMs), isYes, isWholeMove: sale.isWholeMove });
  if (moment === null) return answerAtRow(sale.endIndex, ordered, looking);
  const snapshot = atPrices(observed, to, moment);
  const mark = snapshot[entry.side].lastMidPricePips ?? cover.markPricePips;
  const watched = { entry, account: progress.account, isHardExitInForce: progress.isHardExitInForce };
  record(progress, attemptAt(snapshot, watched, { mark, ordered, config }));
  // The unsold rest is attempted at the next row.
  return sale.endIndex;
}

function record(progress: Progress, attempt: Attempt | null): void {
  if (attempt === null) {
    progress.failedCount += 1;
    return;
  }
  progress.account = attempt.account;
  progress.exits.push(attempt.kind);
}
