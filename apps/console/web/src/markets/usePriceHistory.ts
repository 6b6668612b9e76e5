import type { PriceHistory } from '@core/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { followHistories, type PricePoint, priceHistoryOf } from '../live/history.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

export type PriceRange = PriceHistory['range'];

/** Interval between reads of past prices, which replace the points of the socket with those of the venue. */
const refetchMs = 300_000;
const none: readonly PricePoint[] = [];

/** Prices of YES over a range up to now. */
export interface PriceSeries {
  readonly points: readonly PricePoint[];
  readonly isLoading: boolean;
  /** True when the past could not be read: the points begin when the page was opened. */
  readonly hasFailed: boolean;
}

/** Return past prices of YES in a market, continued by the prices of the socket. */
export function usePriceHistory(ticker: string, range: PriceRange): PriceSeries {
  const { user } = useSession();
  const past = useQuery({
    queryKey: queryKeys.priceHistory(ticker, range),
    queryFn: async ({ signal }) => {
      const { data } = await user.rest.getPriceHistory({ path: { ticker }, query: { range }, signal });
      return data.map((point) => ({ atMs: Date.parse(point.at), pips: Number(point.yes_price_usd_pips) }));
    },
    refetchInterval: refetchMs,
  });
  const live = useSyncExternalStore(followHistories, () => priceHistoryOf(ticker));
  const earlier = past.data ?? none;
  const points = useMemo(() => {
    const lastMs = earlier.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
    return [...earlier, ...live.filter(({ atMs }) => atMs > lastMs)];
  }, [earlier, live]);
  return { points, isLoading: past.isLoading, hasFailed: past.isError };
}
