/**
 * Numbers of the venue's wire: prices in pips (10,000 pips are one dollar per token), sizes in token units and cash in
 * USDC units (one million each). Plain bigints here: this room speaks to the wire and to the chain only, and both want
 * them raw.
 */

/** One dollar per token, in pips: the price of a token that is certain to pay. */
export const onePricePips = 10_000n;
/** One token, in token units. */
export const oneTokenUnits = 1_000_000n;
/** Sizes have two decimals at the venue. */
export const sizeStepTokenUnits = 10_000n;

const decimalPattern = /^(\d{1,30})(?:\.(\d{1,30}))?$/;

/**
 * Reads a plain decimal into a whole number of 10^-decimals; null when it is no plain decimal or is finer than that.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  const match = decimalPattern.exec(text);
  const whole = match?.[1];
  if (whole === undefined) return null;
  const fraction = (match?.[2] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) return null;
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0');
}

/** Writes 10^-decimals as a decimal without trailing zeros: `0.1`, `97895.02`, `16850`. */
export function formatDecimal(value: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const fraction = (value % scale).toString().padStart(decimals, '0').replace(/0+$/, '');
  const whole = (value / scale).toString();
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

export const formatPrice = (pricePips: bigint): string => formatDecimal(pricePips, 4);
export const formatSize = (sizeTokenUnits: bigint): string => formatDecimal(sizeTokenUnits, 6);

/** The last trade as books and trades show it: never fewer than three decimals, empty when there was none. */
export function formatLastTrade(pricePips: bigint | null): string {
  if (pricePips === null) return '';
  const text = formatPrice(pricePips);
  const [whole = '0', fraction = ''] = text.split('.');
  return `${whole}.${fraction.padEnd(3, '0')}`;
}

/** Cash for tokens at a price, exact for whole 0.01 tokens; finer sizes round down. */
export const cashOf = (sizeTokenUnits: bigint, pricePips: bigint): bigint =>
  (sizeTokenUnits * pricePips) / onePricePips;

/** The largest size in whole steps of 0.01 token. */
export const wholeSteps = (sizeTokenUnits: bigint): bigint => sizeTokenUnits - (sizeTokenUnits % sizeStepTokenUnits);

/** The price of the other token: both together are always worth one dollar. */
export const complementOf = (pricePips: bigint): bigint => onePricePips - pricePips;

/** A model's number as a whole number of pips, for the border between the world and the book. */
export const pipsFromModel = (dollars: number): bigint => BigInt(Math.round(dollars * 10_000));
