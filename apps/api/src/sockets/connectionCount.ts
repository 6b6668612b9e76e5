import { socketLimits } from '@core/wire';
import type { Caller } from '../auth/authenticate.ts';
import { ownerKeyOf } from '../auth/ownerKey.ts';

/** Open connections of each wallet and of each partner's keys. */
export class ConnectionCount {
  readonly #counts = new Map<string, number>();

  /** Count a connection. False when it is one too many; it counts until it is closed all the same. */
  add(caller: Caller): boolean {
    const key = ownerKeyOf(caller);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= (caller.kind === 'user' ? socketLimits.connectionsPerWallet : socketLimits.connectionsPerPartner);
  }

  delete(caller: Caller): void {
    const key = ownerKeyOf(caller);
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}
