import type { z } from 'zod';

/** Longest value that is repeated to the caller. */
const maxShownLength = 40;

/** Types as a reader of the documentation knows them. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'a list',
};

/** Rules that a schema states in its own words begin otherwise. */
const isDefaultText = (message: string): boolean => /^(?:Invalid|Too |Unrecognized)/.test(message);

/** The rule that a value of a request breaks, with the value and what to send instead; it follows the field's name. */
export function brokenRuleOf(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined && issue.code !== 'custom') return `is missing. Send ${expectedOf(issue)}.`;
  const rule = isDefaultText(issue.message) ? `must be ${expectedOf(issue)}` : issue.message.slice(0, 300);
  const input = shownOf(issue.input);
  return `${rule}${input === null ? '' : `, not ${input}`}${nearestOf(issue)}`;
}

/** Values that the schema takes, worded to follow "must be" and "Send". */
function expectedOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? 'a value of another type';
    case 'invalid_value':
      return alternativesOf(issue.values.map(String));
    case 'too_small':
      return `${boundedOf(issue.origin)}${issue.minimum} or more`;
    case 'too_big':
      return `${boundedOf(issue.origin)}${issue.maximum} or less`;
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    default:
      return 'as documented';
  }
}

const boundedOf = (origin: string): string => (origin === 'string' ? 'text with a length of ' : '');

function alternativesOf(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** A value that is short enough to be repeated; null for any other. */
function shownOf(input: unknown): string | null {
  if (typeof input === 'number' || typeof input === 'boolean' || input === null) return String(input);
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object') return 'an object';
  return typeof input === 'string' && input.length <= maxShownLength ? JSON.stringify(input) : null;
}

/** The steps beside a number that is none. */
function nearestOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'not_multiple_of' || typeof issue.input !== 'number') return '';
  const step = Number(issue.divisor);
  const below = Math.floor(issue.input / step) * step;
  return `: send ${below} or ${below + step}`;
}
