import { LevError } from '../errors/levError.ts';
import type { QuoteDifference } from './quoteCheck.ts';

/**
 * Error of a quote that differs from its signed values, or whose figures do not follow from them. Nothing was signed.
 */
export class QuoteNotVerifiedError extends LevError {
  override readonly name = 'QuoteNotVerifiedError';
  readonly field: string;
  readonly shown: unknown;
  readonly expected: unknown;

  constructor(difference: Omit<QuoteDifference, 'verified'>) {
    super('quote_not_verified', sentenceOf(difference));
    this.field = difference.field;
    this.shown = difference.shown;
    this.expected = difference.expected;
  }
}

function sentenceOf({ field, shown, expected }: Omit<QuoteDifference, 'verified'>): string {
  if (field === 'contract_signature' && shown === '') return 'This is a draft. Call `quotes.promote(draft)` first.';
  if (field === 'authority_public_key')
    return `This quote is for ${String(shown)}, your wallet is ${String(expected)}.`;
  if (field === 'basis' && shown === undefined) {
    return 'The quote has no `basis`, so that its figures cannot be verified. Ask for it with `expand=basis`.';
  }
  return `The quote shows ${String(shown)} as ${field}, expected ${String(expected)}. Ask for a new quote.`;
}
