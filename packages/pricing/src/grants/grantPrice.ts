import { divide } from '../units/arithmetic.ts';
import { wholeBps } from '../units/conversion.ts';
import {
  type PricePips,
  type RateBps,
  raw,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '../units/quantity.ts';

/** The price path of a grant takes this part of its time; price and fee part stay at their ends for the rest. */
export const grantPathDivisor = 2n;

/** Direction of a grant as the vault sees it: a purchase pays USDC for tokens, a sale gives tokens for USDC. */
export type GrantSide = 'purchase' | 'sale';

/** Price path of a grant: from the start price without a fee to the limit with the whole fee, in half of its time. */
export interface GrantPath {
  readonly side: GrantSide;
  /** The better of mark and limit for the vault. */
  readonly startPricePips: PricePips;
  /** Worst price for the vault, fee apart. */
  readonly limitPricePips: PricePips;
  /** Fee at the end of the path, a share of the USDC traded: a purchase pays it on top, a sale receives less. */
  readonly venueFeeBps: RateBps;
  /** Duration of the grant in whole seconds, above 0. */
  readonly validForSeconds: number;
}

/** Exact number of USDC units per token unit, fee included. Both parts are positive for a price above zero. */
export interface GrantPrice {
  readonly dividend: bigint;
  readonly divisor: bigint;
}

/** Position on a path: the parts of validFor that are over and left. @throws RangeError outside the grant's time. */
function placeOn({ validForSeconds }: GrantPath, elapsedSeconds: number): { elapsed: bigint; rest: bigint } {
  if (elapsedSeconds < 0 || elapsedSeconds > validForSeconds) {
    throw new RangeError(`a grant has a price from 0 to ${validForSeconds} s, not at ${elapsedSeconds} s`);
  }
  const whole = BigInt(validForSeconds);
  const parts = grantPathDivisor * BigInt(elapsedSeconds);
  const elapsed = parts < whole ? parts : whole;
  return { elapsed, rest: whole - elapsed };
}

/** Return the fee's share of the USDC traded at a time, a fraction with the divisor 10,000 × validFor. */
export function grantFeeOf(path: GrantPath, elapsedSeconds: number): GrantPrice {
  const { elapsed } = placeOn(path, elapsedSeconds);
  return { dividend: raw(path.venueFeeBps) * elapsed, divisor: wholeBps * BigInt(path.validForSeconds) };
}

/**
 * Return the price of a grant at a time, fee included, as an exact fraction. With elapsed = min(2 × seconds, validFor)
 * the trade part is (start × (validFor − elapsed) + limit × elapsed) / (10,000 × validFor); the fee's share of it is
 * venueFeeBps × elapsed / (10,000 × validFor), added for a purchase and subtracted for a sale (PROTOCOL W1).
 *
 * @param path Price path of the grant.
 * @param elapsedSeconds Whole seconds since the grant's first block, 0 to `validForSeconds`.
 * @returns USDC units per token unit.
 * @throws RangeError when the seconds are outside the path or no whole number.
 */
export function grantPriceOf(path: GrantPath, elapsedSeconds: number): GrantPrice {
  const { elapsed, rest } = placeOn(path, elapsedSeconds);
  const fee = grantFeeOf(path, elapsedSeconds);
  const trade = raw(path.startPricePips) * rest + raw(path.limitPricePips) * elapsed;
  const factor = path.side === 'purchase' ? fee.divisor + fee.dividend : fee.divisor - fee.dividend;
  return { dividend: trade * factor, divisor: fee.divisor * fee.divisor };
}

/**
 * Return the USDC that the vault pays for tokens (purchase, rounded down) or demands for them (sale, rounded up), fee
 * included.
 *
 * @throws RangeError when the seconds are outside the path.
 */
export function grantUsdcOf(path: GrantPath, elapsedSeconds: number, tokens: TokenUnits): UsdcUnits {
  const { dividend, divisor } = grantPriceOf(path, elapsedSeconds);
  return usdcUnits(divide(raw(tokens) * dividend, divisor, path.side === 'purchase' ? 'down' : 'up'));
}

/**
 * Return the fewest tokens for which the vault pays an amount (purchase, rounded up), or the most that it gives for one
 * (sale, rounded down).
 *
 * @throws RangeError when the seconds are outside the path, or at price zero.
 */
export function grantTokensOf(path: GrantPath, elapsedSeconds: number, usdc: UsdcUnits): TokenUnits {
  const { dividend, divisor } = grantPriceOf(path, elapsedSeconds);
  return tokenUnits(divide(raw(usdc) * divisor, dividend, path.side === 'purchase' ? 'up' : 'down'));
}
