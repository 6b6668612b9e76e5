/** Position at which a number may begin: at the start, or after a separator. Seldom also inside a text. */
const numberStart = /(?:^|[:,[])\s*-?\d/;

/**
 * Parse JSON with every number as the text it was written in, so that no amount passes through a floating-point number.
 * @throws SyntaxError on text that is no JSON, or nested too deep.
 */
export function parseExactJson(text: string): unknown {
  // The venue writes most amounts as text. Looking at every value costs five times as much as reading them.
  if (!numberStart.test(text)) return JSON.parse(text);
  const keepSource = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;
  try {
    return JSON.parse(text, keepSource);
  } catch (error) {
    // Looking at every value goes as deep as the text is nested.
    if (error instanceof RangeError) throw new SyntaxError('nested too deep', { cause: error });
    throw error;
  }
}
