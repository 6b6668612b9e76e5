import type { Wallet as SdkWallet, Transaction } from '@core/sdk';
import { http } from 'viem';
import type { Sender } from './wallet.ts';

/** Return a wallet for the SDK, which signs in the browser and reads the chain from this page's node. */
export function sdkWalletOf({ wallet, address, rpcUrl }: Omit<Sender, 'chainId'>): SdkWallet {
  const { request } = http(rpcUrl, { retryCount: 1 })({});
  return {
    account: { address },
    request,
    sendTransaction: ({ to, data }: Transaction) => wallet.send(address, { to, data }),
  };
}
