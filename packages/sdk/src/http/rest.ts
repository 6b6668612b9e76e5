import { type Operations, routes } from '../generated/routes.ts';
import type { CallOptions, CallParts, RouteName, Transport } from './transport.ts';

/** True for the type of parts that a route lacks. */
type IsNothing<Part> = [Part] extends [undefined] ? true : string extends keyof Part ? true : false;
type Needed<Key extends string, Part> = IsNothing<Part> extends true ? unknown : { readonly [K in Key]: Part };
type Asked<Key extends string, Part> = IsNothing<Part> extends true ? unknown : { readonly [K in Key]?: Part };

/** Arguments of a route: `path` and `body` if it has them, `query` if it accepts one. */
export type RequestOf<Name extends RouteName> = CallOptions &
  Needed<'path', Operations[Name]['path']> &
  Asked<'query', Operations[Name]['query']> &
  Needed<'body', Operations[Name]['body']>;

type RestMethod<Name extends RouteName> =
  Record<never, never> extends RequestOf<Name>
    ? (request?: RequestOf<Name>) => Promise<Operations[Name]['answer']>
    : (request: RequestOf<Name>) => Promise<Operations[Name]['answer']>;

/** Methods of all routes of the service, under the routes' own names. */
export type Rest = { readonly [Name in RouteName]: RestMethod<Name> };

/** Build the methods of the route table over one transport. */
export function restOf(transport: Transport): Rest {
  const methods = Object.keys(routes).map((name) => [
    name,
    ({ signal, idempotencyKey, onHeaders, ...parts }: CallOptions & CallParts = {}) =>
      transport.call(name as RouteName, parts, { signal, idempotencyKey, onHeaders }),
  ]);
  return Object.fromEntries(methods) as Rest;
}
