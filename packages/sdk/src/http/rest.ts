import { type Operations, routes } from '../generated/routes.ts';
import type { CallOptions, CallParts, RouteName, Transport } from './transport.ts';

/** True for the type of parts that a route does not take. */
type IsNothing<Part> = [Part] extends [undefined] ? true : string extends keyof Part ? true : false;
type Needed<Key extends string, Part> = IsNothing<Part> extends true ? unknown : { readonly [K in Key]: Part };
type Asked<Key extends string, Part> = IsNothing<Part> extends true ? unknown : { readonly [K in Key]?: Part };

/** What a route takes: `path` and `body` where it has them, `query` where it may have one. */
export type RequestOf<Name extends RouteName> = CallOptions &
  Needed<'path', Operations[Name]['path']> &
  Asked<'query', Operations[Name]['query']> &
  Needed<'body', Operations[Name]['body']>;

type RestMethod<Name extends RouteName> =
  Record<never, never> extends RequestOf<Name>
    ? (request?: RequestOf<Name>) => Promise<Operations[Name]['answer']>
    : (request: RequestOf<Name>) => Promise<Operations[Name]['answer']>;

/** A method for every route of the service, under the route's own name. */
export type Rest = { readonly [Name in RouteName]: RestMethod<Name> };

/** The methods over one transport; they are the route table. */
export function restOf(transport: Transport): Rest {
  const methods = Object.keys(routes).map((name) => [
    name,
    ({ signal, idempotencyKey, ...parts }: CallOptions & CallParts = {}) =>
      transport.call(name as RouteName, parts, { signal, idempotencyKey }),
  ]);
  return Object.fromEntries(methods) as Rest;
}
