import { instantMsOf } from './instant.ts';

/** Below this a venue instant is in seconds: 1e11 ms is March 1973, 1e11 s is the year 5138. */
const smallestMillisecondInstant = 100_000_000_000;

/**
 * Epoch milliseconds of an instant the venue writes in seconds here, in milliseconds there and sometimes as ISO 8601;
 * null when it is none of them.
 */
export function venueMillisecondsOf(text: string): number | null {
  if (!/^\d{1,15}$/.test(text)) {
    return instantMsOf(text);
  }
  const instant = Number(text);
  return instant < smallestMillisecondInstant ? instant * 1000 : instant;
}
