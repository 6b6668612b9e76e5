import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/SessionProvider.tsx';
import { poolKeys, refetchMs } from './poolKeys.ts';
import { readPool } from './readPool.ts';

/** Read the current state of the pool; repeated every few seconds. */
export function usePool() {
  const { config } = useSession();
  return useQuery({
    queryKey: poolKeys.reading,
    queryFn: () => readPool(config),
    staleTime: 0,
    refetchInterval: refetchMs,
  });
}
