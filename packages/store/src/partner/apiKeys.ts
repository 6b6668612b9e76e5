import type { Environment } from './partners.ts';

/** What is kept of a key: enough to recognise it, never enough to use it. */
export interface ApiKeyRecord {
  /** `key_…` */
  readonly id: string;
  readonly partnerId: string;
  readonly environment: Environment;
  /** First characters of the key, to distinguish two keys in a list. */
  readonly prefix: string;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
}

export interface NewApiKey {
  readonly partnerId: string;
  readonly environment: Environment;
  readonly nowMs: number;
}

export interface IssuedApiKey {
  readonly record: ApiKeyRecord;
  /** The key itself, `<live|sbx>_skey_<random>`: shown once, stored nowhere. */
  readonly secret: string;
}

export type IssueOutcome =
  | ({ readonly kind: 'issued' } & IssuedApiKey)
  /** Two keys of this environment are active already: revoke one first. */
  | { readonly kind: 'too_many_active_keys' };

export interface ApiKeyStore {
  /** A new key; at most two of a partner and environment are active at any time, under any concurrency. */
  issue(request: NewApiKey): Promise<IssueOutcome>;
  /** A new key and, in the same transaction, the end of every other one: after a leak. */
  rotate(request: NewApiKey): Promise<IssuedApiKey>;
  /** False when no such key was active. */
  revoke(id: string, nowMs: number): Promise<boolean>;
  listByPartner(partnerId: string): Promise<readonly ApiKeyRecord[]>;
  /**
   * The active key with this secret in this environment; `revoked` for one that was; null for any other text. One
   * prepared statement on the hash.
   */
  authenticate(secret: string, environment: Environment): Promise<ApiKeyRecord | 'revoked' | null>;
}
