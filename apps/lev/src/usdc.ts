import { FriendlyError } from '@core/runtime';

const decimals = 6;

/** Return USDC units as decimal text with two to six decimals. */
export function usdcText(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0{1,4}$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${fraction}`;
}

/** Parse decimal text and return its USDC units. @throws FriendlyError for any other text. */
export function usdcUnitsOfText(option: string, text: string): bigint {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) throw new FriendlyError(`${option}: expected an amount in USD such as 12.50, got ${text}`);
  return BigInt(`${match[1]}${(match[2] ?? '').padEnd(decimals, '0')}`);
}
