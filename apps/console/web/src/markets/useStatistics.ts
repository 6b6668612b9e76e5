import type { MarketStatistics } from '@core/sdk';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** Tickers of one request. */
const chunkSize = 50;
/** Markets with statistics: more would take too many of the sixty requests a minute. */
const maxMarkets = 200;
const refetchMs = 300_000;

/** Return the statistics of markets by ticker; those of markets beyond the first 200 are missing. */
export function useStatistics(tickers: readonly string[]): ReadonlyMap<string, MarketStatistics> {
  const { user } = useSession();
  const chunkCount = Math.ceil(Math.min(tickers.length, maxMarkets) / chunkSize);
  const chunks = Array.from({ length: chunkCount }, (_, index) =>
    tickers.slice(index * chunkSize, (index + 1) * chunkSize).join(','),
  );
  return useQueries({
    queries: chunks.map((chunk) => ({
      queryKey: queryKeys.statistics(chunk),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        user.rest.getMarketStatistics({ query: { tickers: chunk }, signal }),
      refetchInterval: refetchMs,
      // The list changes by a few markets at a time.
      placeholderData: keepPreviousData,
    })),
    combine: byTicker,
  });
}

function byTicker(
  answers: readonly { readonly data?: { readonly data: readonly MarketStatistics[] } | undefined }[],
): ReadonlyMap<string, MarketStatistics> {
  const all = answers.flatMap(({ data }) => data?.data ?? []);
  return new Map(all.map((statistics) => [statistics.market_ticker, statistics]));
}
