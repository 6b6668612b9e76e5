import type { Caller } from './authenticate.ts';
import { storedWalletAddressOf } from './walletAddress.ts';

/** Name of the holder that connections and requests are counted for: a wallet within a partner, or a partner. */
export function ownerKeyOf(caller: Caller): string {
  return caller.kind === 'user' ? `${caller.partner.id}:${storedWalletAddressOf(caller.wallet)}` : caller.partner.id;
}
