/** Control characters, and those that turn the direction of the text behind them: no title has one. */
const controlPattern = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;
const blanks: ReadonlySet<string> = new Set(['\t', '\n', '\r']);

/** Return the text with unpaired surrogates replaced, control characters removed and line breaks as blanks. */
export function cleanTextOf(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.replace(controlPattern, (character) => (blanks.has(character) ? ' ' : ''));
}

/** Return at most `maxLength` characters of a text; an ellipsis replaces the rest. */
export function limitedTextOf(text: string, maxLength: number): string {
  const characters = Array.from(text);
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Return a text with its line breaks as line feeds and each line clean. */
export function cleanLinesOf(text: string): string {
  return text.split(/\r?\n/).map(cleanTextOf).join('\n');
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
