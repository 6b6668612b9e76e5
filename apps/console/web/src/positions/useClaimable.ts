import { useQuery } from '@tanstack/react-query';
import type { Hex } from '../chain/wallet.ts';
import { queryKeys } from '../queryKeys.ts';
import { useSession } from '../session/SessionProvider.tsx';

/** Interval between reads of the chain: funds may arrive in any block. */
const refetchMs = 10_000;

/** Return true when the account of a closed position holds funds for its owner: the vault would pay a claim now. */
export function useClaimable(positionKey: Hex): boolean {
  const { address, config } = useSession();
  const claimQuery = useQuery({
    queryKey: queryKeys.claimable(positionKey),
    queryFn: async () => {
      const { canCall, vaultCallsOf } = await import('../chain/claims.ts');
      const { claim } = vaultCallsOf(config.vault, positionKey);
      return address !== null && canCall(config.rpcUrl, { from: address, call: claim() });
    },
    enabled: address !== null,
    staleTime: 0,
    refetchInterval: refetchMs,
  });
  return claimQuery.data === true;
}
