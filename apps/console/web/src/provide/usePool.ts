import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/SessionProvider.tsx';
import { poolKeys, readAgainMs } from './poolKeys.ts';
import { readPool } from './readPool.ts';

/** The pool as the chain has it now; read again every few seconds. */
export function usePool() {
  const { config } = useSession();
  return useQuery({
    queryKey: poolKeys.reading,
    queryFn: () => readPool(config),
    staleTime: 0,
    refetchInterval: readAgainMs,
  });
}
