import type { PricePips } from '@core/pricing';
import { effectiveLeverageOf } from '../debt/leverage.ts';
import type { Position } from '../record/position.ts';
import { isActiveStatus } from '../states/transitions.ts';
import { closedFiguresOf } from './closedFigures.ts';
import { entryFiguresOf } from './entryFigures.ts';
import type { PositionFigures } from './figures.ts';
import { openBasisOf } from './openBasis.ts';
import { openFiguresOf } from './openFigures.ts';

/** The moment a position is valued at. */
export interface ValuationMoment {
  /** Null without a mark: the mark of the opening counts, before it the price of the quote. */
  readonly markPricePips: PricePips | null;
  readonly nowMs: number;
}

/**
 * Every figure of a position, of the open type or the closed type by its status (specification, Position; DEFINITIONS 4
 * and 5). Money in USDC units and in pips, rounded as those sections say.
 * @throws RangeError when an open position has no collateral basis.
 */
export function valuePosition(position: Position, { markPricePips, nowMs }: ValuationMoment): PositionFigures {
  const { status } = position;
  const effectiveLeverageBps = effectiveLeverageOf(position, nowMs);
  if (!isActiveStatus(status)) {
    const closeReason = position.closeReason ?? status;
    return { kind: 'closed', status, closeReason, effectiveLeverageBps, ...closedFiguresOf(position, closeReason) };
  }
  const mark = markPricePips ?? position.openedMarkPricePips ?? position.entryPricePips;
  const entry = entryFiguresOf(position);
  const live = openFiguresOf(openBasisOf(position), { markPricePips: mark, nowMs });
  return { kind: 'open', status, effectiveLeverageBps, entry, ...live };
}
