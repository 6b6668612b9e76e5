/** Shares have twelve decimals; people read and type six at most. */
const decimals = 12;
const shownDecimals = 6;

/** Shares as people read them, rounded down: `1,234.5`. */
export function sharesText(shares: bigint): string {
  const digits = shares.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const rest = digits.slice(-decimals).slice(0, shownDecimals).replace(/0+$/, '');
  return rest === '' ? whole : `${whole}.${rest}`;
}

/** The shares a person typed, in share units; null when it is no amount. */
export function sharesOfText(text: string): bigint | null {
  const found = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(text.trim().replaceAll(',', ''));
  return found === null ? null : BigInt(`${found[1]}${(found[2] ?? '').padEnd(decimals, '0')}`);
}

/** Price of a share with all its decimals: `$1.001142`. */
export function sharePriceText(usdcUnits: bigint): string {
  const digits = usdcUnits.toString().padStart(7, '0');
  return `$${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
