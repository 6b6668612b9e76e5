import { FriendlyError } from '@core/runtime';

const decimals = 6;

/** USDC units as decimal text with two decimals or more. */
export function usdcText(units: bigint): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0{1,4}$/, '');
  return `${digits.slice(0, -decimals)}.${fraction}`;
}

/** USDC units of a decimal text. @throws FriendlyError for any other text. */
export function usdcUnitsOfText(option: string, text: string): bigint {
  const found = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text);
  if (found === null) throw new FriendlyError(`${option}: give dollars as decimal text, not ${text}`);
  return BigInt(`${found[1]}${(found[2] ?? '').padEnd(decimals, '0')}`);
}
