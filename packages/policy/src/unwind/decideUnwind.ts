import { type MarketSnapshot, type SideSnapshot, sideOf } from '@core/market';
import { type PlannedUnwind, plannedPrincipalOf, type Route, type Side } from '@core/position';
import {
  compare,
  constants,
  isDust,
  isLiquidatable,
  isZero,
  min,
  multiplyDivide,
  type OrderBook,
  type PricePips,
  type RateBps,
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
import { saleMarkOf } from '../market/marks.ts';
import { riskPhaseOf } from '../market/riskPhase.ts';
import { routes } from '../route/routes.ts';
import { isFeeLimited } from './coverFee.ts';
import { isUnsellable } from './isUnsellable.ts';
import { isCovering, isWithinDebt, repayingSizeOf, type Sale, type SaleBounds } from './repayingSale.ts';
import { saleLimitOf } from './saleLimit.ts';

/** A position as the chain and the keeper's own record show it. */
export interface OwingPosition extends OwingSince {
  /** Route of its sales; `direct` when absent. */
  readonly route?: Route;
  readonly side: Side;
  /** Tokens the vault has booked. */
  readonly tokenUnits: TokenUnits;
  readonly collateralUsdcUnits: UsdcUnits;
  readonly principalUsdcUnits: UsdcUnits;
  /** Principal and fees owed now. */
  readonly debtUsdcUnits: UsdcUnits;
  /** The vault's liquidation price now; 0 without principal. */
  readonly liquidationPricePips: PricePips;
  /** Maximum fee rate of the venue's exchange now; 0 when it has none, null where it does not matter. */
  readonly maxVenueFeeBps: RateBps | null;
  /** Rungs of a committed position; empty for adaptive ones. */
  readonly plannedUnwinds: readonly PlannedUnwind[];
  /** Orders killed without a fill since the unwind became due. */
  readonly killedCount: number;
  /** Time since the last of them, milliseconds; null when there was none. */
  readonly sinceLastOrderMs: number | null;
}

/** Trigger of the unwind. */
export type UnwindCause = 'cover' | 'hard_exit' | 'planned';

/** Trigger of a due unwind; only a planned one has a rung. */
type DueBecause =
  | { readonly cause: Exclude<UnwindCause, 'planned'>; readonly rung: null }
  | { readonly cause: 'planned'; readonly rung: number };

/** Causes for which an unwind that may be due is not sold now. */
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
  | ({
      readonly kind: 'sell';
      /** True when all tokens are sold although they do not cover the debt: what remains of it is lost. */
      readonly isBelowDebt: boolean;
    } & DueBecause &
      Sale)
  /** All tokens cannot repay the debt and the vault allows a liquidation, whose fee goes to the reserve. */
  | { readonly kind: 'liquidate' }
  /** Alert for an operator: waiting may cost the pool money. */
  | { readonly kind: 'wait'; readonly reason: UnwindWait; readonly isAlert: boolean };

/** Decision to sell without its kind, for each cause. */
type DueSale = { readonly isBelowDebt: boolean } & DueBecause & Sale;

const none: UnwindDecision = { kind: 'none' };
const nothing = usdcUnits(0n);
const { minOrderTokenUnits } = constants;

/**
 * Decide what happens to the debt of one position now. The whole debt is repaid when it is above its cover, or while
 * the hard exit is in force; before that the rungs of a committed position repay their part. With debt covered nothing
 * is sold. A sale never raises the debt per token of the remainder: otherwise it is not sold in parts. Where all tokens
 * do not cover the debt they are sold at once: a wait for a lower price would only lose more. What brings less than a
 * fill costs awaits settlement, as less than the smallest order does.
 */
export function decideUnwind(
  snapshot: MarketSnapshot,
  observed: OwingPosition,
  config: PolicyConfig = policyDefaults,
): UnwindDecision {
  if (isZero(observed.debtUsdcUnits) || isZero(observed.tokenUnits)) return none;
  const { facts } = snapshot;
  const { saleBoundsOf, countsKilled, paysExchangeFee } = routes[observed.route ?? 'direct'];
  const position: OwingPosition = {
    ...observed,
    killedCount: countsKilled ? observed.killedCount : 0,
    maxVenueFeeBps: paysExchangeFee ? observed.maxVenueFeeBps : null,
  };
  const token = sideOf(snapshot, position.side);
  if (facts.isSettlementDetected) return wait('market_not_tradable');
  const { tickPricePips, venueFee } = facts;
  if (venueFee === null) return wait('fee_schedule_missing');
  const mark = saleMarkOf(token, { tickPricePips, config });
  if (token.book === null || mark === null) return wait(missingBookOf(token));
  const hardExit = hardExitOf(snapshot, position, config);
  const due = dueRepaymentOf(snapshot, position, { book: token.book, mark, hardExit, config });
  if (due === null) return none;
  if (!facts.isAcceptingOrders) return wait('market_not_tradable');
  const marked = { kind: 'unwind', slipBps: hardExit.slipBps, markPricePips: mark, venueFee } as const;
  const bounds = {
    ...saleBoundsOf(marked, config),
    bids: token.book.bids,
    heldTokenUnits: position.tokenUnits,
    tickPricePips,
    fees: { venueFee, maxVenueFeeBps: position.maxVenueFeeBps },
  };
  return saleOf(position, due, { snapshot, mark, hardExit, config, bounds });
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
  readonly snapshot: MarketSnapshot;
  readonly mark: PricePips;
  readonly hardExit: HardExit;
  readonly config: PolicyConfig;
  readonly bounds: SaleBounds;
}

function saleOf(position: OwingPosition, due: Repayment, situation: SaleSituation): UnwindDecision {
  const { hardExit, bounds } = situation;
  const repayingSize = repayingSizeOf(due.repayUsdcUnits, bounds);
  if (repayingSize === null) return wait('size_too_small');
  const { tokenUnits: size, limitPricePips: limit } = repayingSize;
  const isWhole = compare(size, toShareStep(position.tokenUnits, 'down')) === 0;
  const planned = limit === null ? null : { tokenUnits: size, limitPricePips: limit };
  const isCovered = planned !== null && isCovering(planned, due.repayUsdcUnits, bounds.fees);
  if (isWhole && planned !== null && !isCovered) {
    return belowDebtOf(position, due, situation) ?? wait('under_water', true);
  }
  // The smallest order would leave a rest that cannot be sold, and all is more than the vault lets an unwind sell.
  if (planned !== null && !isWithinDebt(planned, position.debtUsdcUnits, bounds.fees)) return wait('size_too_small');
  const isSoldWhole = isWhole && planned !== null && isCovering(planned, position.debtUsdcUnits, bounds.fees);
  const sale = fillableSaleOf(position, size, situation) ?? (isSoldWhole ? planned : null);
  if (sale !== null) return sellOf(position, { ...due.because, ...sale, isBelowDebt: false }, situation);
  return belowDebtOf(position, due, situation) ?? wait('book_too_thin', hardExit.isInForce);
}

function sellOf(position: OwingPosition, sale: DueSale, situation: SaleSituation): UnwindDecision {
  const { hardExit, config } = situation;
  if (isTooSmall(position, sale, situation)) return wait('size_too_small');
  const delayMs = hardExit.isInForce ? config.unwind.hardExitDelayMs : config.unwind.retryDelayMs;
  // A new attestation for each order takes its time, and a book that killed one has hardly changed at once.
  return (position.sinceLastOrderMs ?? delayMs) < delayMs ? wait('order_too_recent') : { kind: 'sell', ...sale };
}

/** True for a sale that brings less than a fill costs. A grant of everything includes the dust. */
function isTooSmall(
  { side, tokenUnits: held, route = 'direct' }: OwingPosition,
  { tokenUnits: sold }: Sale,
  { snapshot, config }: SaleSituation,
): boolean {
  const tokenUnits = isDust(subtract(held, sold)) ? held : sold;
  return isUnsellable(snapshot, { route, purpose: 'unwind', side, tokenUnits }, config);
}

/**
 * Sell everything where all tokens at their limit do not cover the debt: past the deadline because the debt is still
 * smaller after the sale than after the jump, before it because the price of such a position falls further while it
 * waits. Null where they cover it, where the book does not take them, and for a rung, which repays covered debt.
 */
function belowDebtOf(position: OwingPosition, due: Repayment, situation: SaleSituation): UnwindDecision | null {
  const { hardExit, config, bounds } = situation;
  if (due.because.cause === 'planned') return null;
  const whole = toShareStep(position.tokenUnits, 'down');
  const limit = saleLimitOf({ bids: bounds.bids }, { ...bounds, tokenUnits: whole });
  if (limit === null) return null;
  const everything: Sale = { tokenUnits: whole, limitPricePips: limit };
  if (isCovering(everything, position.debtUsdcUnits, bounds.fees)) return null;
  if (!hardExit.isInForce) {
    if (isLiquidatable(situation.mark, position.liquidationPricePips)) return { kind: 'liquidate' };
    if (!isFeeLimited(position.maxVenueFeeBps, config)) return wait('under_water', true);
  }
  const part = position.killedCount === 0 ? null : fillableSaleOf(position, whole, situation);
  return sellOf(position, { ...due.because, ...(part ?? everything), isBelowDebt: part === null }, situation);
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
  return isCovering(sale, ownDebt, bounds.fees) ? sale : null;
}
