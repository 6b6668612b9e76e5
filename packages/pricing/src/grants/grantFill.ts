import { constants } from '../constants.ts';
import { divide, max, min } from '../units/arithmetic.ts';
import { wholeBps } from '../units/conversion.ts';
import { type RateBps, raw, type TokenUnits, tokenUnits, type UsdcUnits, usdcUnits } from '../units/quantity.ts';
import { type GrantPath, grantFeeOf, grantTokensOf, grantUsdcOf } from './grantPrice.ts';

/** Purchase of a position: the vault pays up to a maximum for tokens, fee apart. */
export interface PurchaseGrant extends GrantPath {
  readonly side: 'purchase';
  readonly maximumUsdcUnits: UsdcUnits;
  /** USDC traded so far, fee apart. */
  readonly filledUsdcUnits: UsdcUnits;
  /** Smallest trade of the position's first fill, fee apart; null once the position has tokens. */
  readonly minimumFirstUsdcUnits: UsdcUnits | null;
  /** Notional of the position and the tokens that the user expects at least for all of it; 0 binds nothing. */
  readonly notionalUsdcUnits: UsdcUnits;
  readonly minimumTokenUnits: TokenUnits;
}

/** Sale of a position's tokens. */
export interface SaleGrant extends GrantPath {
  readonly side: 'sale';
  readonly maximumTokenUnits: TokenUnits;
  readonly filledTokenUnits: TokenUnits;
  /** Tokens of the position at the start of the grant: a part leaves dust or 5 tokens. */
  readonly heldTokenUnits: TokenUnits;
}

/** Grant with its progress. */
export type Grant = PurchaseGrant | SaleGrant;

/** Amounts of one fill, fee included: the tokens that change hands and the USDC paid for them. */
export interface GrantFill {
  readonly tokenUnits: TokenUnits;
  readonly usdcUnits: UsdcUnits;
}

/** Reason for which the vault refuses a fill. */
export type GrantFillRefusal = 'price_too_poor' | 'below_minimum';

const { minOrderTokenUnits } = constants;
/** Share of a grant that a later fill takes at least, unless it takes all that is left. */
const laterFillParts = 5n;
/** More than one USDC unit per token unit, fee included. */
const feeCeiling = 2n;
/** Share of a purchase, 1 %, that may stay unfilled when it is done. */
const donePart = 100n;

const leftOf = (grant: Grant): bigint =>
  grant.side === 'purchase'
    ? raw(grant.maximumUsdcUnits) - raw(grant.filledUsdcUnits)
    : raw(grant.maximumTokenUnits) - raw(grant.filledTokenUnits);

/** Return the trade part of a payment of a purchase at a time, without its fee, rounded up. */
function tradeOf(path: GrantPath, elapsedSeconds: number, paid: bigint): bigint {
  const { dividend, divisor } = grantFeeOf(path, elapsedSeconds);
  return divide(paid * divisor, divisor + dividend, 'up');
}

/** Return the most that the vault still gives: USDC with the fee of a purchase, rounded down, or tokens of a sale. */
function maximumGivenOf(grant: Grant, elapsedSeconds: number): bigint {
  if (grant.side === 'sale') return leftOf(grant);
  const { dividend, divisor } = grantFeeOf(grant, elapsedSeconds);
  return divide(leftOf(grant) * (divisor + dividend), divisor, 'down');
}

/**
 * Return true when a grant is done: at most 1 % of a purchase, or dust of a sale, is left. The vault finalises it in
 * the same call (FILL H7).
 */
export function isGrantDone(grant: Grant): boolean {
  if (grant.side === 'purchase') return leftOf(grant) * donePart <= raw(grant.maximumUsdcUnits);
  return leftOf(grant) < raw(constants.dustTokenUnits);
}

/**
 * Return the amounts of a fill whose maxima may exceed what is left: the vault gives no more than that, and the filler
 * gives the share of the maxima that belongs to it, rounded up (FILL H8).
 *
 * @param maxima Maxima of both sides: the filler's tokens and USDC of a purchase, its USDC and tokens of a sale.
 * @throws RangeError when the seconds are outside the path.
 */
export function clipGrantFill(grant: Grant, elapsedSeconds: number, maxima: GrantFill): GrantFill {
  const [give, take] =
    grant.side === 'purchase'
      ? [raw(maxima.tokenUnits), raw(maxima.usdcUnits)]
      : [raw(maxima.usdcUnits), raw(maxima.tokenUnits)];
  const maximum = maximumGivenOf(grant, elapsedSeconds);
  if (take <= maximum) return maxima;
  const giveUnits = divide(give * maximum, take, 'up');
  return grant.side === 'purchase'
    ? { tokenUnits: tokenUnits(giveUnits), usdcUnits: usdcUnits(maximum) }
    : { tokenUnits: tokenUnits(maximum), usdcUnits: usdcUnits(giveUnits) };
}

