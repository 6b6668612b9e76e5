import type { UnwindInput, UnwindReason } from '@core/position';
import { type PricePips, raw, type TokenUnits, tokenUnits, walkBids } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { coveredValueOf, oddsShockOf } from '../leverage/oddsShock.ts';
import { averageSalePriceOf, netSaleValueOf, pipsToE12 } from '../leverage/saleValue.ts';
import type { CoverInputs } from './coverInputs.ts';
import type { UnwindCause } from './decideUnwind.ts';

/** An unwind that is due, and what its cover rested on when it last held. */
export interface UnwindSituation {
  readonly cause: UnwindCause;
  /** The game has begun since, and the debt was due before. */
  readonly isFromBeforeStart: boolean;
  readonly now: CoverInputs;
  /** The last inputs at which the debt was covered; null when none was seen. */
  readonly covered: CoverInputs | null;
  readonly tokenUnits: TokenUnits;
  /** Mark of the opening; null when it is not known. */
  readonly openedMarkPricePips: PricePips | null;
}

/** The inputs that move c; of equal movements the first counts. */
type MovedInput = Extract<UnwindInput, 'price' | 'spread' | 'depth' | 'jump' | 'variance' | 'time'>;
const movedInputs: readonly MovedInput[] = ['price', 'spread', 'depth', 'jump', 'variance', 'time'];

/**
 * Return the reason of an unwind: the input that lowered c furthest since the debt was last covered, all others at
 * their values of then. Debt per token itself moves by fees alone, which is time. The name of a fall follows from its
 * size.
 */
export function decideUnwindReason(situation: UnwindSituation, config: PolicyConfig): UnwindReason {
  const { cause, now, covered } = situation;
  if (cause === 'hard_exit') return hardExitReasonOf(situation);
  if (cause === 'planned') return priceReasonOf(situation);
  if (covered === null) return unseenReasonOf(situation);
  switch (furthestMovedOf(situation, covered, config)) {
    case 'price':
      return priceReasonOf(situation);
    case 'spread':
      return spreadReasonOf(covered, now);
    case 'depth':
      return depthReasonOf(situation);
    case 'jump':
      return 'game_start';
    case 'variance':
      // The variance of a game is the score's, that of a crypto market its asset's.
      return now.phase.kind === 'crypto' ? 'crypto_move' : 'lead_change';
    case 'time':
      return 'stale_refresh';
    case null:
      return 'unknown';
  }
}

/** The sale price of a size, taken apart: mark, way from the mark to the best bid, way from there to the average. */
interface SaleParts {
  readonly mark: bigint;
  readonly spread: bigint;
  readonly depth: bigint;
}

function partsOf(
  { bids, markPricePips }: CoverInputs,
  size: TokenUnits,
  mark = pipsToE12(raw(markPricePips)),
): SaleParts {
  const bestBid = averageSalePriceOf({ bids, tokens: tokenUnits(0n), ahead: tokenUnits(0n) });
  return {
    mark,
    spread: mark - bestBid,
    depth: bestBid - averageSalePriceOf({ bids, tokens: size, ahead: tokenUnits(0n) }),
  };
}

/**
 * Return the mark as far as its fall is one of the price, scaled by 1e12: the fall that bids and asks have in common.
 * The mid also falls where bids alone go away, by a sale of our own for example; that is spread and depth.
 */
function commonMarkOf(then: CoverInputs, now: CoverInputs): bigint {
  const [before, after] = [raw(then.markPricePips), raw(now.markPricePips)];
  if (then.bestAskPricePips === null || now.bestAskPricePips === null) return pipsToE12(after);
  const askFall = raw(then.bestAskPricePips) - raw(now.bestAskPricePips);
  const lowest = before - (askFall > 0n ? askFall : 0n);
  return pipsToE12(after > lowest ? after : lowest);
}

