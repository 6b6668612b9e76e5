/** Nonces of one signer: used on chain, and assigned by the store. */
export interface SignerNonces {
  /** Transactions of the signer in the chain's last block and before. */
  readonly chainNonce: number;
  /** First unassigned nonce. */
  readonly nextNonce: number;
}

/** Age after which an observation is ignored: the chain is unreachable, or another process uses the key. */
const observationLifetimeMs = 10_000;

/** Time for which a signer has had waiting transactions and none was mined, and why a node refused one of them. */
export class NonceWatch {
  #last: { readonly chainNonce: number; readonly atMs: number } | null = null;
  #waitingSinceMs: number | null = null;
  #refusal: string | null = null;

  /** Record an observation. @param nowMs Monotonic. */
  observe({ chainNonce, nextNonce }: SignerNonces, nowMs: number): void {
    const hasMoved = chainNonce !== this.#last?.chainNonce;
    if (hasMoved || nextNonce <= chainNonce) this.#refusal = null;
    if (nextNonce <= chainNonce) this.#waitingSinceMs = null;
    else if (hasMoved || this.#waitingSinceMs === null) this.#waitingSinceMs = nowMs;
    this.#last = { chainNonce, atMs: nowMs };
  }

  /** Record the answer of a node that refused a transaction. It is the reason until one is mined. */
  refuse(refusal: string): void {
    this.#refusal = refusal;
  }

  /** Last refusal of a node while transactions wait; null without one. */
  refusal(nowMs: number): string | null {
    return this.ageMs(nowMs) > 0 ? this.#refusal : null;
  }

  /**
   * Milliseconds since the chain's nonce last moved while nonces wait for it; 0 while none does.
   * @param nowMs Monotonic.
   */
  ageMs(nowMs: number): number {
    const isKnown = this.#last !== null && nowMs - this.#last.atMs < observationLifetimeMs;
    return isKnown && this.#waitingSinceMs !== null ? nowMs - this.#waitingSinceMs : 0;
  }
}
