export interface IdempotencyRequest {
  /** Who and where: environment, partner, wallet, route. */
  readonly scope: string;
  /** The caller's key, at most 255 characters. */
  readonly key: string;
  /** Hash of the request body. */
  readonly requestHash: string;
  readonly nowMs: number;
}

export type IdempotencyStart =
  | { readonly kind: 'started' }
  | { readonly kind: 'replay'; readonly responseStatus: number; readonly responseBody: string }
  | { readonly kind: 'in_progress' }
  /** The key was used with another body. */
  | { readonly kind: 'reused' };

export interface IdempotencyResult {
  readonly scope: string;
  readonly key: string;
  readonly responseStatus: number;
  readonly responseBody: string;
}

export const idempotencyLifetimeMs = 24 * 60 * 60 * 1_000;
/**
 * A process that dies in the middle blocks its key no longer than this. A request that takes longer and its repeat then
 * run side by side, which does no harm: a quote's seed follows from its key, and nothing else a POST does takes room.
 */
export const idempotencyLockMs = 10_000;

export interface IdempotencyStore {
  begin(request: IdempotencyRequest): Promise<IdempotencyStart>;
  /** Keeps a 2xx answer for 24 hours. */
  complete(result: IdempotencyResult): Promise<void>;
  /** The request was refused or failed: nothing is kept. */
  abandon(scope: string, key: string): Promise<void>;
  /** Deletes at most `limit` keys that are over, returns how many. */
  removeExpired(nowMs: number, limit: number): Promise<number>;
}
