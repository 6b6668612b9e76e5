import type { EventAudience, OutboxRecord } from '@core/store';
import type { Connection } from './connection.ts';

const marketsKey = 'markets';
const userKeyOf = (partnerId: string | null, walletAddress: string | null): string =>
  `user:${partnerId ?? ''}:${(walletAddress ?? '').toLowerCase()}`;
const partnerKeyOf = (partnerId: string | null): string => `partner:${partnerId ?? ''}`;

function keyOf(audience: EventAudience): string {
  if (audience.kind === 'markets') return marketsKey;
  return audience.kind === 'user'
    ? userKeyOf(audience.partnerId, audience.walletAddress)
    : partnerKeyOf(audience.partnerId);
}

/** Open connections, indexed by their audience. */
export class Connections {
  readonly #all = new Set<Connection>();
  readonly #byAudience = new Map<string, Set<Connection>>();

  get size(): number {
    return this.#all.size;
  }

  all(): readonly Connection[] {
    return [...this.#all];
  }

  add(connection: Connection): void {
    this.#all.add(connection);
    const key = keyOf(connection.audience);
    const own = this.#byAudience.get(key);
    if (own === undefined) this.#byAudience.set(key, new Set([connection]));
    else own.add(connection);
  }

  delete(connection: Connection): void {
    this.#all.delete(connection);
    const key = keyOf(connection.audience);
    const own = this.#byAudience.get(key);
    own?.delete(connection);
    if (own?.size === 0) this.#byAudience.delete(key);
  }

  of(audience: EventAudience): readonly Connection[] {
    return [...(this.#byAudience.get(keyOf(audience)) ?? [])];
  }

  /**
   * Return the connections that receive an event: its wallet, and its partner unless it is a notification; or the whole
   * markets gateway.
   */
  targetsOf({ type, partnerId, walletAddress }: OutboxRecord): readonly Connection[] {
    if (partnerId === null) return this.of({ kind: 'markets' });
    const users = this.#byAudience.get(userKeyOf(partnerId, walletAddress)) ?? [];
    if (type === 'notification') return [...users];
    return [...users, ...(this.#byAudience.get(partnerKeyOf(partnerId)) ?? [])];
  }
}

/** True when an audience gets the event. */
export function isFor(audience: EventAudience, { type, partnerId, walletAddress }: OutboxRecord): boolean {
  if (audience.kind === 'markets') return partnerId === null;
  if (audience.partnerId !== partnerId) return false;
  return audience.kind === 'partner'
    ? type !== 'notification'
    : audience.walletAddress.toLowerCase() === walletAddress?.toLowerCase();
}
