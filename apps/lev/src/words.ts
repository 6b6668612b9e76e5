import { FriendlyError } from '@core/runtime';

/** A whole number above zero; null where the option was not given. @throws FriendlyError for any other text. */
export function countOf(option: string, text: string | null): number | null {
  if (text === null) return null;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new FriendlyError(`${option}: give a whole number above zero, not ${text}`);
}

/** `yes` or `no`. @throws FriendlyError for any other text. */
export function sideOf(option: string, text: string): 'yes' | 'no' {
  if (text === 'yes' || text === 'no') return text;
  throw new FriendlyError(`${option}: give yes or no, not ${text}`);
}

const secondsOf = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Seconds of a duration such as `30m`. @throws FriendlyError for any other text. */
export function durationSeconds(text: string): number {
  const found = /^([1-9]\d{0,6})([smhd])$/.exec(text);
  if (found === null) throw new FriendlyError(`give a duration such as 90s, 30m, 2h or 1d, not ${text}`);
  return Number(found[1]) * secondsOf[found[2] as keyof typeof secondsOf];
}
