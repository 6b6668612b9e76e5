import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** Interval between reads of books and trades, which have no stream: twelve of the sixty requests a minute. */
const refetchMs = 5_000;

/** Read the order books of a market with the last trades; repeated every few seconds. */
export function useOrderBook(ticker: string) {
  const { user } = useSession();
  return useQuery({
    queryKey: queryKeys.orderBook(ticker),
    queryFn: ({ signal }) => user.rest.getOrderBook({ path: { ticker }, signal }),
    staleTime: 0,
    refetchInterval: refetchMs,
  });
}
