import type { Market } from '@core/sdk';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

const pageSize = 100;
/** Maximum age of limits, which change with the books and have no event of their own. */
const limitsAgeMs = 20_000;
const pageAgeMs = 2_500;

/** Read every trading market. The socket updates records and followed prices. */
export function useMarkets(): UseQueryResult<readonly Market[]> {
  const { user } = useSession();
  return useQuery({
    queryKey: queryKeys.markets,
    queryFn: async ({ signal }) => {
      const allMarkets: Market[] = [];
      for await (const page of user.markets.list({ expand: ['prices'], limit: pageSize }, { signal }).pages()) {
        allMarkets.push(...page.data);
      }
      return allMarkets;
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => Math.max(limitsAgeMs, ((state.data?.length ?? 0) / pageSize) * pageAgeMs),
  });
}
