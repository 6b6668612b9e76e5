import {
  add,
  applyRate,
  bestGrantFillOf,
  compare,
  type Grant,
  type GrantFill,
  grantFillRefusalOf,
  midPriceOf,
  multiplyDivide,
  type PricePips,
  type RateBps,
  raw,
  subtract,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import { type FillBooks, type FillMeans, type PricedWay, purchaseWaysOf, saleWayOf } from './fillWays.ts';

/** Published terms of a filler: it fills as soon as its own cost and this margin are covered. */
export interface FillTerms {
  /** Profit of a fill as a share of the USDC that it moves. */
  readonly marginBps: RateBps;
  /** Cost of the transactions of a fill. */
  readonly gasUsdcUnits: UsdcUnits;
  /** Largest fill, in USDC moved. */
  readonly maximumFillUsdcUnits: UsdcUnits;
  /** Time for which tokens rest at the best ask before they are sold at the bids; 0 sells them at once. */
  readonly restMs: number;
}

/** Observation of one grant. */
export interface FillObservation {
  readonly grant: Grant;
  /** Seconds since its start at the last block, and at the last one in which a fill is accepted. */
  readonly elapsedSeconds: number;
  readonly lastSecond: number;
  /** Mark that price signers attested for the grant. */
  readonly markPricePips: PricePips;
  readonly books: FillBooks;
  readonly means: FillMeans;
  readonly terms: FillTerms;
}

/** Fill that covers its cost and the margin. */
export interface ChosenFill extends PricedWay {
  readonly kind: 'fill';
  readonly fill: GrantFill;
}

/** Decision about a grant. `wait` names the second at which the books of now would cover it, null when none does. */
export type FillDecision =
  | ChosenFill
  | { readonly kind: 'wait'; readonly coveredAtSecond: number | null }
  | { readonly kind: 'leave'; readonly reason: 'over' | 'float_too_small' | 'mark_far' };

/** More than any grant: a fill of it takes all that is left. */
const everything: GrantFill = { tokenUnits: tokenUnits(10n ** 24n), usdcUnits: usdcUnits(10n ** 24n) };
/** Longest usual time from a decision to its block. */
const delaySeconds = 4;
/** Distance of three cents, in pips. */
const maximumMarkDistance = 300n;
/** Parts of what is left that are tried, the largest first. A fill below the vault's minimum is not tried. */
const parts: readonly (readonly [bigint, bigint])[] = [
  [1n, 1n],
  [1n, 2n],
  [1n, 5n],
];

/**
 * Decide about a grant: fill it, wait for a better price, or leave it. The filler takes the largest part whose price
 * covers its own cost and the margin, at the first second at which one does. It does not wait for a better price after
 * that: another filler may come first, and the difference belongs to the user.
 */
export function decideFill(observation: FillObservation): FillDecision {
  const { elapsedSeconds, lastSecond } = observation;
  if (elapsedSeconds < 0 || elapsedSeconds > lastSecond) return { kind: 'leave', reason: 'over' };
  if (isMarkFar(observation)) return { kind: 'leave', reason: 'mark_far' };
  const now = chooseFill(observation, elapsedSeconds);
  if (now !== null) return now;
  if (candidatesOf(observation, elapsedSeconds).length === 0) return { kind: 'leave', reason: 'float_too_small' };
  for (let second = elapsedSeconds + 1; second <= lastSecond; second += 1) {
    if (chooseFill(observation, second) !== null) return { kind: 'wait', coveredAtSecond: second };
  }
  return { kind: 'wait', coveredAtSecond: null };
}

/** Return true when the middle of the book is far from the mark, or there is none: one of both is false. */
function isMarkFar({ books, markPricePips }: FillObservation): boolean {
  const mid = midPriceOf(books.token);
  if (mid === null) return true;
  const distance = raw(mid) - raw(markPricePips);
  return distance > maximumMarkDistance || distance < -maximumMarkDistance;
}

/**
 * Return the tokens to have for a fill: its own, and as many more as the fee part of the path grows in the seconds
 * until the fill is mined. The vault counts the fee of that second, so the same USDC would be less of a trade then, and
 * maybe below its minimum. What is not needed stays with the filler.
 */
export function tokensForFill({ grant, elapsedSeconds }: FillObservation, fill: GrantFill): TokenUnits {
  if (grant.side === 'sale') return fill.tokenUnits;
  const later = Math.min(elapsedSeconds + delaySeconds, grant.validForSeconds);
  const [now, then] = [elapsedSeconds, later].map((second) => bestGrantFillOf(grant, second, everything).usdcUnits);
  return now === undefined || then === undefined
    ? fill.tokenUnits
    : multiplyDivide(fill.tokenUnits, raw(then), raw(now), 'up');
}

/** Return the largest part that is covered at a second; null when none is. */
function chooseFill(observation: FillObservation, second: number): ChosenFill | null {
  for (const fill of candidatesOf(observation, second)) {
    const way = wayOf(observation, fill);
    if (way !== null && isCovered({ observation, fill, way })) return { kind: 'fill', fill, ...way };
  }
  return null;
}

/** Return the fills at a second that the vault accepts and the largest fill allows. */
function candidatesOf({ grant, terms, means }: FillObservation, second: number): readonly GrantFill[] {
  const whole = bestGrantFillOf(grant, second, everything);
  return parts
    .map(([dividend, divisor]) =>
      bestGrantFillOf(grant, second, {
        tokenUnits: multiplyDivide(whole.tokenUnits, dividend, divisor, 'up'),
        usdcUnits: multiplyDivide(whole.usdcUnits, dividend, divisor, 'up'),
      }),
    )
    .filter((fill) => raw(fill.tokenUnits) > 0n && compare(fill.usdcUnits, terms.maximumFillUsdcUnits) <= 0)
    .filter((fill) => grant.side === 'purchase' || compare(fill.usdcUnits, means.usdcUnits) <= 0)
    .filter((fill) => grantFillRefusalOf(grant, second, fill) === null);
}

function wayOf({ grant, books, means }: FillObservation, fill: GrantFill): PricedWay | null {
  if (grant.side === 'sale') {
    const { canRest } = means;
    return saleWayOf(books, { tokens: fill.tokenUnits, payUsdcUnits: fill.usdcUnits, canRest });
  }
  return purchaseWaysOf(books, fill.tokenUnits, means)[0] ?? null;
}

function isCovered({
  observation: { grant, terms },
  fill,
  way,
}: {
  readonly observation: FillObservation;
  readonly fill: GrantFill;
  readonly way: PricedWay;
}): boolean {
  const profit =
    grant.side === 'purchase'
      ? subtract(fill.usdcUnits, way.worthUsdcUnits)
      : subtract(way.worthUsdcUnits, fill.usdcUnits);
  return compare(profit, minimumProfitOf(terms, fill)) >= 0;
}

/** Return the profit that a fill must leave: the margin, rounded up, and its gas. */
export function minimumProfitOf({ marginBps, gasUsdcUnits }: FillTerms, { usdcUnits: moved }: GrantFill): UsdcUnits {
  return add(applyRate(moved, marginBps, 'up'), gasUsdcUnits);
}
