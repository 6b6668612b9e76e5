import type { PublicTokenKey, TokenKeys } from './tokenKeys.ts';

/** Time for which a verifier may use the published keys without reading them again. */
export const publishedAgeSeconds = 60;
/** Pause of common libraries between two readings of published keys. */
const libraryPauseSeconds = 30;
/**
 * Time during which a new key only verifies. By then every process of the service and every verifier knows the key, and
 * none refuses a token that was signed with it.
 */
const settleMs = (publishedAgeSeconds + libraryPauseSeconds) * 1_000;

/**
 * The token keys of a running process, replaced without a restart. A new first key signs once all processes must have
 * read it; at once, where the key that signed before is no longer in the set (it leaked).
 */
export class TokenKeyRing implements TokenKeys {
  readonly #nowMs: () => number;
  #keys: TokenKeys;
  /** The key that signs until the first key of the set has settled. */
  #settled: TokenKeys['signing'];
  #signsFromMs: number;

  /** `nowMs` may start anywhere, but never runs backwards. */
  constructor(keys: TokenKeys, nowMs: () => number = () => performance.now()) {
    this.#keys = keys;
    this.#settled = keys.signing;
    this.#signsFromMs = nowMs();
    this.#nowMs = nowMs;
  }

  get signing(): TokenKeys['signing'] {
    const isSettled = this.#nowMs() >= this.#signsFromMs;
    return isSettled || !this.#keys.verifying.has(this.#settled.kid) ? this.#keys.signing : this.#settled;
  }

  get verifying(): TokenKeys['verifying'] {
    return this.#keys.verifying;
  }

  get published(): readonly PublicTokenKey[] {
    return this.#keys.published;
  }

  /** Replace the key set. */
  replace(keys: TokenKeys): void {
    if (keys.signing.kid !== this.#keys.signing.kid) {
      this.#settled = this.signing;
      this.#signsFromMs = this.#nowMs() + settleMs;
    }
    this.#keys = keys;
  }
}
