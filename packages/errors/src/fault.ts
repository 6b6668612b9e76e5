/** External dependency that failed. */
export type FaultOrigin = 'chain' | 'store' | 'venue' | 'reference' | 'signer' | 'clock' | 'configuration';

/**
 * Consequence of a fault.
 * - `retryable`: the same effect may be tried again.
 * - `terminal`: the effect will never succeed, and the business refunds.
 * - `frozen`: an operator decides; the subject is left alone and an alert is raised.
 */
export type FaultKind = 'retryable' | 'terminal' | 'frozen';

/**
 * Failure of an external dependency such as an RPC node, PostgreSQL or the venue. Effects throw it with its `cause`.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly origin: FaultOrigin;
  readonly kind: FaultKind;

  constructor(details: { origin: FaultOrigin; kind: FaultKind; message: string; cause?: unknown }) {
    super(details.message, 'cause' in details ? { cause: details.cause } : {});
    this.origin = details.origin;
    this.kind = details.kind;
  }

  /** Return true when the same effect may be tried again. */
  get retryable(): boolean {
    return this.kind === 'retryable';
  }
}
