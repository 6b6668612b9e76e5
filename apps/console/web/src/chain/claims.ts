import { BaseError } from 'viem';
import { chainReaderOf } from './chain.ts';
import type { ContractCall, Hex } from './wallet.ts';

export { vaultCallsOf } from './vaultCalls.ts';

/** Return true when a call would succeed now. @throws when the node does not respond. */
export async function canCall(
  rpcUrl: string,
  { from, call }: { readonly from: Hex; readonly call: ContractCall },
): Promise<boolean> {
  try {
    await chainReaderOf(rpcUrl).call({ account: from, ...call });
    return true;
  } catch (cause) {
    if (cause instanceof BaseError && cause.walk((error) => 'data' in Object(error)) !== null) return false;
    throw cause;
  }
}
