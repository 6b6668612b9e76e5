import {
  type LeverageBps,
  leverageBps,
  raw,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  type UsdPips,
  usdcUnits,
  usdPips,
} from '@core/pricing';

/** The digits of a decimal text as a whole number of its smallest unit. @throws TypeError for any other text. */
function wholeOf(name: string, text: string, decimals: number): bigint {
  const found = /^(0|[1-9]\d{0,14})(?:\.(\d+))?$/.exec(text);
  const fraction = found?.[2] ?? '';
  if (found === null || fraction.length > decimals) {
    throw new TypeError(`${name}: give a decimal text with at most ${decimals} decimals, such as '250' or '0.5'`);
  }
  return BigInt(`${found[1] ?? ''}${fraction.padEnd(decimals, '0')}`);
}

/** A value that a JavaScript caller may have passed in spite of its type. */
function wholeOrQuantity(name: string, amount: unknown, decimals: number): bigint {
  if (typeof amount === 'bigint') return amount;
  if (typeof amount === 'string') return wholeOf(name, amount, decimals);
  throw new TypeError(`${name}: give decimal text or a quantity; a JavaScript number is not exact`);
}

/** Pips of a dollar amount with up to four decimals, or the pips given. @throws TypeError for anything else. */
export function usdPipsOf(name: string, amount: string | UsdPips): UsdPips {
  return usdPips(wholeOrQuantity(name, amount, 4));
}

/** USDC units of a dollar amount with up to six decimals, or the units given. @throws TypeError for anything else. */
export function usdcUnitsOf(name: string, amount: string | UsdcUnits): UsdcUnits {
  return usdcUnits(wholeOrQuantity(name, amount, 6));
}

/** Token units of a number with up to six decimals, or the units given. @throws TypeError for anything else. */
export function tokenUnitsOf(name: string, tokens: string | TokenUnits): TokenUnits {
  return tokenUnits(wholeOrQuantity(name, tokens, 6));
}

/** Basis points of a multiple ('5' is 50,000), or the leverage given. @throws TypeError for anything else. */
export function leverageBpsOf(name: string, amount: string | LeverageBps): LeverageBps {
  return leverageBps(wholeOrQuantity(name, amount, 4));
}

/** A leverage as the wire's number. */
export function leverageNumberOf(leverage: LeverageBps): number {
  return Number(raw(leverage));
}
