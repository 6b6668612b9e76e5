/** Fields with `name_` before each key: `prefixed('notional', { usd })` gives `{ notional_usd }`. */
export type Prefixed<N extends string, S> = { [K in keyof S & string as `${N}_${K}`]: S[K] };

/** Cache of joinedKeys names: a page of positions has thousands of keys, and few of them differ. */
const joinedKeys = new Map<string, Map<string, string>>();

/** Add `name_` before every key. Schemas and values both use it, so that companions have equal names. */
export function prefixed<N extends string, S extends object>(name: N, fields: S): Prefixed<N, S> {
  let keys = joinedKeys.get(name);
  if (keys === undefined) {
    keys = new Map();
    joinedKeys.set(name, keys);
  }
  const prefixedFields: Record<string, unknown> = {};
  for (const key in fields) {
    let joinedKey = keys.get(key);
    if (joinedKey === undefined) {
      joinedKey = `${name}_${key}`;
      keys.set(key, joinedKey);
    }
    prefixedFields[joinedKey] = fields[key];
  }
  return prefixedFields as Prefixed<N, S>;
}
