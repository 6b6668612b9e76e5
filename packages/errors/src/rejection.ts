import type { ParamKinds } from './definition.ts';
import type { errorTable } from './table.ts';

type Table = typeof errorTable;

/** Code of the table. */
export type ErrorCode = keyof Table;

type OptionalKey<P> = { [K in keyof P]: P[K] extends `${string}?` ? K : never }[keyof P];
type KindOf<K> = K extends `${infer Name}?` ? ValueOf<Name> : ValueOf<K>;
type ValueOf<Name> = Name extends keyof ParamKinds ? ParamKinds[Name] : never;
type ParamsOf<P> = [keyof P] extends [never] ? Readonly<Record<string, never>> : SomeParamsOf<P>;
type SomeParamsOf<P> = { readonly [K in Exclude<keyof P, OptionalKey<P>>]: KindOf<P[K]> } & {
  readonly [K in OptionalKey<P>]?: KindOf<P[K]>;
};

/** Params of a code: keys as the specification spells them, values as domain quantities. */
export type ErrorParams<C extends ErrorCode> = ParamsOf<Table[C]['params']>;

/** Expected refusal, returned and never thrown. Its code is a row of the table. */
export type Rejection<C extends ErrorCode = ErrorCode> = C extends ErrorCode
  ? { readonly kind: 'rejection'; readonly code: C; readonly params: ErrorParams<C> }
  : never;

/** Codes without a required param. */
type PlainCode = { [C in ErrorCode]: Record<never, never> extends ErrorParams<C> ? C : never }[ErrorCode];

/** Build a rejection. The compiler requires exactly the params that the table lists for the code. */
export function reject<C extends PlainCode>(code: C, params?: ErrorParams<C>): Rejection<C>;
export function reject<C extends ErrorCode>(code: C, params: ErrorParams<C>): Rejection<C>;
export function reject(code: ErrorCode, params: object = {}): { kind: 'rejection'; code: ErrorCode; params: object } {
  return { kind: 'rejection', code, params };
}

/** Return true for a result of `reject`; narrows `PricedQuote | Rejection`. */
export function isRejection(value: unknown): value is Rejection {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'rejection';
}
