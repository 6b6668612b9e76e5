import { debtPerTokenOf, type PolicyConfig, routes } from '@core/policy';
import { isLiquidatable, type PricePips, raw } from '@core/pricing';
import { atPrices, firstRowFrom, type ObservedMarket } from '../market/observedMarket.ts';
import {
  type Attempt,
  attemptByOrder,
  decisionAt,
  type ExitKind,
  liquidationPriceAt,
  type Order,
  type Protection,
  type Watched,
} from './attempt.ts';
import { type Course, courseAround, stillCourse } from './course.ts';
import type { CoverRow } from './coverTable.ts';
import type { Entry } from './entry.ts';
import { type FillTiming, meetsWholeMove, momentBetween, triggerAtMsOf } from './fillTiming.ts';
import { pathSecondsOf } from './grant.ts';
import { type AttemptTimes, attemptByGrants } from './grantedSale.ts';
import { type Account, debtAt, openedAccountOf, owes, withResolution } from './money.ts';

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
  /** Grants of sales, and those of them with a fill. */
  readonly saleGrantCount: number;
  readonly filledSaleGrantCount: number;
  /** Time from a liquidation to the end of the market; null without one. */
  readonly liquidatedBeforeEndSeconds: number | null;
  /** Largest fall of the user's equity from an earlier height while debt was owed, a share of that height. */
  readonly maximumDrawdown: number;
  /** True when debt was left at the resolution. */
  readonly hadDebtAtResolution: boolean;
}

export interface LifeInputs {
  readonly observed: ObservedMarket;
  readonly table: readonly CoverRow[];
  readonly timing: FillTiming;
  readonly protection: Protection;
  readonly config: PolicyConfig;
}

interface Progress {
  account: Account;
  /** Highest equity of the user so far, in USDC units. */
  highestEquity: number;
  maximumDrawdown: number;
  saleGrantCount: number;
  filledSaleGrantCount: number;
  liquidatedAtMs: number | null;
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
    highestEquity: Number(raw(entry.collateralUsdcUnits)),
    maximumDrawdown: 0,
    saleGrantCount: 0,
    filledSaleGrantCount: 0,
    liquidatedAtMs: null,
    isHardExitInForce: false,
    firstTriggerAtMs: null,
    isFresh: true,
    failedCount: 0,
    exits: [],
  };
  let rowIndex = firstRowFrom(observed, entry.atMs + 1, entry.rowIndex + 1);
  while (rowIndex < observed.rows.length && owes(progress.account)) {
    rowIndex = lookAt(rowIndex, { entry, inputs, progress });
  }
  const { account, exits, firstTriggerAtMs, liquidatedAtMs } = progress;
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
    saleGrantCount: progress.saleGrantCount,
    filledSaleGrantCount: progress.filledSaleGrantCount,
    liquidatedBeforeEndSeconds: liquidatedAtMs === null ? null : (endMs - liquidatedAtMs) / 1_000,
    maximumDrawdown: progress.maximumDrawdown,
    hadDebtAtResolution: owes(account),
  };
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
  const debt = debtAt(account, nowMs);
  const debtE12 = debtPerTokenOf(debt, account.tokenUnits);
  noteEquity(progress, cover.markPricePips, Number(raw(debt)));
  const isReached = isLiquidatable(cover.markPricePips, liquidationPriceAt(account, nowMs, config));
  if (!progress.isHardExitInForce && !isReached && debtE12 <= cover.lowestCoverE12) return next;
  const decision = decisionAt(seen.snapshot, watchedOf(looking), config);
  if (decision.kind === 'none' && !isReached) return next;
  const order = decision.kind === 'sell' ? decision : null;
  const isDelayed = progress.isFresh && timing.kind !== 'row';
  progress.firstTriggerAtMs ??= nowMs;
  progress.isFresh = false;
  if (!isDelayed) return answerAtRow(rowIndex, order, looking);
  if (timing.kind === 'next_row') return answerAtRow(next, order, looking);
  const marginE12 = (at: CoverRow | undefined) =>
    at === undefined || at.lowestCoverE12 === null ? null : at.coverAt(account.tokenUnits) - debtE12;
  const margins = { beforeE12: marginE12(table[rowIndex - 1]), nowE12: marginE12(cover) ?? 0n };
  const triggerAtMs = Math.floor(triggerAtMsOf(observed, rowIndex, { margins, config }));
  const soldAtMs = triggerAtMs + timing.seconds * 1_000;
  const end = soldAtMs <= nowMs ? rowIndex : firstRowFrom(observed, soldAtMs, next);
  const isWholeMove = end === rowIndex && meetsWholeMove(observed, rowIndex, timing);
  return answerBetween({ rowIndex, endIndex: end, triggerAtMs, soldAtMs, isWholeMove }, order, looking);
}

