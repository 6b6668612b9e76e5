import { useMutation, useQueryClient } from '@tanstack/react-query';
import { approve, receiptOf, send } from '../chain/chain.ts';
import { poolCallsOf } from '../chain/vaultCalls.ts';
import type { ContractCall, Hex } from '../chain/wallet.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { poolKeys } from './poolKeys.ts';

export interface PoolRequest {
  readonly call: (calls: ReturnType<typeof poolCallsOf>) => ContractCall;
  /** USDC that the pool takes from the wallet; null where it takes none. */
  readonly payment: { readonly token: Hex; readonly units: bigint } | null;
}

/** Sends a call of the pool, with the allowance it needs, and waits until the chain has it. */
export function usePoolCall() {
  const { wallet, address, config } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ call, payment }: PoolRequest) => {
      if (wallet === null || address === null) {
        throw new Error('No wallet of this browser has the account that is signed in.');
      }
      const sender = { wallet, address, rpcUrl: config.rpcUrl };
      await approve(sender, payment === null ? [] : [{ ...payment, spender: config.pool }]);
      await receiptOf(sender, await send(sender, call(poolCallsOf(config.pool, address))));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: poolKeys.all }),
  });
}
