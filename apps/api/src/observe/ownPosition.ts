import type { ListedPosition } from '@core/store';
import type { Caller } from '../auth/caller.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import { storedIdOf } from '../present/wireId.ts';
import type { Service } from '../service.ts';

/** A position of the token's wallet within its partner; null alike for malformed, unknown and somebody else's IDs. */
export function findOwnPosition(
  { store, config }: Service,
  caller: Extract<Caller, { kind: 'user' }>,
  wireId: string,
): Promise<ListedPosition | null> {
  const id = storedIdOf(wireId, config.idNamespace);
  if (id === null) return Promise.resolve(null);
  const walletAddress = storedWalletAddressOf(caller.wallet);
  return store.positions.findOwn({ id, partnerId: caller.partner.id, walletAddress });
}
