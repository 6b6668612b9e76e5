type ReviverArguments = [key: string, value: unknown, context: { readonly source?: string }];

/**
 * `JSON.parse` that returns every number as the text it was written in, so that no amount ever passes through a
 * floating-point number. Throws a SyntaxError on text that is no JSON.
 */
export function parseExactJson(text: string): unknown {
  const keepSource = (...[, value, context]: ReviverArguments): unknown =>
    typeof value === 'number' ? (context.source ?? String(value)) : value;
  return JSON.parse(text, keepSource as (key: string, value: unknown) => unknown);
}
