/**
 * Numbers of the venue's wire: prices in pips (10,000 pips are one dollar per token), sizes in token units and cash in
 * USDC units (one million each). They are plain bigints, because this package only exchanges raw numbers with the wire
 * and the chain.
 */

/** One dollar per token, in pips: the price of a certain winner. */
export const onePricePips = 10_000n;
/** One token, in token units. */
export const oneTokenUnits = 1_000_000n;
/** Sizes have two decimals at the venue. */
const sizeStepTokenUnits = 10_000n;

const decimalPattern = /^(\d{1,30})(?:\.(\d{1,30}))?$/;

/**
 * Parse a plain decimal as a whole number of 10^-decimals; null for other text and for further digits.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  const match = decimalPattern.exec(text);
  const whole = match?.[1];
  if (whole === undefined) return null;
  const fraction = (match?.[2] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) return null;
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0');
}

/** Write 10^-decimals as a decimal without trailing zeros: `0.1`, `97895.02`, `16850`. */
export function formatDecimal(value: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const fraction = (value % scale).toString().padStart(decimals, '0').replace(/0+$/, '');
  const whole = (value / scale).toString();
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

export const formatPrice = (pricePips: bigint): string => formatDecimal(pricePips, 4);
export const formatSize = (sizeTokenUnits: bigint): string => formatDecimal(sizeTokenUnits, 6);

/** Format the last trade price like books and trades: at least three decimals, empty without a trade. */
export function formatLastTrade(pricePips: bigint | null): string {
  if (pricePips === null) return '';
  const text = formatPrice(pricePips);
  const [whole = '0', fraction = ''] = text.split('.');
  return `${whole}.${fraction.padEnd(3, '0')}`;
}

/** Return the cash for tokens at a price: exact for whole 0.01 tokens, rounded down for finer sizes. */
export const cashOf = (sizeTokenUnits: bigint, pricePips: bigint): bigint =>
  (sizeTokenUnits * pricePips) / onePricePips;

/** Round a size down to whole steps of 0.01 tokens. */
export const wholeSteps = (sizeTokenUnits: bigint): bigint => sizeTokenUnits - (sizeTokenUnits % sizeStepTokenUnits);

/** Return the price of the other token. The prices of both add up to one dollar. */
export const complementOf = (pricePips: bigint): bigint => onePricePips - pricePips;

/** Convert a price of the model to whole pips. */
export const pipsFromModel = (dollars: number): bigint => BigInt(Math.round(dollars * 10_000));
