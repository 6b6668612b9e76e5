import type { ContractInfo } from '../generated/resources.ts';
import type { KnownTerms } from './rateChecks.ts';

/** Values known to the verifier; those that are present are compared with the quote's. */
export interface QuoteExpectation extends KnownTerms {
  /** Wallet that will send the opening. */
  readonly account: string;
  readonly contractInfo: ContractInfo;
}

/** First field of a quote that differs, by its name in the quote. */
export interface QuoteDifference {
  readonly verified: false;
  readonly field: string;
  readonly shown: unknown;
  readonly expected: unknown;
}

/** Result of a verification: the signed digest, or the first field that differs. */
export type QuoteCheck =
  | { readonly verified: true; readonly digest: string; readonly unchecked: readonly string[] }
  | QuoteDifference;
