import { checkKnown } from '../errors/knownOptions.ts';
import type { Quote } from '../generated/resources.ts';
import type { QuoteCheck, QuoteExpectation } from './quoteCheck.ts';

/**
 * Verify a quote by the specification ("Verifying a quote signature"), and every figure besides the signed ones: chain,
 * vault and signer equal contract info, the signature over the 14 packed values recovers to the signer, and all derived
 * figures are recomputed. Figures of the fill need `expand=basis`, which this client always requests; without it they
 * are named in `unchecked`, and no opening is built. Needs viem.
 *
 * @throws InputError for an unknown expectation, which would check nothing.
 * @example
 * ```ts
 * const { verified } = await verifyQuote(quote, { account, contractInfo: await lev.contractInfo() });
 * ```
 */
export async function verifyQuote(quote: Quote, expectation: QuoteExpectation): Promise<QuoteCheck> {
  checkKnown('verifyQuote', expectation, { known: ['account', 'contractInfo', 'market', 'feeRates', 'slippageBps'] });
  const { checkQuote } = await import('./checkQuote.ts');
  return checkQuote(quote, expectation);
}
