import type { UsageByScope } from '@core/policy';
import type { IdempotencyRequest, IdempotencyResult } from '../service/createIdempotency.ts';
import type { LimitState, StatementCharge } from '../service/limits.ts';
import type { ReserveRequest } from './createQuotes.ts';

/** One request for a quote as the database sees it. Every part may be null. */
export interface AdmissionRequest {
  /** The caller's bucket. */
  readonly standard: StatementCharge | null;
  /** The stricter bucket of the route, charged only when nothing before it ended the request. */
  readonly strict: StatementCharge | null;
  /** The Idempotency-Key, and the answer that is kept under it when the quote is stored. */
  readonly idempotency: (Omit<IdempotencyRequest, 'nowMs'> & IdempotencyResult) | null;
  /** Null when the request was refused for its own sake: it is charged, and nothing is kept. */
  readonly reservation: ReserveRequest | null;
  /** On the service clock. */
  readonly nowMs: number;
}

/** Outcome of a request. */
export type AdmissionOutcome =
  | { readonly kind: 'standard_refused' | 'strict_refused' }
  /** The key has an answer already. */
  | { readonly kind: 'replay'; readonly responseStatus: number; readonly responseBody: string }
  /** The key is in use, or was used with another body. */
  | { readonly kind: 'in_progress' | 'reused' }
  /** Nothing stood in the way; there was nothing to reserve. */
  | { readonly kind: 'admitted' }
  /** Reserved and stored, together with the answer under its key. */
  | { readonly kind: 'reserved' }
  /**
   * A cap does not allow it: nothing is kept. The usage is what it was decided on: of the quote's side only, and
   * without what the position reserves already.
   */
  | { readonly kind: 'refused'; readonly usage: UsageByScope }
  /** The position exists already: nothing is kept. */
  | { readonly kind: 'used' };

export interface Admission {
  readonly outcome: AdmissionOutcome;
  /** Buckets in the order they were charged. */
  readonly states: readonly LimitState[];
}
