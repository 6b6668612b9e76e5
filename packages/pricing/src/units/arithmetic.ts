import { type Quantity, raw, sameKind } from './quantity.ts';

/** Direction of rounding: `down` towards minus infinity, `up` towards plus infinity, for losses as well. */
export type Rounding = 'down' | 'up';

/**
 * Divide two whole numbers.
 *
 * @param rounding `down` towards minus infinity, `up` towards plus infinity.
 * @throws RangeError when the divisor is zero.
 */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (divisor < 0n) return divide(-dividend, -divisor, rounding);
  // bigint division truncates towards zero, so each case is rewritten to one where truncation is the requested
  // rounding.
  if (rounding === 'down') return dividend >= 0n ? dividend / divisor : -((divisor - 1n - dividend) / divisor);
  return dividend > 0n ? (dividend + divisor - 1n) / divisor : -(-dividend / divisor);
}

/**
 * Divide amounts of the size of a position. Engines specialise a function for the sizes it has run with, and one
 * product beyond 64 bits would slow every division: long products use `divide`, everyday ones use this function.
 *
 * @throws RangeError when the divisor is zero.
 */
export function divideAmount(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (dividend < 0n || divisor < 0n) return divide(dividend, divisor, rounding);
  return rounding === 'up' ? (dividend + divisor - 1n) / divisor : dividend / divisor;
}

/** Add two quantities of one kind. */
export function add<Q extends Quantity>(a: Q, b: NoInfer<Q>): Q {
  return sameKind(a, raw(a) + raw(b));
}

/** Subtract two quantities of one kind; the result may be negative. */
export function subtract<Q extends Quantity>(a: Q, b: NoInfer<Q>): Q {
  return sameKind(a, raw(a) - raw(b));
}

/** Return the smaller of two quantities of one kind. */
export function min<Q extends Quantity>(a: Q, b: NoInfer<Q>): Q {
  return raw(a) <= raw(b) ? a : b;
}

/** Return the larger of two quantities of one kind. */
export function max<Q extends Quantity>(a: Q, b: NoInfer<Q>): Q {
  return raw(a) >= raw(b) ? a : b;
}

/**
 * Compare two quantities of one kind: -1 when a is smaller, 0 when equal, 1 when larger. Fits `Array.prototype.sort`.
 */
export function compare<Q extends Quantity>(a: Q, b: NoInfer<Q>): -1 | 0 | 1 {
  if (raw(a) === raw(b)) return 0;
  return raw(a) < raw(b) ? -1 : 1;
}

/** Return true when two quantities of one kind are equal. */
export function equals<Q extends Quantity>(a: Q, b: NoInfer<Q>): boolean {
  return raw(a) === raw(b);
}

/** Return true when a quantity is zero. */
export function isZero(q: Quantity): boolean {
  return raw(q) === 0n;
}

/**
 * Compute q × multiplier / divisor exactly and round once.
 *
 * @throws RangeError when the divisor is zero.
 */
// oxlint-disable-next-line eslint/max-params -- a scale is read in this order everywhere, and an object would hide it.
export function multiplyDivide<Q extends Quantity>(q: Q, multiplier: bigint, divisor: bigint, rounding: Rounding): Q {
  return sameKind(q, divide(raw(q) * multiplier, divisor, rounding));
}