/** Note the user's equity at a mark: the worth of the tokens less the debt, at least nothing. */
function noteEquity(progress: Progress, mark: PricePips, debt: number): void {
  const equity = Math.max(0, (Number(raw(progress.account.tokenUnits)) * Number(raw(mark))) / 10_000 - debt);
  progress.highestEquity = Math.max(progress.highestEquity, equity);
  const drawdown = (progress.highestEquity - equity) / progress.highestEquity;
  progress.maximumDrawdown = Math.max(progress.maximumDrawdown, drawdown);
}

function watchedOf({ entry, inputs, progress }: Looking): Watched {
  const { account, isHardExitInForce } = progress;
  return { entry, account, isHardExitInForce, protection: inputs.protection };
}

/** Sell at a row, or at the next one with a book, and return the index of the next row. */
function answerAtRow(rowIndex: number, ordered: Order | null, looking: Looking): number {
  const { observed, table, config } = looking.inputs;
  const [seen, cover] = [observed.rows[rowIndex], table[rowIndex]];
  if (seen === undefined || cover === undefined || cover.lowestCoverE12 === null) return rowIndex;
  const startsAtMs = seen.row.atMs;
  if (routes[config.openingRoute].hasFillers) {
    const times = { startsAtMs, untilMs: startsAtMs };
    return answerByGrants(courseAround(observed, rowIndex), { times, rowIndex: rowIndex + 1 }, looking);
  }
  record(looking, attemptByOrder(seen.snapshot, watchedOf(looking), { ordered, config }));
  return rowIndex + 1;
}

interface SaleBetween {
  /** Row that shows the trigger, and first row at or after the sale. */
  readonly rowIndex: number;
  readonly endIndex: number;
  readonly triggerAtMs: number;
  readonly soldAtMs: number;
  readonly isWholeMove: boolean;
}

/** Sell between two rows; across a gap of the recording at the later one. */
function answerBetween(sale: SaleBetween, ordered: Order | null, looking: Looking): number {
  const { entry, inputs } = looking;
  const { observed, config } = inputs;
  const { endIndex, soldAtMs, isWholeMove } = sale;
  const [from, to] = [observed.rows[endIndex - 1], observed.rows[endIndex]];
  if (from === undefined || to === undefined) return endIndex;
  const isYes = entry.side === 'yes';
  const momentAt = (atMs: number) => momentBetween(from, to, { atMs, isYes, isWholeMove });
  const moment = momentAt(soldAtMs);
  if (moment === null) return answerAtRow(endIndex, ordered, looking);
  if (routes[config.openingRoute].hasFillers) {
    // The grant starts so that its path is at its end when the sale is due: prices have moved since then. Blocks have
    // whole seconds.
    const pathMs = pathSecondsOf(config.grant.validForSeconds.unwind) * 1_000;
    const startsAtMs = Math.ceil(Math.max(sale.triggerAtMs, soldAtMs - pathMs) / 1_000) * 1_000;
    const moved = isWholeMove ? momentAt(startsAtMs) : null;
    const course = moved === null ? courseAround(observed, sale.rowIndex) : stillCourse(atPrices(observed, to, moved));
    return answerByGrants(course, { times: { startsAtMs, untilMs: to.row.atMs }, rowIndex: endIndex }, looking);
  }
  record(looking, attemptByOrder(atPrices(observed, to, moment), watchedOf(looking), { ordered, config }));
  // The unsold rest is attempted at the next row.
  return endIndex;
}

/** Sell by grants, and return the index of the first row after them. */
function answerByGrants(
  course: Course,
  { times, rowIndex }: { readonly times: AttemptTimes; readonly rowIndex: number },
  looking: Looking,
): number {
  const { observed, config } = looking.inputs;
  const attempt = attemptByGrants(course, watchedOf(looking), { times, config });
  record(looking, attempt);
  return firstRowFrom(observed, attempt.atMs, rowIndex);
}

function record({ progress }: Looking, attempt: Attempt): void {
  const { account, kind, grantCount, filledGrantCount, atMs } = attempt;
  progress.account = account;
  progress.saleGrantCount += grantCount;
  progress.filledSaleGrantCount += filledGrantCount;
  if (kind === null) progress.failedCount += 1;
  else progress.exits.push(kind);
  if (kind === 'liquidation') progress.liquidatedAtMs = atMs;
}
