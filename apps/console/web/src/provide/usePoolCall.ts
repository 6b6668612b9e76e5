import { useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '../chain/chain.ts';
import { useLoadedWallet } from '../chain/loadWallet.ts';
import { poolCallsOf } from '../chain/vaultCalls.ts';
import type { ContractCall, Hex } from '../chain/wallet.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { poolKeys } from './poolKeys.ts';

export interface PoolRequest {
  readonly call: (calls: ReturnType<typeof poolCallsOf>) => ContractCall;
  /** USDC that the pool transfers from the wallet; null where it transfers none. */
  readonly payment: { readonly token: Hex; readonly units: bigint } | null;
}

/** Send a call of the pool, with the allowance it needs, and wait until it is in a block. */
export function usePoolCall() {
  const { wallet, address, config } = useSession();
  const queries = useQueryClient();
  useLoadedWallet();
  return useMutation({
    mutationFn: async ({ call, payment }: PoolRequest) => {
      if (wallet === null || address === null) {
        throw new Error('No wallet in this browser has the signed-in account.');
      }
      const sender = { wallet, address, rpcUrl: config.rpcUrl, chainId: config.chainId };
      const payments = payment === null ? [] : [{ ...payment, spender: config.pool }];
      await send(sender, call(poolCallsOf(config.pool, address)), payments);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: poolKeys.all }),
  });
}
