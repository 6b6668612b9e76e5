import type { Rejection } from '@core/errors';
import type { RouteName, routes } from '@core/wire';
import type { z } from 'zod';
import type { Caller } from '../auth/caller.ts';
import type { BoundKey } from './idempotency.ts';
import type { Refusal } from './refusal.ts';

type Routes = typeof routes;
type UserCaller = Extract<Caller, { kind: 'user' }>;
type PartnerCaller = Extract<Caller, { kind: 'partner' }>;
type CallerOf<Auth> = Auth extends 'user'
  ? UserCaller
  : Auth extends 'partner'
    ? PartnerCaller
    : Auth extends 'user_or_partner'
      ? Caller
      : null;
type BodyOf<Body> = Body extends z.ZodType ? z.output<Body> : null;

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

/** What a handler gives back: the wire form of the resource, or a refusal. */
export type Answer<N extends RouteName> =
  | { readonly kind: 'answer'; readonly body: z.input<Routes[N]['response']['schema']> }
  | Rejection
  | Refusal;

/** The handler of a route: parse happened before it, encoding happens after it. */
export type Handler<N extends RouteName> = (call: Call<N>) => Promise<Answer<N>>;

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
) => Promise<{ readonly kind: 'answer'; readonly body: unknown } | Rejection | Refusal>;

/** Handlers of all routes that are built. */
export type Handlers = { readonly [N in RouteName]?: Handler<N> };

/** Wraps a resource as an answer. */
export function answer<Body>(body: Body): { readonly kind: 'answer'; readonly body: Body } {
  return { kind: 'answer', body };
}
