import { createWalletClient, defineChain, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { PageConfig } from '../pageConfig.ts';
import type { ContractCall, Hex } from './wallet.ts';

/** Return a wallet client that signs with a key in the page. */
export function localSignerOf(key: Hex, { rpcUrl, chainId }: Pick<PageConfig, 'rpcUrl' | 'chainId'>) {
  const account = privateKeyToAccount(key);
  const chain = defineChain({
    id: chainId,
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const client = createWalletClient({ account, chain, transport: http(rpcUrl) });
  return {
    signMessage: (message: string): Promise<Hex> => account.signMessage({ message }),
    send: (call: ContractCall, value = 0n): Promise<Hex> => client.sendTransaction({ ...call, value }),
  };
}
