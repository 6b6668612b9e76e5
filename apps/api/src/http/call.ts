import { type Rejection, reject } from '@core/errors';
import type { AdmissionOutcome, ReserveRequest } from '@core/store';
import type { RouteName, routes } from '@core/wire';
import type { z } from 'zod';
import type { Caller, PartnerCaller, UserCaller } from '../auth/authenticate.ts';
import type { PageBytes } from './pageCache.ts';

type Routes = typeof routes;
type CallerOf<Auth> = Auth extends 'user'
  ? UserCaller
  : Auth extends 'partner'
    ? PartnerCaller
    : Auth extends 'user_or_partner'
      ? Caller
      : null;
type BodyOf<Body> = Body extends z.ZodType ? z.output<Body> : null;

/** An Idempotency-Key with its scope and request. */
export interface BoundKey {
  readonly scope: string;
  readonly key: string;
  /** Hash of address and body. */
  readonly requestHash: string;
}

/** One authenticated, parsed call of a route. `nowMs` is the one reading of the clock that everything in it uses. */
export interface Call<N extends RouteName> {
  readonly caller: CallerOf<Routes[N]['auth']>;
  readonly params: z.output<Routes[N]['params']>;
  readonly query: z.output<Routes[N]['query']>;
  readonly body: BodyOf<Routes[N]['body']>;
  readonly nowMs: number;
  readonly requestId: string;
  /** The caller's Idempotency-Key with its scope and request, or null. */
  readonly idempotency: BoundKey | null;
}

/** A refusal with a sentence of its own, where the request itself names the fault. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly rejection: Rejection;
  readonly detail: string;
  /** The field or header at fault; null when it is the request as a whole. */
  readonly param: string | null;
}

/** Build the refusal of a malformed request: the field, by its path, and the rule it breaks. */
export function invalidRequest(param: string, rule: string): Refusal {
  return { kind: 'refusal', rejection: reject('invalid_request'), detail: `${param}: ${rule}`, param };
}

/** The same where the whole body is at fault. */
export function invalidBody(rule: string): Refusal {
  return { ...invalidRequest('body', rule), param: null };
}

/** Result of a handler: the wire form of the resource, or a refusal. */
export type Answer<N extends RouteName> =
  | { readonly kind: 'answer'; readonly body: z.input<Routes[N]['response']['schema']> }
  | PageBytes
  | Rejection
  | Refusal;

/** The handler of a route: parse happened before it, encoding happens after it. */
export type Handler<N extends RouteName> = (call: Call<N>) => Promise<Answer<N>>;

/** Answer whose JSON is stored already: now, by the statement that reserved, or earlier under the same key. */
export interface StoredAnswer {
  readonly kind: 'stored';
  readonly status: number;
  readonly json: string;
  /** True when an earlier call with the same Idempotency-Key got it. */
  readonly isReplay: boolean;
}

/**
 * The statement of a call that reserves. Its first run charges the buckets of the call and reads its Idempotency-Key.
 * An end of the call there outranks the earlier decision.
 */
export interface Reserving<Body = unknown> {
  /** Charge the call before anything is read for it. Null when it may continue, else the answer that ends it. */
  enter(): Promise<StoredAnswer | Rejection | null>;
  /** Reserve, store the quote and store the answer under the key of the call: all of it or nothing. */
  reserve(reservation: ReserveRequest, body: Body): Promise<ReservingOutcome>;
}

/** Outcome of a reservation. `refused`: a cap does not allow it. `used`: the position exists already. */
export type ReservingOutcome = StoredAnswer | Rejection | Extract<AdmissionOutcome, { kind: 'refused' | 'used' }>;

/** Handler of a route that reserves. A refusal that it returns without a statement is charged afterwards. */
export type ReservingHandler<N extends RouteName> = (
  call: Call<N>,
  reserving: Reserving<z.input<Routes[N]['response']['schema']>>,
) => Promise<StoredAnswer | Rejection | Refusal>;

/** A call whose route is known only at run time. */
export interface UntypedCall {
  readonly caller: Caller | null;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly nowMs: number;
  readonly requestId: string;
  readonly idempotency: BoundKey | null;
}

/** A handler whose route is known only at run time: the call was parsed by that route's own schemas. */
export type UntypedHandler = (
  call: UntypedCall,
) => Promise<{ readonly kind: 'answer'; readonly body: unknown } | PageBytes | Rejection | Refusal>;

/** A reserving handler whose route is known only at run time. */
export type UntypedReservingHandler = (
  call: UntypedCall,
  reserving: Reserving,
) => Promise<StoredAnswer | Rejection | Refusal>;

/** Routes that reserve: one statement charges, reserves and stores the answer. */
type ReservingRoute = 'createQuote' | 'promoteDraftQuote';

/** A handler for each of them. */
export type ReservingHandlers = { readonly [N in ReservingRoute]: ReservingHandler<N> };

/** A handler for every other route. */
export type Handlers = { readonly [N in Exclude<RouteName, ReservingRoute>]: Handler<N> };

/** Wrap a resource as an answer. */
export function answer<Body>(body: Body): { readonly kind: 'answer'; readonly body: Body } {
  return { kind: 'answer', body };
}

/** True when the query asks for an expansion. */
export function isExpanded<Name extends string>(
  query: { readonly expand?: readonly Name[] | undefined },
  name: NoInfer<Name>,
): boolean {
  return query.expand?.includes(name) === true;
}
