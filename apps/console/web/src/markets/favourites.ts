import { useSyncExternalStore } from 'react';
import { signalOf } from '../live/signal.ts';

const storageKey = 'favourite-markets';

/** Read the stored tickers; none where the browser stores nothing or the text is damaged. */
function readTickers(): ReadonlySet<string> {
  try {
    const tickers: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return new Set(Array.isArray(tickers) ? tickers.map(String) : []);
  } catch {
    return new Set();
  }
}

const favourites = signalOf(readTickers());

/** Return the tickers that the user marked in this browser. */
export const useFavourites = (): ReadonlySet<string> => useSyncExternalStore(favourites.subscribe, favourites.get);

/** Mark a market, or remove its mark. */
export function toggleFavourite(ticker: string): void {
  const tickers = new Set(favourites.get());
  if (!tickers.delete(ticker)) tickers.add(ticker);
  favourites.set(tickers);
  try {
    localStorage.setItem(storageKey, JSON.stringify([...tickers]));
  } catch {
    // A browser that stores nothing keeps the mark until the page closes.
  }
}