function furthestMovedOf({ now, tokenUnits: size }: UnwindSituation, then: CoverInputs, config: PolicyConfig) {
  const [before, after] = [partsOf(then, size), partsOf(now, size, commonMarkOf(then, now))];
  const changed: Readonly<Record<MovedInput, readonly [CoverInputs, SaleParts]>> = {
    price: [then, { ...before, mark: after.mark }],
    spread: [then, { ...before, spread: after.spread }],
    depth: [then, { ...before, depth: after.depth }],
    jump: [{ ...then, phase: { ...now.phase, leftSeconds: then.phase.leftSeconds } }, before],
    variance: [{ ...then, realisedVarianceE12: now.realisedVarianceE12 }, before],
    time: [
      {
        ...then,
        phase: { ...then.phase, leftSeconds: now.phase.leftSeconds },
        isReferenceSilent: now.isReferenceSilent,
      },
      before,
    ],
  };
  const coveredE12 = coverOfParts(then, before, config);
  let furthest: MovedInput | null = null;
  let furthestE12 = 0n;
  for (const input of movedInputs) {
    const [inputs, parts] = changed[input];
    const loweredE12 = coveredE12 - coverOfParts(inputs, parts, config);
    if (loweredE12 > furthestE12) [furthest, furthestE12] = [input, loweredE12];
  }
  return furthest;
}

function coverOfParts(inputs: CoverInputs, { mark, spread, depth }: SaleParts, config: PolicyConfig): bigint {
  const sale = mark - spread - depth;
  return coveredValueOf(netSaleValueOf(sale > 0n ? sale : 0n, inputs.venueFee), oddsShockOf(inputs, config.model));
}

/**
 * The time for debt is over: before a game because it starts, and after the start by the side's standing. A side that
 * is not losing then owes too late because the game began, if the debt is older than the game, and else too long.
 */
function hardExitReasonOf({ now, isFromBeforeStart }: UnwindSituation): UnwindReason {
  if (now.phase.kind === 'pregame') return 'game_start';
  if (raw(now.markPricePips) < 5_000n) return 'post_hard_exit_losing';
  return isFromBeforeStart ? 'game_start' : 'stale_refresh';
}

/**
 * The debt was covered when it was opened, and of what the cover rested on then only the mark is known: a fall of a
 * tenth since then explains it.
 */
function unseenReasonOf(situation: UnwindSituation): UnwindReason {
  const reason = priceReasonOf(situation);
  return reason === 'price_drop_warning' ? 'unknown' : reason;
}

/** By how far the mark is below that of the opening: a tenth, a fifth and a third part one word from the next. */
function priceReasonOf({ now, openedMarkPricePips }: UnwindSituation): UnwindReason {
  const openingMark = raw(openedMarkPricePips ?? now.markPricePips);
  const fallBps = openingMark === 0n ? 0n : ((openingMark - raw(now.markPricePips)) * 10_000n) / openingMark;
  if (fallBps < 1_000n) return 'price_drop_warning';
  if (fallBps < 2_000n) return 'price_drop_moderate';
  return fallBps < 3_333n ? 'price_drop_severe' : 'price_drop_full_exit';
}

/** By how much wider the way from mark to bid became. */
function spreadReasonOf(then: CoverInputs, now: CoverInputs): UnwindReason {
  const none = tokenUnits(0n);
  const [before, after] = [partsOf(then, none).spread, partsOf(now, none).spread];
  if (after >= 3n * before) return 'spread_blowout';
  return after >= 2n * before ? 'spread_spike' : 'spread_warning';
}

/** By how much of the position the bids take at all. */
function depthReasonOf({ now, tokenUnits: size }: UnwindSituation): UnwindReason {
  const rest = raw(walkBids({ bids: now.bids, tokenUnits: size }).restTokenUnits);
  if (rest === 0n) return 'depth_decay';
  return 2n * rest >= raw(size) ? 'depth_drain' : 'depth_entry_drain';
}
