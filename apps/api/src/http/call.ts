import { type Rejection, reject } from '@core/errors';
import type { ReserveRequest } from '@core/store';
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

/** An Idempotency-Key and what it is bound to. */
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
  /** The caller's Idempotency-Key and what it is bound to, or null. */
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

/** Builds the refusal of a malformed request: the field, by its path, and the rule it breaks. */
export function invalidRequest(param: string, rule: string): Refusal {
  return { kind: 'refusal', rejection: reject('invalid_request'), detail: `${param}: ${rule}`, param };
}

/** The same where the whole body is at fault. */
export function invalidBody(rule: string): Refusal {
  return { ...invalidRequest('body', rule), param: null };
}

/** What a handler gives back: the wire form of the resource, or a refusal. */
export type Answer<N extends RouteName> =
  | { readonly kind: 'answer'; readonly body: z.input<Routes[N]['response']['schema']> }
  | PageBytes
  | Rejection
  | Refusal;

/** The handler of a route: parse happened before it, encoding happens after it. */
export type Handler<N extends RouteName> = (call: Call<N>) => Promise<Answer<N>>;

/** A decision made before its effect: what is to be reserved, and the answer once it is. */
export interface PreparedAnswer<Body = unknown> {
  readonly kind: 'prepared';
  /** Null where what is counted has to be read before anything can be decided. */
  readonly effect: { readonly reservation: ReserveRequest; readonly body: Body } | null;
  /** Decides on what is counted now, after the reservation was refused or because there is none. */
  readonly decideAgain: () => Promise<Rejection | PreparedAnswer<Body>>;
}

/** The decision of a route without any effect, so that it costs nothing but its own time when it is not admitted. */
export type Preparer<N extends RouteName> = (
  call: Call<N>,
) => PreparedAnswer<z.input<Routes[N]['response']['schema']>> | Rejection | Refusal;

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

/** A preparer whose route is known only at run time. */
export type UntypedPreparer = (call: UntypedCall) => PreparedAnswer | Rejection | Refusal;

/** Routes that reserve: their effect is one statement, which the pipeline runs. */
type PreparedRoute = 'createQuote';

/** A handler for every other route. */
export type Handlers = { readonly [N in Exclude<RouteName, PreparedRoute>]: Handler<N> };

/** A preparer for each of them. */
export type Preparers = { readonly [N in PreparedRoute]: Preparer<N> };

/** Wraps a resource as an answer. */
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
