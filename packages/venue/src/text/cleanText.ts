/** Characters that no title has and that a database or a terminal may choke on. */
const controlPattern = /\p{Cc}/gu;
const blanks: ReadonlySet<string> = new Set(['\t', '\n', '\r']);

/** Return the text with unpaired surrogates replaced, control characters removed and line breaks as blanks. */
export function cleanTextOf(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.replace(controlPattern, (character) => (blanks.has(character) ? ' ' : ''));
}

/** Return a value of texts, lists and plain objects with every text in it cleaned; all else is the same. */
export function withCleanTexts<Value>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanTextOf(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, cleaned(entry)]));
}
