import type { Wallet as SdkWallet, Transaction } from '@core/sdk';
import { http } from 'viem';
import type { Sender } from './chain.ts';
import type { Hex } from './wallet.ts';

/** A wallet as the client of the service takes it: it signs here, and the chain is read from this page's node. */
export function sdkWalletOf({ wallet, address, rpcUrl }: Sender): SdkWallet {
  const { request } = http(rpcUrl, { retryCount: 1 })({});
  return {
    account: { address },
    request,
    sendTransaction: ({ to, data }: Transaction) => wallet.send(address, { to: to as Hex, data: data as Hex }),
  };
}
