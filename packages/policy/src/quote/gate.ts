import type { ErrorCode, Rejection } from '@core/errors';
import type { QuoteContext } from './quoteContext.ts';

/**
 * One check of a quote, as data. `needs` says what it reads: `service` the switches, `request` what the caller sent,
 * `market` the observed market (these also decide eligibility), `size` the ladder's answer, `usage` the caps (skipped
 * for drafts). The first refusal wins; the order of `quoteGates` is the documented precedence.
 */
export interface Gate {
  readonly name: string;
  readonly needs: 'service' | 'request' | 'market' | 'size' | 'usage';
  /** Codes the gate may refuse with. */
  readonly codes: readonly ErrorCode[];
  readonly check: (context: QuoteContext) => Rejection | null;
}
