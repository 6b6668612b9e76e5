import {
  constants,
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
import { InputError } from '../errors/inputError.ts';

/**
 * Parse a decimal text into a whole number of its smallest unit.
 *
 * @throws InputError for any other text.
 */
function wholeOf(name: string, text: string, decimals: number): bigint {
  const match = /^(0|[1-9]\d{0,14})(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (match === null || fraction.length > decimals) {
    const form = `decimal text with up to ${decimals} decimals, such as '250' or '0.5'`;
    throw new InputError(name, text, `\`${name}\` must be ${form}, not '${text}'.`);
  }
  return BigInt(`${match[1] ?? ''}${fraction.padEnd(decimals, '0')}`);
}

/** Convert decimal text or a quantity; a JavaScript caller may pass anything. */
function wholeOrQuantity(name: string, amount: unknown, decimals: number): bigint {
  if (typeof amount === 'bigint') return amount;
  if (typeof amount === 'string') return wholeOf(name, amount, decimals);
  if (amount === undefined || amount === null) {
    throw new InputError(name, amount, `\`${name}\` is missing. Give it as decimal text.`);
  }
  throw new InputError(name, amount, `\`${name}\` must be text such as '${String(amount)}', not a ${typeof amount}.`);
}

/**
 * Return the pips of a dollar amount with up to four decimals, or of a quantity.
 *
 * @throws InputError for anything else.
 */
export function usdPipsOf(name: string, amount: string | UsdPips): UsdPips {
  return usdPips(wholeOrQuantity(name, amount, 4));
}

/**
 * Return the USDC units of a dollar amount with up to six decimals, or of a quantity.
 *
 * @throws InputError for anything else.
 */
export function usdcUnitsOf(name: string, amount: string | UsdcUnits): UsdcUnits {
  return usdcUnits(wholeOrQuantity(name, amount, 6));
}

/**
 * Return the token units of a number with up to six decimals, or of a quantity.
 *
 * @throws InputError for anything else.
 */
export function tokenUnitsOf(name: string, tokens: string | TokenUnits): TokenUnits {
  return tokenUnits(wholeOrQuantity(name, tokens, 6));
}

/**
 * Return the basis points of a multiple ('5' is 50,000), or of a quantity.
 *
 * @throws InputError for anything else, and for a leverage between two steps.
 */
export function leverageBpsOf(name: string, amount: string | LeverageBps): LeverageBps {
  const bps = wholeOrQuantity(name, amount, 4);
  const stepBps = raw(constants.leverageStepBps);
  const below = bps - (bps % stepBps);
  if (below === bps) return leverageBps(bps);
  const [step, lower, higher] = [stepBps, below, below + stepBps].map((number) => `${Number(number) / 10_000}`);
  const advice = `\`${name}\` can be '${lower}' or '${higher}', not '${Number(bps) / 10_000}'`;
  throw new InputError(name, amount, `Leverage goes in steps of ${step}x: ${advice}.`);
}

/** Convert a leverage to the wire's number. */
export function leverageNumberOf(leverage: LeverageBps): number {
  return Number(raw(leverage));
}

/**
 * Return units above zero.
 *
 * @throws InputError for zero.
 */
export function aboveZero(field: string, units: bigint): bigint {
  if (units > 0n) return units;
  throw new InputError(field, units, `\`${field}\` must be above 0.`);
}
