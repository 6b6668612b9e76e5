import { FriendlyError } from '@core/runtime';

/** Parse a whole number above zero; null when the option is absent. @throws FriendlyError for any other text. */
export function countOf(option: string, text: string | null): number | null {
  if (text === null) return null;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new FriendlyError(`${option}: expected a whole number above zero, got ${text}`);
}

/** Parse `yes` or `no`. @throws FriendlyError for any other text. */
export function sideOf(option: string, text: string): 'yes' | 'no' {
  if (text === 'yes' || text === 'no') return text;
  throw new FriendlyError(`${option}: expected yes or no, got ${text}`);
}

const units = ['s', 'm', 'h', 'd'] as const;
const secondsOf = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Parse a duration such as `30m` and return its seconds. @throws FriendlyError for any other text. */
export function durationSeconds(text: string): number {
  const [, count, letter] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? [];
  const unit = units.find((one) => one === letter);
  if (unit === undefined) throw new FriendlyError(`expected a duration such as 90s, 30m, 2h or 1d, got ${text}`);
  return Number(count) * secondsOf[unit];
}
