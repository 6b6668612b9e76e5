import { useEffect } from 'react';

/** Components that show a market, by ticker. */
const followers = new Map<string, { readonly count: number; readonly sinceMs: number }>();
let listener: ((tickers: readonly string[]) => void) | null = null;
let isScheduled = false;

/** Notify the listener once of all changes of one task. */
function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
    listener?.([...followers.keys()]);
  });
}

/** Set the listener for the markets whose prices the page shows. Invoked immediately, and on every change. */
export function onFollowedTickers(next: (tickers: readonly string[]) => void): void {
  listener = next;
  schedule();
}

function change(tickers: readonly string[], step: 1 | -1): void {
  for (const ticker of tickers) {
    const { count, sinceMs } = followers.get(ticker) ?? { count: 0, sinceMs: Date.now() };
    if (count + step === 0) followers.delete(ticker);
    else followers.set(ticker, { count: count + step, sinceMs });
  }
  schedule();
}

/** Return the time since which a market is followed, by the clock of this page; now when it is not. */
export const followedSinceMs = (ticker: string): number => followers.get(ticker)?.sinceMs ?? Date.now();

/** Follow the prices of these markets while the component is mounted. */
export function useFollowedPrices(tickers: readonly string[]): void {
  const names = [...new Set(tickers)].toSorted().join('\n');
  useEffect(() => {
    if (names === '') return undefined;
    const followed = names.split('\n');
    change(followed, 1);
    return () => change(followed, -1);
  }, [names]);
}
