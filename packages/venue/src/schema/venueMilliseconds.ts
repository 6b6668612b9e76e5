/** Below this a venue instant is in seconds: 1e11 ms is March 1973, 1e11 s is the year 5138. */
const smallestMillisecondInstant = 100_000_000_000;

/** Epoch milliseconds of an instant the venue writes in seconds here and in milliseconds there; null when it is neither. */
export function venueMillisecondsOf(text: string): number | null {
  if (!/^\d{1,15}$/.test(text)) {
    return null;
  }
  const instant = Number(text);
  return instant < smallestMillisecondInstant ? instant * 1000 : instant;
}
