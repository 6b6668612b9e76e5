import { type PlannedUnwind, plannedPrincipalOf } from '@core/position';
import {
  compare,
  constants,
  isZero,
  min,
  multiplyDivide,
  type OrderBook,
  type PricePips,
  raw,
  subtract,
  type TokenUnits,
  toShareStep,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { oddsShockOf } from '../leverage/oddsShock.ts';
import { isReferenceSilent } from '../leverage/referenceSilence.ts';
import { readWatch } from '../leverage/watch.ts';
import { type HardExit, hardExitOf, type OwingSince } from '../market/hardExit.ts';
import type { Side } from '../market/marketFacts.ts';
import { type MarketSnapshot, type SideSnapshot, sideOf } from '../market/marketSnapshot.ts';
import { saleMarkOf } from '../market/marks.ts';
import { riskPhaseOf } from '../market/riskPhase.ts';
import { isWithinDebt, netProceedsOf, repayingSizeOf, type Sale, type SaleBounds } from './repayingSale.ts';
import { saleLimitOf } from './saleLimit.ts';

/** A position as the chain and the keeper's own record show it. */
export interface OwingPosition extends OwingSince {
  readonly side: Side;
  /** Tokens the vault has booked. */
  readonly tokenUnits: TokenUnits;
  readonly collateralUsdcUnits: UsdcUnits;
  readonly principalUsdcUnits: UsdcUnits;
  /** Principal and fees owed now. */
  readonly debtUsdcUnits: UsdcUnits;
  /** The vault's liquidation price now; 0 without principal. */
  readonly liquidationPricePips: PricePips;
  /** Rungs of a committed position; empty for adaptive ones. */
  readonly plannedUnwinds: readonly PlannedUnwind[];
  /** Orders killed without a fill since the unwind became due. */
  readonly killedCount: number;
  /** Time since the last of them, milliseconds; null when there was none. */
  readonly sinceLastOrderMs: number | null;
}

/** What made the unwind due. */
export type UnwindCause = 'cover' | 'hard_exit' | 'planned';

/** Why an unwind is due; the rung is that of a planned one alone. */
type DueBecause =
  | { readonly cause: Exclude<UnwindCause, 'planned'>; readonly rung: null }
  | { readonly cause: 'planned'; readonly rung: number };

/** Why an unwind that may be due is not sold now. */
export type UnwindWait =
  | 'fee_schedule_missing'
  | 'market_not_tradable'
  | 'book_missing'
  | 'book_stale'
  | 'bids_missing'
  | 'order_too_recent'
  | 'book_too_thin'
  | 'size_too_small'
  | 'under_water';

export type UnwindDecision =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'sell' } & DueBecause & Sale)
  /** All tokens cannot repay the debt and the vault allows a liquidation: that sells without leaving a debt behind. */
  | { readonly kind: 'liquidate' }
  /** An alert asks for a person: waiting may cost the pool money. */
  | { readonly kind: 'wait'; readonly reason: UnwindWait; readonly isAlert: boolean };

const none: UnwindDecision = { kind: 'none' };
const nothing = usdcUnits(0n);
const { minOrderTokenUnits } = constants;

/**
 * What to do about the debt of one position now. At the first trigger the whole debt is repaid: when it is above its
 * cover, or while the hard exit is in force; before that the rungs of a committed position repay their part. With debt
 * covered nothing is sold. A sale never raises the debt per token of what is left: what would, is not sold in parts.
 */
