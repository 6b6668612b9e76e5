import type { Codec } from './codecs.ts';

const daySeconds = 86_400;

/** Time of day in UTC, `HH:MM`. */
export const timeOfDay: Codec<string> = {
  expects: 'a time of day from 00:00 to 23:59',
  read: (text) => (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : undefined),
};

/**
 * Return the next instant at a time of day, `HH:MM` in UTC, in whole Unix seconds: later than now, by a day at most.
 *
 * @param nowSeconds Unix seconds, whole or not.
 */
export function nextTimeOfDay(time: string, nowSeconds: number): number {
  const [hours, minutes] = time.split(':').map(Number);
  const secondsOfDay = ((hours ?? 0) * 60 + (minutes ?? 0)) * 60;
  const day = Math.floor((nowSeconds - secondsOfDay) / daySeconds) + 1;
  return day * daySeconds + secondsOfDay;
}
