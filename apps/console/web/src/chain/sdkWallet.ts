import type { Wallet as SdkWallet, Transaction } from '@core/sdk';
import { http } from 'viem';
import type { Sender } from './chain.ts';

/** Return a wallet for the SDK, which signs in the browser and reads the chain from this page's node. */
export function sdkWalletOf({ wallet, address, rpcUrl }: Sender): SdkWallet {
  const { request } = http(rpcUrl, { retryCount: 1 })({});
  return {
    account: { address },
    request,
    sendTransaction: ({ to, data }: Transaction) => wallet.send(address, { to: to, data: data }),
  };
}