export function decideUnwind(
  snapshot: MarketSnapshot,
  position: OwingPosition,
  config: PolicyConfig = policyDefaults,
): UnwindDecision {
  if (isZero(position.debtUsdcUnits) || isZero(position.tokenUnits)) return none;
  const { facts } = snapshot;
  const token = sideOf(snapshot, position.side);
  if (facts.isSettlementDetected) return wait('market_not_tradable');
  if (facts.venueFee === null) return wait('fee_schedule_missing');
  const { tickPricePips } = facts;
  const mark = saleMarkOf(token, { tickPricePips, config });
  if (token.book === null || mark === null) return wait(missingBookOf(token));
  const hardExit = hardExitOf(snapshot, position, config);
  const due = dueRepaymentOf(snapshot, position, { book: token.book, mark, hardExit, config });
  if (due === null) return none;
  if (!facts.isAcceptingOrders) return wait('market_not_tradable');
  return saleOf(position, due, {
    mark,
    hardExit,
    config,
    bounds: {
      bids: token.book.bids,
      heldTokenUnits: position.tokenUnits,
      markPricePips: mark,
      slipBps: hardExit.slipBps,
      tickPricePips,
      venueFee: facts.venueFee,
    },
  });
}

function wait(reason: UnwindWait, isAlert = false): UnwindDecision {
  return { kind: 'wait', reason, isAlert };
}

function missingBookOf({ book, bookAgeMs }: SideSnapshot): UnwindWait {
  if (book === null || bookAgeMs === null) return 'book_missing';
  return book.bids.length === 0 ? 'bids_missing' : 'book_stale';
}

interface Repayment {
  readonly because: DueBecause;
  readonly repayUsdcUnits: UsdcUnits;
}

interface Reading {
  readonly book: OrderBook;
  readonly mark: PricePips;
  readonly hardExit: HardExit;
  readonly config: PolicyConfig;
}

/** Deadline, cover, rung: the first that asks for more also asks for all of it. Null with nothing due. */
function dueRepaymentOf(snapshot: MarketSnapshot, position: OwingPosition, reading: Reading): Repayment | null {
  const whole = position.debtUsdcUnits;
  if (reading.hardExit.isInForce) return { because: { cause: 'hard_exit', rung: null }, repayUsdcUnits: whole };
  if (isCoverBroken(snapshot, position, reading))
    return { because: { cause: 'cover', rung: null }, repayUsdcUnits: whole };
  const planned = plannedRepaymentOf(position, reading.mark);
  return planned && { ...planned, repayUsdcUnits: min(planned.repayUsdcUnits, whole) };
}

function isCoverBroken(snapshot: MarketSnapshot, position: OwingPosition, { book, config }: Reading): boolean {
  const phase = riskPhaseOf(snapshot, config);
  const { venueFee } = snapshot.facts;
  if (phase === null || venueFee === null) return false;
  const { realisedVarianceE12 } = sideOf(snapshot, position.side);
  const shock = { phase, realisedVarianceE12, isReferenceSilent: isReferenceSilent(snapshot, config) };
  return readWatch({
    book,
    tokens: position.tokenUnits,
    debtUsdcUnits: position.debtUsdcUnits,
    shockE12: oddsShockOf(shock, config.model),
    venueFee,
    isHardExitInForce: false,
  }).isUnwindDue;
}

/** Principal that the lowest due rung takes off; null when no rung is due or its target holds already. */
function plannedRepaymentOf(position: OwingPosition, mark: PricePips): Repayment | null {
  let planned: Repayment | null = null;
  for (const { rung, triggerPricePips, targetLeverageBps } of position.plannedUnwinds) {
    if (compare(mark, triggerPricePips) > 0) continue;
    const target = plannedPrincipalOf(position.collateralUsdcUnits, targetLeverageBps);
    const excess = subtract(position.principalUsdcUnits, target);
    if (raw(excess) > raw(planned?.repayUsdcUnits ?? nothing)) {
      planned = { because: { cause: 'planned', rung }, repayUsdcUnits: excess };
    }
  }
  return planned;
}

interface SaleSituation {
  readonly mark: PricePips;
  readonly hardExit: HardExit;
  readonly config: PolicyConfig;
  readonly bounds: SaleBounds;
}

