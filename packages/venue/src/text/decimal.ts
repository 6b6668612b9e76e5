import { type PricePips, pricePips, type TokenUnits, tokenUnits, type UsdPips, usdPips } from '@core/pricing';

/** Digits after the point that each unit keeps. */
const pipDecimals = 4;
const tokenDecimals = 6;

const decimalPattern = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** A decimal number as text, read into whole parts: value = digits × 10^−scale. */
interface ParsedDecimal {
  readonly digits: bigint;
  readonly scale: number;
}

const parseDecimal = (text: string): ParsedDecimal | null => {
  const match = decimalPattern.exec(text);
  const whole = match?.[2] ?? '';
  const fraction = match?.[3] ?? '';
  if (match === null || whole + fraction === '' || text.length > 100) {
    return null;
  }
  const magnitude = BigInt(whole + fraction);
  return {
    digits: match[1] === '-' ? -magnitude : magnitude,
    scale: fraction.length - Number(match[4] ?? '0'),
  };
};

/**
 * The decimal × 10^decimals as an integer, or null when the text is no decimal number or (rounding `exact`) carries
 * more digits than the unit keeps. `down` rounds towards −∞. No floating point anywhere.
 */
export function scaledOf(text: string, decimals: number, rounding: 'exact' | 'down'): bigint | null {
  const parsed = parseDecimal(text);
  if (parsed === null) {
    return null;
  }
  const shift = decimals - parsed.scale;
  if (shift >= 0) {
    return parsed.digits * 10n ** BigInt(shift);
  }
  const divisor = 10n ** BigInt(-shift);
  const quotient = parsed.digits / divisor;
  if (quotient * divisor === parsed.digits) {
    return quotient;
  }
  if (rounding === 'exact') {
    return null;
  }
  return parsed.digits < 0n ? quotient - 1n : quotient;
}

/** USD per token as pips, exactly; null outside 0..1 USD or finer than one pip. */
export function toPricePips(text: string): PricePips | null {
  const pips = scaledOf(text, pipDecimals, 'exact');
  return pips === null || pips < 0n || pips > 10_000n ? null : pricePips(pips);
}

/** The price of a book level: exactly 1 to 9,999 pips, as a level at 0 or 1 USD cannot exist; null otherwise. */
export function toLevelPricePips(text: string): PricePips | null {
  const pips = scaledOf(text, pipDecimals, 'exact');
  return pips === null || pips <= 0n || pips >= 10_000n ? null : pricePips(pips);
}

/** USD per token as pips rounded down: for prices the venue computed (midpoints, averages), never for ticks. */
export function toPricePipsDown(text: string): PricePips | null {
  const pips = scaledOf(text, pipDecimals, 'down');
  return pips === null || pips < 0n || pips > 10_000n ? null : pricePips(pips);
}

/** Shares as token units, exactly; null when negative or finer than one unit. */
export function toTokenUnits(text: string): TokenUnits | null {
  const units = scaledOf(text, tokenDecimals, 'exact');
  return units === null || units < 0n ? null : tokenUnits(units);
}

/** An amount of USD as pips, rounded down; null when negative or unreadable. */
export function toUsdPipsDown(text: string): UsdPips | null {
  const pips = scaledOf(text, pipDecimals, 'down');
  return pips === null || pips < 0n ? null : usdPips(pips);
}
