/** The same fields with `name_` in front of each key: `prefixed('notional', { usd })` gives `{ notional_usd }`. */
export type Prefixed<N extends string, S> = { [K in keyof S & string as `${N}_${K}`]: S[K] };

/** Names put together so far: a page of positions has thousands of keys, and few of them differ. */
const joined = new Map<string, Map<string, string>>();

/** Puts `name_` in front of every key; used for schemas and for values, so that both spell companions alike. */
export function prefixed<N extends string, S extends object>(name: N, fields: S): Prefixed<N, S> {
  let keys = joined.get(name);
  if (keys === undefined) {
    keys = new Map();
    joined.set(name, keys);
  }
  const named: Record<string, unknown> = {};
  for (const key in fields) {
    let joinedKey = keys.get(key);
    if (joinedKey === undefined) {
      joinedKey = `${name}_${key}`;
      keys.set(key, joinedKey);
    }
    named[joinedKey] = fields[key];
  }
  return named as Prefixed<N, S>;
}
