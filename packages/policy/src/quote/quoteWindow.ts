import type { PolicyConfig } from '../config.ts';

/** Lifetime of a quote issued at a moment, and of its reservation. */
export interface QuoteWindow {
  /** Unix seconds, as signed; the start of the window is rounded down to a second. */
  readonly signatureExpirySeconds: bigint;
  /** Epoch milliseconds: the expiry and the grace in which a block may still carry the transaction. */
  readonly releaseAtMs: number;
}

export function quoteWindowOf(nowMs: number, { quote }: Pick<PolicyConfig, 'quote'>): QuoteWindow {
  const expirySeconds = Math.floor(nowMs / 1_000) + quote.windowSeconds;
  return {
    signatureExpirySeconds: BigInt(expirySeconds),
    releaseAtMs: (expirySeconds + quote.graceSeconds) * 1_000,
  };
}

/** Epoch milliseconds at which a signature expires. */
export function quoteExpiryMsOf({ signatureExpirySeconds }: Pick<QuoteWindow, 'signatureExpirySeconds'>): number {
  return Number(signatureExpirySeconds) * 1_000;
}
