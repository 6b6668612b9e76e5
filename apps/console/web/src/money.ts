import { formatUsd, pricePips, raw, toUsdPips, usdcUnits, usdPips } from '@core/pricing';

/** Money of the wire as people read it: `$1,234.50`. Exact; null shows as a dash. */
export function dollars(pips: string | null | undefined): string {
  if (pips === null || pips === undefined) return '–';
  const text = formatUsd(usdPips(BigInt(pips)));
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  return `${text.startsWith('-') ? '−' : ''}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${decimals}`;
}

/** Money of the chain, rounded up to a pip: what is owed or paid. */
export const dollarsOfUnits = (units: bigint): string => dollars(pipsOf(units, 'up'));

/** Money of the chain, rounded down to a pip: what is held or paid out. */
export const dollarsHeld = (units: bigint): string => dollars(pipsOf(units, 'down'));

const pipsOf = (units: bigint, rounding: 'up' | 'down'): string => String(raw(toUsdPips(usdcUnits(units), rounding)));

/** Price of one token in cents: `52.5 ¢`. */
export function cents(pips: string | number | null | undefined): string {
  if (pips === null || pips === undefined) return '–';
  const text = formatUsd(pricePips(BigInt(Math.round(Number(pips))) * 100n));
  return `${text.replace(/\.00$/, '').replace(/(\.\d)0$/, '$1')} ¢`;
}

/** Leverage: 25,000 basis points are `2.5x`. */
export const times = (bps: number | null): string => (bps === null ? '–' : `${bps / 10_000}x`);

/** A rate: 125 basis points are `1.25 %`. */
export const percent = (bps: number | null): string => (bps === null ? '–' : `${bps / 100} %`);

/** Outcome tokens with two decimals, rounded down. */
export function tokens(units: string | bigint): string {
  const hundredths = (BigInt(units) / 10_000n).toString().padStart(3, '0');
  return `${hundredths.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${hundredths.slice(-2)}`;
}

/** A time as the reader's place writes it. */
export const timeText = (iso: string | null): string =>
  iso === null ? '–' : new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The dollars a person typed, as pips; null when it is no amount with at most four decimals. */
export function pipsOfText(text: string): bigint | null {
  const found = /^(\d{1,9})(?:\.(\d{1,4}))?$/.exec(text.trim());
  return found === null ? null : BigInt(`${found[1]}${(found[2] ?? '').padEnd(4, '0')}`);
}
