import type { StackFile } from '@core/devnet/stack-file';
import type { Wallet } from '@core/sdk';
import { createWalletClient, defineChain, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Return a wallet on the local chain for one of the stack's public test keys. */
export function walletOf({ chainId, rpcUrl }: StackFile, privateKey: Hex): Wallet {
  const chain = defineChain({
    id: chainId,
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  return createWalletClient({ account: privateKeyToAccount(privateKey), chain, transport: http(rpcUrl) });
}