function saleOf(position: OwingPosition, due: Repayment, situation: SaleSituation): UnwindDecision {
  const { hardExit, config, bounds } = situation;
  const wanted = repayingSizeOf(due.repayUsdcUnits, bounds);
  if (wanted === null) return wait('size_too_small');
  const { venueFee } = bounds;
  const { tokenUnits: size, limitPricePips: limit } = wanted;
  // The smallest order would leave a rest that cannot be sold, and all is more than the vault lets an unwind sell.
  const isTooMuch =
    limit !== null && !isWithinDebt({ tokenUnits: size, limitPricePips: limit }, position.debtUsdcUnits, venueFee);
  if (isTooMuch) return wait('size_too_small');
  const delayMs = hardExit.isInForce ? config.unwind.hardExitDelayMs : config.unwind.retryDelayMs;
  // A new attestation for each order takes its time, and a book that killed one has hardly changed at once.
  const isTooRecent = position.sinceLastOrderMs !== null && position.sinceLastOrderMs < delayMs;
  const whole = toShareStep(position.tokenUnits, 'down');
  if (compare(wanted.tokenUnits, whole) === 0 && wanted.limitPricePips !== null) {
    const sale: Sale = { tokenUnits: whole, limitPricePips: wanted.limitPricePips };
    const isEnough = compare(netProceedsOf(sale, bounds.venueFee), due.repayUsdcUnits) >= 0;
    // Past the deadline a debt that cannot be repaid in full is still smaller after the sale than after the jump.
    if (!isEnough && !hardExit.isInForce) return underWaterOf(position, situation.mark);
    const smaller = position.killedCount === 0 ? null : fillableSaleOf(position, whole, situation);
    return isTooRecent ? wait('order_too_recent') : { kind: 'sell', ...due.because, ...(smaller ?? sale) };
  }
  const sale = fillableSaleOf(position, wanted.tokenUnits, situation);
  if (sale === null) return wait('book_too_thin', hardExit.isInForce);
  return isTooRecent ? wait('order_too_recent') : { kind: 'sell', ...due.because, ...sale };
}

/** All tokens together do not repay the debt. */
function underWaterOf({ liquidationPricePips }: OwingPosition, mark: PricePips): UnwindDecision {
  const isLiquidatable = raw(liquidationPricePips) > 0n && compare(mark, liquidationPricePips) <= 0;
  return isLiquidatable ? { kind: 'liquidate' } : wait('under_water', true);
}

/**
 * The size, smaller by a third for every order that was killed, and further until the book takes it. A part is sold
 * only when it brings at least the debt of its own tokens, so that what is left owes no more per token. Null when no
 * part may.
 */
function fillableSaleOf(position: OwingPosition, wanted: TokenUnits, { bounds, config }: SaleSituation): Sale | null {
  const whole = toShareStep(position.tokenUnits, 'down');
  for (let step = 0, size = wanted; compare(size, minOrderTokenUnits) >= 0; step += 1) {
    if (step >= position.killedCount) {
      const sale = allowedSaleOf(position, { size, whole }, bounds);
      if (sale !== null) return sale;
    }
    size = toShareStep(multiplyDivide(size, config.unwind.smallerBps, 10_000n, 'down'), 'down');
  }
  return null;
}

function allowedSaleOf(
  position: OwingPosition,
  { size, whole }: { readonly size: TokenUnits; readonly whole: TokenUnits },
  bounds: SaleBounds,
): Sale | null {
  const isPart = compare(size, whole) < 0;
  // A rest below the smallest order could never be sold again.
  const sellable = isPart ? min(size, subtract(whole, minOrderTokenUnits)) : size;
  if (compare(sellable, minOrderTokenUnits) < 0) return null;
  const limit = saleLimitOf({ bids: bounds.bids }, { ...bounds, tokenUnits: sellable });
  if (limit === null) return null;
  const sale: Sale = { tokenUnits: sellable, limitPricePips: limit };
  const ownDebt = multiplyDivide(position.debtUsdcUnits, raw(sellable), raw(position.tokenUnits), 'up');
  return compare(netProceedsOf(sale, bounds.venueFee), ownDebt) >= 0 ? sale : null;
}
