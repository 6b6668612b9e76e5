import type { Position } from '@core/sdk';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** The wallet's newest hundred positions, kept true by its socket. */
export function usePositions(): UseQueryResult<readonly Position[]> {
  const { user, address } = useSession();
  return useQuery({
    queryKey: queryKeys.positionList,
    queryFn: async ({ signal }) => (await user.positions.list({ limit: 100 }, { signal }).firstPage()).data,
    enabled: address !== null,
  });
}
