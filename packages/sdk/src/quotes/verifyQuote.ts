import { LevError } from '../errors/levError.ts';
import type { ContractInfo, Quote } from '../generated/resources.ts';
import { type Figures, figuresOfFill, figuresOfSize } from './derivedFigures.ts';
import { type Fact, type KnownTerms, partnerRatesOf, ratesOf } from './rateChecks.ts';

/** What the verifier knows from elsewhere: terms that are given are held against the quote's. */
export interface QuoteExpectation extends KnownTerms {
  /** The wallet that will send the opening. */
  readonly account: string;
  readonly contractInfo: ContractInfo;
}

/** Verified with the digest that was signed, or the first field that differs, by its name in the quote. */
export type QuoteCheck =
  | { readonly verified: true; readonly digest: string; readonly unchecked: readonly string[] }
  | { readonly verified: false; readonly field: string; readonly shown: unknown; readonly expected: unknown };

/** A quote is not what was signed, or its figures do not follow from what was signed. */
export class QuoteNotVerifiedError extends LevError {
  override readonly name = 'QuoteNotVerifiedError';
  readonly field: string;

  constructor(field: string) {
    super('quote_not_verified', `${field} of the quote is not what was signed or does not follow from it`);
    this.field = field;
  }
}

/**
 * Verifies a quote as the specification asks ("Verifying a quote signature"), and every figure beside the signed ones:
 * chain, vault and signer equal contract info, the signature over the 14 packed values recovers to the signer, and all
 * that can be computed from them is computed again. Figures of the fill need `expand=basis`, which this client always
 * asks for; without it they are named in `unchecked`. Needs viem.
 */
export async function verifyQuote(quote: Quote, expectation: QuoteExpectation): Promise<QuoteCheck> {
  const malformed = malformedFieldOf(quote);
  if (malformed !== null) return differs(quote, malformed, 'a whole number');
  const { checkSignature, signedFactsOf } = await import('./quoteSignature.ts');
  const signed = await checkSignature(quote, expectation);
  if (!signed.verified) return differs(quote, signed.field, signed.expected);
  const facts: readonly Fact[] = [
    ...ratesOf(quote, expectation),
    ...partnerRatesOf(quote),
    ...Object.entries(figuresOf(quote)),
    ...signedFactsOf(quote, expectation),
  ];
  const wrong = facts.find(([field, expected]) => !isSame(shownAt(quote, field), expected));
  if (wrong !== undefined) return differs(quote, wrong[0], wrong[1]);
  return { ...signed, unchecked: quote.basis === undefined ? ofTheFill : [] };
}

/** Figures that cannot be computed without the basis. */
const ofTheFill = [
  'entry_price_usd_pips',
  'current_liquidation_price_usd_pips',
  'expected_open_trading_fee_usdc_units',
  'min_expected_position_token_units',
  'max_gain',
  'transaction',
] as const;

function differs(quote: Quote, field: string, expected: unknown): QuoteCheck {
  return { verified: false, field, shown: shownAt(quote, field), expected };
}

/** Looks into the quote: `max_gain.net_max_gain_usd`, `transaction.data`. */
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

const wholeText = /^-?\d{1,18}$/;
const uint256Text = /^\d{1,78}$/;
const ofDigits = new Set(['position_seed', 'venue_token_id', 'signature_expiry', 'evm_chain_id']);

/** The first field whose form would not let a figure be computed; null when there is none. */
function malformedFieldOf(quote: Quote): string | null {
  const groups: readonly (readonly [string, object | undefined])[] = [
    ['', quote],
    ['max_gain.', quote.max_gain],
    ['basis.', quote.basis],
  ];
  for (const [prefix, group] of groups) {
    for (const [name, value] of Object.entries(group ?? {})) if (!isWellFormed(name, value)) return `${prefix}${name}`;
  }
  return null;
}

function isWellFormed(name: string, value: unknown): boolean {
  if (name.endsWith('_bps')) return Number.isSafeInteger(value);
  if (/_(?:usd_pips|usdc_units|token_units)$/.test(name)) return typeof value === 'string' && wholeText.test(value);
  return !ofDigits.has(name) || (typeof value === 'string' && uint256Text.test(value));
}

/** Every figure that can be computed, in the order in which the next is believed only when the last is right. */
function figuresOf(quote: Quote): Figures {
  return { ...figuresOfSize(quote), ...(quote.basis !== undefined && figuresOfFill(quote, quote.basis)) };
}
