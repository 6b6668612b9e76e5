import { useSyncExternalStore } from 'react';
import { storedValueOf, textsIn } from '../browserStorage.ts';
import { signalOf } from '../live/signal.ts';

const storedTickers = storedValueOf({ area: 'localStorage', name: 'favourite-markets', parse: textsIn });

const favourites = signalOf<ReadonlySet<string>>(new Set(storedTickers.read()));

/** Return the tickers that the user marked in this browser. */
export const useFavourites = (): ReadonlySet<string> => useSyncExternalStore(favourites.subscribe, favourites.get);

/** Mark a market, or remove its mark. */
export function toggleFavourite(ticker: string): void {
  const tickers = new Set(favourites.get());
  if (!tickers.delete(ticker)) tickers.add(ticker);
  favourites.set(tickers);
  storedTickers.write([...tickers]);
}
