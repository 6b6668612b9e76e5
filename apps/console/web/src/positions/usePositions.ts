import type { Position } from '@core/sdk';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** Read the wallet's newest hundred positions; its socket updates them. */
export function usePositions(): UseQueryResult<readonly Position[]> {
  const { user, address } = useSession();
  return useQuery({
    queryKey: queryKeys.positionList,
    queryFn: async ({ signal }) => {
      const pages = user.positions.list({ limit: 100, expand: ['basis', 'ledger'] }, { signal });
      return (await pages.firstPage()).data;
    },
    enabled: address !== null,
  });
}
