import { z } from 'zod';
import { parseExactJson } from '../text/exactJson.ts';

/** A number the venue writes now as a JSON number and now as a string; kept as text, so nothing is lost. */
export const decimalText = z.union([z.string(), z.number()]).transform((written) => String(written));

/** A whole number as text or JSON number, read into a safe JavaScript integer. */
export const wholeNumber = decimalText.transform((text, context) => {
  const whole = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(whole)) {
    context.addIssue({ code: 'custom', message: 'must be a whole number' });
    return z.NEVER;
  }
  return whole;
});

/** A list that the venue may have written as JSON inside a string. */
export const textList = z.union([z.array(z.unknown()), z.string()]).transform((written, context) => {
  let list: unknown = written;
  if (typeof written === 'string') {
    try {
      list = parseExactJson(written);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'must be JSON' });
      return z.NEVER;
    }
  }
  const entries = z.array(decimalText).safeParse(list);
  if (!entries.success) {
    context.addIssue({ code: 'custom', message: 'must be a list of texts' });
    return z.NEVER;
  }
  return entries.data;
});

/**
 * A field that only informs: when the venue writes nonsense into it, it counts as absent instead of hiding a market.
 */
export const informative = <Output>(schema: z.ZodType<Output>) => schema.nullish().catch(null);
