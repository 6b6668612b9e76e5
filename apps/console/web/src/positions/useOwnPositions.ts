import type { OpenPosition } from '@core/sdk';
import { useMemo } from 'react';
import { usePositions } from './usePositions.ts';

/** Return the user's open positions in a market, as last read. */
export function useOwnPositions(ticker: string): readonly OpenPosition[] {
  const { data } = usePositions();
  return useMemo(
    () =>
      (data ?? []).filter(
        (position): position is OpenPosition => 'current' in position && position.market_ticker === ticker,
      ),
    [data, ticker],
  );
}
