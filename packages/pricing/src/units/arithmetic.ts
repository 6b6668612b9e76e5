import { type Quantity, raw, sameKind } from './quantity.ts';

/** `down` is towards minus infinity, `up` towards plus infinity: both keep their meaning for losses. */
export type Rounding = 'down' | 'up';

/**
 * Quotient of two whole numbers, rounded towards minus infinity (`down`) or plus infinity (`up`).
 * @throws RangeError when the divisor is zero.
 */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (divisor < 0n) return divide(-dividend, -divisor, rounding);
  // bigint division cuts towards zero: each case is turned into one where that is the rounding asked for.
  if (rounding === 'down') return dividend >= 0n ? dividend / divisor : -((divisor - 1n - dividend) / divisor);
  return dividend > 0n ? (dividend + divisor - 1n) / divisor : -(-dividend / divisor);
}

/**
 * The same quotient for amounts a position can have. Engines specialise a function for the sizes it has seen, and one
 * product beyond 64 bits would make every division slower: long products go to `divide`, everyday ones come here.
 * @throws RangeError when the divisor is zero.
 */
export function divideAmount(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (dividend < 0n || divisor < 0n) return divide(dividend, divisor, rounding);
  return rounding === 'up' ? (dividend + divisor - 1n) / divisor : dividend / divisor;
}

/** Sum of two quantities of one kind. */
export function add<Q extends Quantity>(a: Q, b: NoInfer<Q>): Q {
  return sameKind(a, raw(a) + raw(b));
}

/** Difference of two quantities of one kind; may be negative. */
export function subtract<Q extends Quantity>(a: Q, b: NoInfer<Q>): Q {
  return sameKind(a, raw(a) - raw(b));
}

/** The smaller of two quantities of one kind. */
export function min<Q extends Quantity>(a: Q, b: NoInfer<Q>): Q {
  return raw(a) <= raw(b) ? a : b;
}

/** The larger of two quantities of one kind. */
export function max<Q extends Quantity>(a: Q, b: NoInfer<Q>): Q {
  return raw(a) >= raw(b) ? a : b;
}

/** -1 when a is smaller, 0 when equal, 1 when larger: fits `Array.prototype.sort`. */
export function compare<Q extends Quantity>(a: Q, b: NoInfer<Q>): -1 | 0 | 1 {
  if (raw(a) === raw(b)) return 0;
  return raw(a) < raw(b) ? -1 : 1;
}

/** True when both hold the same amount. */
export function equals<Q extends Quantity>(a: Q, b: NoInfer<Q>): boolean {
  return raw(a) === raw(b);
}

/** True for nothing at all. */
export function isZero(q: Quantity): boolean {
  return raw(q) === 0n;
}

/**
 * q × multiplier / divisor, computed exactly and rounded once.
 * @throws RangeError when the divisor is zero.
 */
// oxlint-disable-next-line eslint/max-params -- a scale is read in this order everywhere, and an object would hide it.
export function multiplyDivide<Q extends Quantity>(q: Q, multiplier: bigint, divisor: bigint, rounding: Rounding): Q {
  return sameKind(q, divide(raw(q) * multiplier, divisor, rounding));
}
