import { type Surroundings, surroundingsOf } from '../http/surroundings.ts';
import { ChainAction } from './action.ts';
import type { Transaction, Wallet } from './wallet.ts';

/**
 * Send a call of any contract with the care of every action: the chain is compared, the call simulated, and its
 * transaction followed when the wallet answers with an error after it has sent.
 *
 * @param surroundings Functions of the host that replace its own.
 * @returns Action with the hash of the transaction.
 * @throws the errors of every action, when it is awaited.
 */
export function sendCall(
  wallet: Wallet,
  { to, data, chainId }: Pick<Transaction, 'to' | 'data'> & { readonly chainId: number },
  surroundings: Partial<Surroundings> = {},
): ChainAction<string> {
  return new ChainAction<string>(
    {
      check: () => undefined,
      writes: { unsettledUntilMs: 0, block: 0, nextNonce: null },
      chainId: async () => chainId,
      transactions: async () => [{ purpose: 'call', to, data, value: '0' }],
      result: async ({ hash, block }) => ({ result: hash, block }),
      needsHash: true,
    },
    wallet,
    surroundingsOf(surroundings),
  );
}
