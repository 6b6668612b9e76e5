import type { Market } from '@core/sdk';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { recordPrice } from '../live/history.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

const pageSize = 100;
/** Prices have no event of their own: they are read again this often, and half as often as a wallet may ask. */
const priceAgeMs = 5_000;
const pageAgeMs = 2_500;

/** Every market that trades, kept true by the socket, with prices of the last seconds. */
export function useMarkets(): UseQueryResult<readonly Market[]> {
  const { user } = useSession();
  return useQuery({
    queryKey: queryKeys.markets,
    queryFn: async ({ signal }) => {
      const found: Market[] = [];
      for await (const page of user.markets.list({ expand: ['prices'], limit: pageSize }, { signal }).pages()) {
        found.push(...page.data);
      }
      for (const market of found) recordPrice(market, Date.now());
      return found;
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => Math.max(priceAgeMs, ((state.data?.length ?? 0) / pageSize) * pageAgeMs),
  });
}
