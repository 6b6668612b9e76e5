/** Part of the world that failed. */
export type FaultOrigin = 'chain' | 'store' | 'venue' | 'reference' | 'signer' | 'clock' | 'configuration';

/**
 * What follows from the failure.
 * `retryable`: the same effect may be tried again. `terminal`: it will never succeed (the business refunds).
 * `frozen`: a person decides; the subject is left alone and an alert is raised.
 */
export type FaultKind = 'retryable' | 'terminal' | 'frozen';

/** The world failed: RPC, Postgres, venue. Thrown by an effect with its `cause`, caught in exactly two places. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly origin: FaultOrigin;
  readonly kind: FaultKind;

  constructor(details: { origin: FaultOrigin; kind: FaultKind; message: string; cause?: unknown }) {
    super(details.message, 'cause' in details ? { cause: details.cause } : {});
    this.origin = details.origin;
    this.kind = details.kind;
  }

  /** True when the same effect may be tried again. */
  get retryable(): boolean {
    return this.kind === 'retryable';
  }
}
