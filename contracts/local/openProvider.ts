import { type LocalEvm, localChainId, openNetwork } from './openNetwork.ts';

/** An EVM in this process, without a server. */
export interface LocalProvider {
  /** @throws Error with `code`, and the `data` of a revert, when the node refuses the call. */
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  /** End the regular blocks and let go of the EVM. */
  close(): Promise<void>;
}

/**
 * Open the EVM of `startLocalChain` without its server. Several of one process do not see each other.
 *
 * @param evm.chainId 31337 by default.
 */
export async function openProvider(
  evm: Omit<LocalEvm, 'chainId'> & { readonly chainId?: number },
): Promise<LocalProvider> {
  const network = await openNetwork({ chainId: localChainId, ...evm });
  const { provider } = await network.create('local');
  return {
    request: (call) => provider.request(call),
    close: async () => {
      // Closing only forgets the EVM, which would mine on.
      await provider.request({ method: 'evm_setIntervalMining', params: [0] });
      await provider.close();
    },
  };
}
