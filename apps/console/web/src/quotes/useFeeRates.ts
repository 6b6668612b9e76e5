import type { FeeRates } from '@core/sdk';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** Read the caller's fee rates on a market. */
export function useFeeRates(ticker: string): UseQueryResult<FeeRates> {
  const { user } = useSession();
  return useQuery({ queryKey: queryKeys.feeRates(ticker), queryFn: () => user.feeRates({ ticker }) });
}
