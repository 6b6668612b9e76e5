/**
 * JSON that keeps bigints. PostgreSQL's jsonb holds figures and plans of other rooms; a bigint `5n` is written as
 * `{"$bigint":"5"}`, so a value read back is the value that was written, without knowing its shape.
 */
export function encodeDomainJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === 'bigint' ? { $bigint: entry.toString() } : entry,
  );
}

/** The inverse of `encodeDomainJson`. Throws `SyntaxError` on text that is not JSON. */
export function decodeDomainJson(text: string): unknown {
  // Most stored objects hold no bigint and then skip the reviver, which costs more than the parse.
  return text.includes('"$bigint"') ? JSON.parse(text, reviveBigint) : JSON.parse(text);
}

function reviveBigint(_key: string, entry: unknown): unknown {
  if (typeof entry === 'object' && entry !== null && '$bigint' in entry && typeof entry.$bigint === 'string') {
    return BigInt(entry.$bigint);
  }
  return entry;
}
