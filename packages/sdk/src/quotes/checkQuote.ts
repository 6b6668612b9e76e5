import type { OpeningTransaction, Quote } from '../generated/resources.ts';
import { type Figures, figuresOfFill, figuresOfSize } from './derivedFigures.ts';
import { isDraft } from './isDraft.ts';
import type { QuoteCheck, QuoteDifference, QuoteExpectation } from './quoteCheck.ts';
import { malformedFieldOf } from './quoteForms.ts';
import { QuoteNotVerifiedError } from './quoteNotVerifiedError.ts';
import { checkSignature, openingOf, outOfBoundsOf, signedFactsOf, transactionFactsOf } from './quoteSignature.ts';
import { type Fact, partnerRatesOf, ratesOf } from './rateChecks.ts';

// Everything that recomputes a quote; loaded with the first verification.

/** Return the first difference of a quote from its signed values and the expectation; `verified` when there is none. */
export async function checkQuote(quote: Quote, expectation: QuoteExpectation): Promise<QuoteCheck> {
  if (!isObject(quote)) return differs(quote, 'quote', 'a quote');
  if (isDraft(quote)) return differs(quote, 'contract_signature', 'a signature');
  const malformed = malformedFieldOf(quote);
  if (malformed !== null) return differs(quote, malformed.field, malformed.form);
  const signature = await checkSignature(quote, expectation);
  if (!signature.verified) return differs(quote, signature.field, signature.expected);
  const outOfBounds = differenceOf(quote, outOfBoundsOf(quote));
  if (outOfBounds !== null) return outOfBounds;
  const facts: readonly Fact[] = [
    ...ratesOf(quote, expectation),
    ...partnerRatesOf(quote),
    ...Object.entries(figuresOf(quote)),
    ...signedFactsOf(quote),
  ];
  const { basis, transaction } = quote;
  const wrong = differenceOf(quote, facts);
  if (wrong !== null) return wrong;
  if (basis === undefined) return { ...signature, unchecked: ofTheFill };
  if (transaction === undefined) return { ...signature, unchecked: [] };
  const opening = openingOf(quote, { contractInfo: expectation.contractInfo, basis });
  return differenceOf(quote, transactionFactsOf(opening)) ?? { ...signature, unchecked: [] };
}

/**
 * Verify a quote and build its opening from the verified values. The quote's own `transaction` is compared and never
 * sent. The function reads a copy, so that nothing changes between the two.
 *
 * @throws QuoteNotVerifiedError, also when a figure cannot be checked.
 */
export async function verifiedOpening(given: Quote, expectation: QuoteExpectation): Promise<OpeningTransaction> {
  const quote: Quote = JSON.parse(JSON.stringify(given));
  const { basis } = quote;
  const check = await checkQuote(quote, expectation);
  if (!check.verified) throw new QuoteNotVerifiedError(check);
  if (basis === undefined) throw new QuoteNotVerifiedError(differs(quote, 'basis', 'the basis of the figures'));
  return openingOf(quote, { contractInfo: expectation.contractInfo, basis });
}

function differenceOf(quote: Quote, facts: readonly Fact[]): QuoteDifference | null {
  const wrong = facts.find(([field, expected]) => !isSame(shownAt(quote, field), expected));
  return wrong === undefined ? null : differs(quote, wrong[0], wrong[1]);
}

/** A JavaScript caller may give anything as the quote. */
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Figures that need the basis. */
const ofTheFill = [
  'entry_price_usd_pips',
  'current_liquidation_price_usd_pips',
  'expected_open_trading_fee_usdc_units',
  'min_expected_position_token_units',
  'max_gain',
  'transaction',
] as const;

function differs(quote: Quote, field: string, expected: unknown): QuoteDifference {
  return { verified: false, field, shown: shownAt(quote, field), expected };
}

/** Read a field of the quote by its path: `max_gain.net_max_gain_usd`, `transaction.data`. */
function shownAt(quote: Quote, field: string): unknown {
  let node: unknown = quote;
  for (const key of field.split('.'))
    node = typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined;
  return node;
}

function isSame(left: unknown, right: unknown): boolean {
  if (typeof left === 'string' && typeof right === 'string' && left.startsWith('0x')) {
    return left.toLowerCase() === right.toLowerCase();
  }
  return left === right;
}

/** Compute every figure that can be recomputed, in an order in which each depends only on earlier ones. */
function figuresOf(quote: Quote): Figures {
  return { ...figuresOfSize(quote), ...(quote.basis !== undefined && figuresOfFill(quote, quote.basis)) };
}
