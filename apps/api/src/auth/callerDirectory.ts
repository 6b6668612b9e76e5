import { LRUCache } from 'lru-cache';
import { type Credentials, type Identity, identify, isStillValid } from './authenticate.ts';
import type { VerifiedToken } from './userTokens.ts';

/** Credentials one process remembers. */
const maxRemembered = 50_000;
/** A credential that was accepted counts as accepted for this long without another look. */
const freshMs = 500;

interface Known {
  readonly identity: Exclude<Identity, { readonly kind: 'none' }>;
  checkedAt: number;
}

/**
 * Callers by their Authorization header. An accepted credential is cached: a token's signature is verified once. Its
 * expiry, its key, the partner's terms and revocations are checked again at least twice a second. Refused credentials
 * are not cached, and the cache is bounded.
 */
export class CallerDirectory {
  readonly #credentials: Credentials;
  /** By their last acceptance. */
  readonly #known = new LRUCache<string, Known>({ max: maxRemembered });

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /** The caller without a wait; null when the credential has to be verified. */
  peek(authorization: string | undefined): Known['identity'] | null {
    const cached = authorization === undefined ? undefined : this.#known.get(authorization);
    if (cached === undefined || performance.now() - cached.checkedAt >= freshMs) return null;
    return isStillValid(cached.identity, this.#credentials) ? cached.identity : null;
  }

  /** True when the credential was accepted before: looking at it again is no guess of a stranger. */
  isKnown(authorization: string | undefined): boolean {
    return authorization !== undefined && this.#known.has(authorization);
  }

  /** False as soon as a token that was accepted has run out or lost its key. */
  isCurrent(token: VerifiedToken): boolean {
    return this.#credentials.userTokens.isCurrent(token);
  }

  /** The caller, looked up where memory does not know. */
  async identify(authorization: string | undefined): Promise<Identity> {
    const identity = await identify(authorization, this.#credentials, this.#known.get(authorization ?? '')?.identity);
    if (authorization === undefined) return identity;
    if (identity.kind === 'none') this.#known.delete(authorization);
    else this.#known.set(authorization, { identity, checkedAt: performance.now() });
    return identity;
  }
}
