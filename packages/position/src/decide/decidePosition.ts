import { compare, constants, isZero, max, pricePips, subtract, walkAsks } from '@core/pricing';
import { closableTokensOf } from '../orders/saleOrder.ts';
import { isCloseRetryDue } from './closeRetry.ts';
import { type DueOrder, decideStep, filledSoFarOf } from './decideStep.ts';
import type { ExecutionConfig } from './executionConfig.ts';
import { act, type OpeningProgress, type PositionDecision, soonerOf, type Wait, wait } from './positionAction.ts';
import type { BookedObservation, LiveBook, PositionObservation } from './positionObservation.ts';

type Due<Purpose extends DueOrder['purpose']> = Extract<DueOrder, { readonly purpose: Purpose }>;

const noPrice = pricePips(0n);

/**
 * Decide one complete action for a position, or a wait with its reason and the time of the next check. Opening: FOK up
 * to three times five seconds apart, then a refund; a partial opening takes its floor first and then any size until its
 * window ends. Open: a resolved position is settled, one at its liquidation price is sold, and a requested close is
 * sold. A live order is never disturbed before it ended at the venue or on time, and never left outstanding after its
 * time. Applying the decided action to the observation gives one for which nothing is decided.
 *
 * @param withBook Called only when an order is due, the one decision that depends on the book: reads the book and
 * passes it to `complete`.
 * @returns The decision, or the result of `withBook`.
 */
export function decidePosition<Result>(
  observation: PositionObservation,
  config: ExecutionConfig,
  withBook: (complete: (book: LiveBook | null) => PositionDecision) => Result,
): PositionDecision | Result {
  const step = decideStep(observation, config);
  return step.kind === 'due' ? withBook((book) => orderOf({ ...observation, book }, step, config)) : step;
}

function orderOf(observation: BookedObservation, due: DueOrder, config: ExecutionConfig): PositionDecision {
  switch (due.purpose) {
    case 'open':
      return openingOf(observation, due);
    case 'close':
      return closeOf(observation, due, config);
    case 'liquidate':
      return liquidationOf(observation, due, config);
  }
}

/** One attempt to open, sized from the live asks. Without any it counts all the same: three of them end the opening. */
function openingOf(observation: BookedObservation, { orderType, notionalUsdcUnits }: Due<'open'>): PositionDecision {
  const { opening, book } = observation;
  const attempt = opening.attemptCount + 1;
  const { tokenUnits } = walkAsks({ asks: book?.asks ?? [], notionalUsdcUnits });
  if (book === null || isZero(tokenUnits)) return act({ kind: 'record_miss', attempt, reason: 'book_empty' });
  return act({
    kind: 'order',
    purpose: 'open',
    orderType,
    tokenUnits,
    attempt,
    retryAtMs: null,
    progress: progressOf(observation),
    bounds: {
      dueUsdcUnits: notionalUsdcUnits,
      openUsdcUnits: subtract(opening.notionalUsdcUnits, filledSoFarOf(observation)),
      notionalUsdcUnits: opening.notionalUsdcUnits,
      minPositionTokenUnits: opening.minPositionTokenUnits,
      venueFeeLeftUsdcUnits: opening.venueFeeLeftUsdcUnits,
      tickPricePips: book.tickPricePips,
    },
  });
}

/** An attempt after the first one: the part that is filled grows, or nothing was filled yet. */
function progressOf({ opening }: PositionObservation): OpeningProgress | null {
  if (opening.attemptCount === 0) return null;
  return opening.hasTokens ? 'PARTIAL_OPEN_PROGRESS' : 'ORDER_FULFILLMENT_RETRYING';
}

/**
 * Return one order to sell the tokens of a close request, sized to the live bids at the user's price. The unsellable
 * part waits without a trace: the request remains until the user withdraws it or the market resolves.
 */
function closeOf(
  observation: BookedObservation,
  { tokenUnits, unwind }: Due<'close'>,
  config: ExecutionConfig,
): PositionDecision {
  const { closing, book, nowMs } = observation;
  const { heldTokenUnits, minPricePips, debtUsdcUnits, attempts, attemptCount } = closing;
  const waiting = (reason: string): Wait => soonerOf(unwind, wait(reason, nowMs + config.retryDelayMs));
  const floor = book?.closeFloors?.[isZero(minPricePips) ? 'unpricedPips' : 'pricedPips'] ?? noPrice;
  const bound = max(minPricePips, floor);
  const size = closableTokensOf(tokenUnits, heldTokenUnits, { bids: book?.bids ?? [], minPricePips: bound });
  if (book === null || isZero(size)) return waiting('book_too_thin');
  const serves = {
    decidedAtMs: nowMs,
    requestedTokenUnits: closing.askedTokenUnits,
    minPricePips,
    reachTokenUnits: size,
  };
  const later = waiting('retry_later');
  if (!isCloseRetryDue(attempts, serves, config)) return later;
  const { tickPricePips } = book;
  return act({
    kind: 'order',
    purpose: 'close',
    orderType: 'FOK',
    tokenUnits: size,
    attempt: attemptCount + 1,
    retryAtMs: later.untilMs,
    serves,
    bounds: { tokenUnits: size, heldTokenUnits, minPricePips, tickPricePips, debtUsdcUnits },
  });
}

/**
 * One order to sell what the book takes of a position that reached its liquidation price, never below mark × (1 −
 * slip): what it does not take now is sold by the next one. A rest below the smallest order awaits settlement.
 */
function liquidationOf(
  observation: BookedObservation,
  { tokenUnits }: Due<'liquidate'>,
  config: ExecutionConfig,
): PositionDecision {
  const { closing, liquidation, book, nowMs } = observation;
  const { heldTokenUnits } = closing;
  const retryAtMs = nowMs + config.liquidationRetryDelayMs;
  const floorPricePips = book?.saleFloorPricePips ?? null;
  if (book === null || floorPricePips === null) return wait('book_one_sided', retryAtMs);
  const size = closableTokensOf(tokenUnits, heldTokenUnits, { bids: book.bids, minPricePips: floorPricePips });
  if (isZero(size)) {
    const isRest = compare(heldTokenUnits, constants.minOrderTokenUnits) < 0;
    return wait(isRest ? 'size_too_small' : 'book_too_thin', retryAtMs);
  }
  return act({
    kind: 'order',
    purpose: 'liquidate',
    orderType: 'FAK',
    tokenUnits: size,
    attempt: liquidation.attemptCount + 1,
    retryAtMs,
    // The signer's limit alone bounds the price: it is made for this size and moves with the book.
    bounds: { tokenUnits: size, heldTokenUnits, minPricePips: noPrice, tickPricePips: book.tickPricePips },
  });
}
