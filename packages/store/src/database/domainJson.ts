/**
 * JSON that keeps bigints. PostgreSQL's jsonb holds figures and plans of other rooms; a bigint `5n` is written as
 * `{"$bigint":"5"}`, so a value read back is the value that was written, without knowing its shape.
 */
export function encodeDomainJson(value: unknown): string {
  return textOf(value) ?? 'null';
}

/** Names as they were written before: records have few, and the same in every row. */
const nameTexts = new Map<string, string>();
const maxNames = 1_000;

function nameTextOf(name: string): string {
  const text = nameTexts.get(name) ?? `${JSON.stringify(name)}:`;
  if (nameTexts.size < maxNames) nameTexts.set(name, text);
  return text;
}

/**
 * Write a value like `JSON.stringify` with a replacer, which is called for every entry: walking the value is faster.
 * Null for a value without a JSON form.
 */
function textOf(value: unknown): string | null {
  if (typeof value === 'bigint') return `{"$bigint":"${value}"}`;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value) ?? null;
  if (Array.isArray(value)) return `[${value.map((entry) => textOf(entry) ?? 'null').join()}]`;
  let fields = '';
  for (const [name, entry] of Object.entries(value)) {
    const text = textOf(entry);
    if (text !== null) fields += `${fields === '' ? '' : ','}${nameTextOf(name)}${text}`;
  }
  return `{${fields}}`;
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