/**
 * Return the best fill at a time for a filler that gives at most this much: tokens for a purchase, USDC for a sale. It
 * equals the vault's `quoteFill`, but for fills that are too small and for sales that must be whole.
 *
 * @param give Fill of which one side counts: the tokens of a purchase, the USDC of a sale.
 * @throws RangeError when the seconds are outside the path.
 */
export function bestGrantFillOf(grant: Grant, elapsedSeconds: number, give: GrantFill): GrantFill {
  if (grant.side === 'purchase') return bestPurchaseOf(grant, elapsedSeconds, give.tokenUnits);
  const tokens = min(grantTokensOf(grant, elapsedSeconds, give.usdcUnits), tokenUnits(leftOf(grant)));
  return { tokenUnits: tokens, usdcUnits: grantUsdcOf(grant, elapsedSeconds, tokens) };
}

function bestPurchaseOf(grant: PurchaseGrant, elapsedSeconds: number, give: TokenUnits): GrantFill {
  const price = grantUsdcOf(grant, elapsedSeconds, give);
  const paid = min(
    min(price, usdcUnits(maximumGivenOf(grant, elapsedSeconds))),
    userPaysOf(grant, elapsedSeconds, give),
  );
  const trade = tradeOf(grant, elapsedSeconds, raw(paid));
  if (trade !== leftOf(grant)) return { tokenUnits: give, usdcUnits: paid };
  const forUser = divide(trade * raw(grant.minimumTokenUnits), raw(grant.notionalUsdcUnits), 'up');
  return { tokenUnits: max(grantTokensOf(grant, elapsedSeconds, paid), tokenUnits(forUser)), usdcUnits: paid };
}

/** Return the USDC, fee included, that the user pays at most for tokens; without a bound, more than any price. */
function userPaysOf(grant: PurchaseGrant, elapsedSeconds: number, tokens: TokenUnits): UsdcUnits {
  const minimum = raw(grant.minimumTokenUnits);
  if (minimum === 0n) return usdcUnits(raw(tokens) * feeCeiling);
  const trade = divide(raw(tokens) * raw(grant.notionalUsdcUnits), minimum, 'down');
  const { dividend, divisor } = grantFeeOf(grant, elapsedSeconds);
  return usdcUnits(divide(trade * (divisor + dividend), divisor, 'down'));
}

/**
 * Return the reason for which the vault refuses a fill at a time, or null. Amounts are those after `clipGrantFill`. The
 * ratio must be no worse for the vault than the price now, and for the user than the expected tokens. A position's
 * first purchase reaches its minimum and 5 tokens; any other fill takes all that is left, or a fifth of the grant and 5
 * tokens (FILL H7, H8).
 *
 * @throws RangeError when the seconds are outside the path.
 */
export function grantFillRefusalOf(grant: Grant, elapsedSeconds: number, fill: GrantFill): GrantFillRefusal | null {
  const atPrice = raw(grantUsdcOf(grant, elapsedSeconds, fill.tokenUnits));
  const usdc = raw(fill.usdcUnits);
  if (grant.side === 'purchase' ? usdc > atPrice : usdc < atPrice) return 'price_too_poor';
  if (grant.side === 'sale') return isSaleLargeEnough(grant, fill) ? null : 'below_minimum';
  const trade = tradeOf(grant, elapsedSeconds, usdc);
  if (raw(fill.tokenUnits) * raw(grant.notionalUsdcUnits) < trade * raw(grant.minimumTokenUnits)) {
    return 'price_too_poor';
  }
  return isPurchaseLargeEnough(grant, { trade, tokens: raw(fill.tokenUnits) }) ? null : 'below_minimum';
}

function isPurchaseLargeEnough(
  grant: PurchaseGrant,
  { trade, tokens }: { readonly trade: bigint; readonly tokens: bigint },
): boolean {
  const isFiveTokens = tokens >= raw(minOrderTokenUnits);
  const first = grant.minimumFirstUsdcUnits;
  if (first !== null) return isFiveTokens && trade >= raw(first);
  return trade === leftOf(grant) || (isFiveTokens && trade * laterFillParts >= raw(grant.maximumUsdcUnits));
}

function isSaleLargeEnough(grant: SaleGrant, fill: GrantFill): boolean {
  const tokens = raw(fill.tokenUnits);
  if (tokens === leftOf(grant)) return true;
  const five = raw(minOrderTokenUnits);
  if (tokens < five || tokens * laterFillParts < raw(grant.maximumTokenUnits)) return false;
  const rest = raw(grant.heldTokenUnits) - raw(grant.filledTokenUnits) - tokens;
  return rest < raw(constants.dustTokenUnits) || rest >= five;
}

/** Return the smallest first purchase of a position: its share of the notional, 99 % where all of it is asked for. */
export function minimumFirstFillOf(notionalUsdcUnits: UsdcUnits, minFillBps: RateBps): UsdcUnits {
  const bps = raw(minFillBps) === wholeBps ? wholeBps - wholeBps / donePart : raw(minFillBps);
  return usdcUnits(divide(raw(notionalUsdcUnits) * bps, wholeBps, 'up'));
}
