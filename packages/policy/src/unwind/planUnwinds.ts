import { oneE12 } from '@core/market';
import type { PlannedUnwind } from '@core/position';
import {
  constants,
  type LeverageBps,
  leverageBps,
  pricePips,
  raw,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
} from '@core/pricing';
import { averageSalePriceOf, netSaleValueOf, pipsToE12 } from '../leverage/saleValue.ts';
import type { SideModel } from '../leverage/sideModel.ts';
import { debtPerTokenOf } from '../leverage/watch.ts';

/** Debt of a committed position at its quote. */
export interface QuotedDebt {
  readonly borrowUsdcUnits: UsdcUnits;
  readonly positionTokenUnits: TokenUnits;
  readonly leverageBps: LeverageBps;
}

const wholeBps = 10_000n;

/**
 * The ladder of a committed position: rungs at even distances on the way from the mark down to the price at which the
 * debt would lose its cover at the shock of now. Each takes the borrowed part of the leverage down evenly, to the step
 * of 2,500 below, and the cover takes the rest. A way too short for a rung a pip has none.
 */
export function planUnwinds(model: SideModel, debt: QuotedDebt): readonly PlannedUnwind[] {
  const mark = raw(model.markPricePips);
  const way = mark - uncoveredMarkOf(model, debt);
  const parts = BigInt(model.config.ladder.rungCount) + 1n;
  const step = raw(constants.leverageStepBps);
  const borrowed = raw(debt.leverageBps) - wholeBps;
  const planned: PlannedUnwind[] = [];
  for (let part = 1n; part < parts; part += 1n) {
    const trigger = mark - (way * part + parts - 1n) / parts;
    const target = wholeBps + ((borrowed * (parts - part)) / parts / step) * step;
    const above = planned.at(-1);
    const isLower = trigger < raw(above?.triggerPricePips ?? model.markPricePips);
    if (way <= 0n || trigger <= 0n || !isLower || target >= raw(above?.targetLeverageBps ?? debt.leverageBps)) continue;
    planned.push({
      rung: planned.length + 1,
      triggerPricePips: pricePips(trigger),
      targetLeverageBps: leverageBps(target),
    });
  }
  return planned;
}

/**
 * Mark at which c has fallen to the debt per token, in pips, rounded up: c = e / (e + (1 − e)·X) solved for e, with
 * what a sale brings staying as far below the mark as it is in the book of now.
 */
function uncoveredMarkOf(model: SideModel, { borrowUsdcUnits, positionTokenUnits }: QuotedDebt): bigint {
  const { book, shockE12, venueFee, markPricePips } = model;
  const debtE12 = debtPerTokenOf(borrowUsdcUnits, positionTokenUnits);
  const shocked = (debtE12 * shockE12) / oneE12;
  const endE12 = (shocked * oneE12) / (oneE12 - debtE12 + shocked);
  const sale = averageSalePriceOf({ bids: book.bids, tokens: positionTokenUnits, ahead: tokenUnits(0n) });
  const belowMarkE12 = pipsToE12(raw(markPricePips)) - netSaleValueOf(sale, venueFee);
  return (endE12 + belowMarkE12 + pipsToE12(1n) - 1n) / pipsToE12(1n);
}
