import {
  bestBidOf,
  bestGrantFillOf,
  clipGrantFill,
  compare,
  type Grant,
  type GrantFill,
  grantFillRefusalOf,
  midPriceOf,
  multiplyDivide,
  type PricePips,
  type RateBps,
  raw,
  type TokenUnits,
  tokenUnits,
  toShareStep,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import { type BookClaims, booksLeft } from './bookClaims.ts';
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
  /** Seconds from its start to the block that would include a fill, and to the last one that may. */
  readonly elapsedSeconds: number;
  readonly lastSecond: number;
  /** Mark that price signers attested for the grant. */
  readonly markPricePips: PricePips;
  readonly books: FillBooks;
  /** Levels of the books that other fills use; none when absent. */
  readonly claims?: BookClaims;
  readonly means: FillMeans;
  readonly terms: FillTerms;
}

/**
 * Fill at the filler's own price: its cost, the gas and the margin. Its maxima hold in every later second of the grant:
 * the vault clips them to what is left. What the path would pay beyond that price is the user's.
 */
export interface ChosenFill extends PricedWay {
  readonly kind: 'fill';
  readonly floatUsdcUnits: UsdcUnits;
  readonly fill: GrantFill;
}

/** Decision about a grant. `wait` has the first later fill that the books of now would cover; null for none. */
export type FillDecision =
  | ChosenFill
  | { readonly kind: 'wait'; readonly later: { readonly atSecond: number; readonly chosen: ChosenFill } | null }
  | { readonly kind: 'leave'; readonly reason: 'over' | 'float_too_small' | 'mark_far' };

/** More than any grant: a fill of it takes all that is left. */
const everything: GrantFill = { tokenUnits: tokenUnits(10n ** 24n), usdcUnits: usdcUnits(10n ** 24n) };
const wholeBps = 10_000n;
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
 * that: another filler may come first, and the difference belongs to the user. Levels that other fills use do not
 * count, but for the comparison with the mark.
 */
export function decideFill(whole: FillObservation): FillDecision {
  const { elapsedSeconds, lastSecond, books, claims } = whole;
  if (elapsedSeconds < 0 || elapsedSeconds > lastSecond) return { kind: 'leave', reason: 'over' };
  if (isMarkFar(whole)) return { kind: 'leave', reason: 'mark_far' };
  const observation = claims === undefined ? whole : { ...whole, books: booksLeft(books, claims) };
  const now = chooseFill(observation, elapsedSeconds);
  if (now !== null) return now;
  if (candidatesOf(observation, elapsedSeconds).length === 0) return { kind: 'leave', reason: 'float_too_small' };
  for (let second = elapsedSeconds + 1; second <= lastSecond; second += 1) {
    const chosen = chooseFill(observation, second);
    if (chosen !== null) return { kind: 'wait', later: { atSecond: second, chosen } };
  }
  return { kind: 'wait', later: null };
}

/**
 * Return true when the book is far from the mark, or has no price: one of both is false. Its price is the middle; bids
 * alone are enough for a sale, which is all that they serve.
 */
function isMarkFar({ grant, books, markPricePips }: FillObservation): boolean {
  const price = midPriceOf(books.token) ?? (grant.side === 'sale' ? bestBidOf(books.token) : null);
  if (price === null) return true;
  const distance = raw(price) - raw(markPricePips);
  return distance > maximumMarkDistance || distance < -maximumMarkDistance;
}

/** Return true when the vault accepts the maxima of a fill in a block of this second. */
export function isAcceptedAt(grant: Grant, second: number, maxima: GrantFill): boolean {
  const fill = clipGrantFill(grant, second, maxima);
  return raw(fill.tokenUnits) > 0n && grantFillRefusalOf(grant, second, fill) === null;
}

/** Return the fill of the largest part that is covered at a second; null when none is. */
function chooseFill(observation: FillObservation, second: number): ChosenFill | null {
  const { grant } = observation;
  for (const candidate of candidatesOf(observation, second)) {
    const chosen =
      grant.side === 'sale'
        ? ownFillOf(observation, candidate.tokenUnits)
        : ownPurchaseOf(observation, { second, candidate });
    if (chosen !== null && isAcceptedAt(grant, second, chosen.fill)) return chosen;
  }
  return null;
}

/** Every round adds what the last one lacked, which its own price and a whole share make smaller. */
const maximumRounds = 4;

/**
 * Return the purchase at the filler's own price that is worth the candidate's part of the money at the end of the path.
 * The vault counts the fee of the block's second, so the same USDC is less of a trade in a later one.
 */
function ownPurchaseOf(
  observation: FillObservation,
  { second, candidate }: { readonly second: number; readonly candidate: GrantFill },
): ChosenFill | null {
  const { grant } = observation;
  const atEnd = bestGrantFillOf(grant, grant.validForSeconds, everything).usdcUnits;
  const now = bestGrantFillOf(grant, second, everything).usdcUnits;
  const goal = multiplyDivide(candidate.usdcUnits, raw(atEnd), raw(now), 'up');
  let chosen = ownFillOf(observation, toShareStep(candidate.tokenUnits, 'up'));
  for (let round = 0; chosen !== null && round < maximumRounds; round += 1) {
    const { tokenUnits: tokens, usdcUnits: usdc } = chosen.fill;
    if (compare(usdc, goal) >= 0) break;
    chosen = ownFillOf(observation, toShareStep(multiplyDivide(tokens, raw(goal), raw(usdc), 'up'), 'up'));
  }
  return chosen;
}

/** Return the fill of a number of tokens at the cheapest way's price; null without a way or a price above zero. */
function ownFillOf({ grant, books, means, terms }: FillObservation, tokens: TokenUnits): ChosenFill | null {
  const way = grant.side === 'sale' ? saleWayOf(books, tokens, means) : purchaseWaysOf(books, tokens, means)[0];
  if (way === undefined || way === null) return null;
  const usdc = ownPriceOf(grant.side, way.worthUsdcUnits, terms);
  const floatUsdcUnits = way.floatUsdcUnits ?? usdc;
  if (raw(usdc) <= 0n || compare(floatUsdcUnits, means.usdcUnits) > 0) return null;
  return { kind: 'fill', fill: { tokenUnits: tokens, usdcUnits: usdc }, ...way, floatUsdcUnits };
}

/**
 * Return the USDC at which a fill leaves its gas and the margin: the smallest amount taken for tokens of that cost, or
 * the largest one given for tokens of that worth. The margin is a share of the amount.
 */
function ownPriceOf(side: Grant['side'], worth: UsdcUnits, { marginBps, gasUsdcUnits }: FillTerms): UsdcUnits {
  const [value, gas, margin] = [raw(worth), raw(gasUsdcUnits), raw(marginBps)];
  return side === 'purchase'
    ? multiplyDivide(usdcUnits(value + gas), wholeBps, wholeBps - margin, 'up')
    : multiplyDivide(usdcUnits(value > gas ? value - gas : 0n), wholeBps, wholeBps + margin, 'down');
}

/** Return the fills at a second's price that the vault accepts and the largest fill allows. */
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
