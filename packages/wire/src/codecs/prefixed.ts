/** The same fields with `name_` in front of each key: those of `prefixed('notional', { usd })` are `{ notional_usd }`. */
export type Prefixed<N extends string, S> = { [K in keyof S & string as `${N}_${K}`]: S[K] };

/** Puts `name_` in front of every key; used for schemas and for values, so that both spell companions alike. */
export function prefixed<N extends string, S extends object>(name: N, fields: S): Prefixed<N, S> {
  const entries = Object.entries(fields).map(([key, field]) => [`${name}_${key}`, field] as const);
  return Object.fromEntries(entries) as Prefixed<N, S>;
}
