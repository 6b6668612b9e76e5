import { formatCents, pricePips } from '@core/pricing';

const pipsPerUsd = 10_000n;
const pipsPerCent = 100n;
const unitsPerPip = 100n;

type Rounding = 'up' | 'down' | 'nearest';

/** Return the quotient of two whole numbers; up and down are away from and towards zero for positive amounts. */
function divide(amount: bigint, divisor: bigint, rounding: Rounding): bigint {
  const doubled = rounding === 'nearest' ? divisor / 2n : rounding === 'up' ? divisor - 1n : 0n;
  const shifted = amount + doubled;
  const quotient = shifted / divisor;
  return shifted < 0n && quotient * divisor !== shifted ? quotient - 1n : quotient;
}

/** Return a whole number with a fixed count of decimals and thousands separated: `1,234.50`. */
function decimalText(scaled: bigint, decimals: number): string {
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
}

/** Return an amount without its sign: two decimals from 1 USD up and for nothing, four below. */
function amountText(units: bigint, rounding: Rounding): string {
  const cents = divide(units, pipsPerCent * unitsPerPip, rounding);
  const isSmall = units !== 0n && (units < 0n ? -units : units) < pipsPerUsd * unitsPerPip;
  return `$${isSmall ? decimalText(divide(units, unitsPerPip, rounding), 4) : decimalText(cents, 2)}`;
}

/** A rounded amount of nothing has no sign. */
const hasAmount = (text: string): boolean => /[1-9]/.test(text);
const withMinus = (text: string, amount: bigint): string => (amount < 0n && hasAmount(text) ? `−${text}` : text);
const withPlus = (text: string, isGain: boolean): string => (isGain && hasAmount(text) ? `+${text}` : text);

/** Return a USD amount of the API, to the nearest cent: `$1,234.50`, `$0.0250`; a dash for null. */
export function dollars(pips: string | null | undefined): string {
  if (pips === null || pips === undefined) return '–';
  const units = BigInt(pips) * unitsPerPip;
  return withMinus(amountText(units, 'nearest'), units);
}

/** Text of a cost without enough fills in the last day. */
export const notMeasured = 'not measured';

/** Return a profit or loss with its sign: `+$12.50`, `−$0.0250`; no sign for zero. */
export const signedDollars = (pips: string | null | undefined): string =>
  withPlus(dollars(pips), BigInt(pips ?? 0) > 0n);

/** Return USDC units as USD, rounded up: debts and payments. */
export const dollarsOfUnits = (units: bigint): string => withMinus(amountText(units, 'up'), units);

/** Return USDC units as USD, rounded down: balances and payouts. */
export const dollarsHeld = (units: bigint): string => withMinus(amountText(units, 'down'), units);

/** Return the price of one token in cents with one decimal: `52.5 ¢`; a dash for null. */
export function cents(pips: string | number | null | undefined): string {
  return pips === null || pips === undefined ? '–' : formatCents(pricePips(BigInt(Math.round(Number(pips)))));
}

/** Return a change of a price with its sign: `+1.5 ¢`; no sign for zero, a dash for null. */
export const signedCents = (pips: string | number | null | undefined): string =>
  withPlus(cents(pips), Number(pips ?? 0) > 0);

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** Return a USD amount of the API in at most four digits, for tables: `$41.2K`; a dash for null. For display only. */
export function shortDollars(pips: string | null | undefined): string {
  return pips === null || pips === undefined ? '–' : `$${compact.format(Number(BigInt(pips) / pipsPerUsd))}`;
}

/** Return leverage with at most two decimals, rounded down: 25,000 basis points are `2.5x`. */
export const times = (bps: number | null): string => (bps === null ? '–' : `${Math.floor(bps / 100) / 100}x`);

/** Return a rate with one decimal: 125 basis points are `1.3 %`. */
export function percent(bps: number | null): string {
  if (bps === null) return '–';
  const exact = BigInt(Math.round(bps));
  return withMinus(`${decimalText(divide(exact, 10n, 'nearest'), 1)} %`, exact);
}

/** Return the rate of a fee with two decimals, exact to a basis point: 75 basis points are `0.75 %`. */
export const feeRate = (bps: number): string => withMinus(`${decimalText(BigInt(bps), 2)} %`, BigInt(bps));

/** Return a signed rate of return: `+1.3 %`. */
export const signedPercent = (bps: number): string => withPlus(percent(bps), bps > 0);

/** Return the class of a signed figure, by its sign. */
export const classOfSign = (text: string): 'gain' | 'loss' | undefined =>
  text.startsWith('+') ? 'gain' : text.startsWith('−') ? 'loss' : undefined;

/** Return outcome tokens with two decimals, rounded down. */
export const tokens = (units: string | bigint): string => decimalText(BigInt(units) / 10_000n, 2);

/** Return a time in the format of the user's locale. */
export const timeText = (iso: string | null): string =>
  iso === null ? '–' : new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Return the time of day in the format of the user's locale, with seconds. */
export const clockText = (iso: string): string => new Date(iso).toLocaleTimeString(undefined, { timeStyle: 'medium' });

const amountPattern = /^(\d{1,9})(?:[.,](\d{1,4}))?$/;

/** Parse dollars with at most four decimals after a point or a comma, into pips; null for any other text. */
export function pipsOfText(text: string): bigint | null {
  const match = amountPattern.exec(text.trim());
  return match === null ? null : BigInt(`${match[1]}${(match[2] ?? '').padEnd(4, '0')}`);
}

/** Return whole cents as text for an input, rounded down. */
export function amountTextOf(pips: bigint): string {
  const cents = pips / 100n;
  const text = cents.toString().padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}

/** Return the reason why `pipsOfText` rejects an amount; null for a valid one. */
export function amountFault(text: string): string | null {
  const trimmed = text.trim();
  if (amountPattern.test(trimmed)) return null;
  if (trimmed === '') return 'Enter an amount.';
  const foreign = /[^\d.,]/.exec(trimmed);
  if (foreign !== null) return `“${foreign[0]}” is no digit. Enter an amount such as 250 or 99.50.`;
  if ((trimmed.match(/[.,]/g)?.length ?? 0) > 1) return 'Use one comma or point, for the decimals only.';
  if (/[.,]\d{5,}$/.test(trimmed)) return 'At most four decimals.';
  return /^\d{10,}/.test(trimmed) ? 'This amount is too large.' : 'Enter an amount such as 250 or 99.50.';
}
