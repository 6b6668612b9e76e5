/** Decimals of shares on chain; texts have six at most. */
const decimals = 12;
const textDecimals = 6;

/** Return shares with a comma between thousands, rounded down: `1,234.5`. */
export function sharesText(shares: bigint): string {
  const digits = shares.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const rest = digits.slice(-decimals).slice(0, textDecimals).replace(/0+$/, '');
  return rest === '' ? whole : `${whole}.${rest}`;
}

/** Parse shares with their decimals after a point or a comma, into share units; null for any other text. */
export function sharesOfText(text: string): bigint | null {
  const match = /^(\d{1,12})(?:[.,](\d{1,12}))?$/.exec(text.trim());
  return match === null ? null : BigInt(`${match[1]}${(match[2] ?? '').padEnd(decimals, '0')}`);
}

/** Return the price of a share with all its decimals: `$1.001142`. */
export function sharePriceText(usdcUnits: bigint): string {
  const digits = usdcUnits.toString().padStart(7, '0');
  return `$${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
