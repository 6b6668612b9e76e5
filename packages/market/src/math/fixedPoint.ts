/** Fractions inside the model carry twelve decimals: `1e12` is one. Integers only, so every machine agrees. */
export const oneE12 = 1_000_000_000_000n;

/** Series run with six more decimals than they return. */
const oneE18 = 1_000_000_000_000_000_000n;
const guardScale = oneE18 / oneE12;
const ln2E18 = 693_147_180_559_945_309n;

/** Exponents above this are cut: the result already closes every side. */
const maxExponentE12 = 20n * oneE12;

/** Largest whole number whose square is at most `radicand` (Newton). @throws RangeError below zero. */
export function integerSqrt(radicand: bigint): bigint {
  if (radicand < 0n) throw new RangeError('no square root below zero');
  if (radicand < 2n) return radicand;
  let root = 1n << BigInt((radicand.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + radicand / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Square root of a fraction, rounded down. */
export function sqrtE12(fractionE12: bigint): bigint {
  return integerSqrt(fractionE12 * oneE12);
}

/** e to the power of `exponentE12` ≥ 0, cut at e^20; monotone. */
export function expE12(exponentE12: bigint): bigint {
  const cut = exponentE12 > maxExponentE12 ? maxExponentE12 : exponentE12;
  const exponentE18 = cut * guardScale;
  const doublings = exponentE18 / ln2E18;
  const rest = exponentE18 - doublings * ln2E18;
  let term = oneE18;
  let sum = oneE18;
  for (let n = 1n; term > 0n; n++) {
    term = (term * rest) / oneE18 / n;
    sum += term;
  }
  return (sum << doublings) / guardScale;
}

/** e to the power of `-exponentE12`, for `exponentE12` ≥ 0. */
export function decayE12(exponentE12: bigint): bigint {
  return (oneE12 * oneE12) / expE12(exponentE12);
}

/** Natural logarithm of a whole number ≥ 1. */
export function lnE12(argument: bigint): bigint {
  const doublings = BigInt(argument.toString(2).length - 1);
  // argument = mantissa × 2^doublings with 1 ≤ mantissa < 2; ln(mantissa) = 2·artanh((mantissa − 1) / (mantissa + 1)).
  const mantissaE18 = (argument * oneE18) >> doublings;
  const ratio = ((mantissaE18 - oneE18) * oneE18) / (mantissaE18 + oneE18);
  const ratioSquared = (ratio * ratio) / oneE18;
  let power = ratio;
  let sum = 0n;
  for (let n = 1n; power > 0n; n += 2n) {
    sum += power / n;
    power = (power * ratioSquared) / oneE18;
  }
  return (2n * sum + doublings * ln2E18) / guardScale;
}

const logitByPips: (bigint | undefined)[] = [];

/** ln(p / (1 − p)) of a price of 1 to 9,999 pips. Each of the 9,999 values is computed once. */
export function logitE12(pips: bigint): bigint {
  const index = Number(pips);
  const cached = logitByPips[index];
  if (cached !== undefined) return cached;
  const logit = lnE12(pips) - lnE12(10_000n - pips);
  logitByPips[index] = logit;
  return logit;
}
