import { RecentMap } from '@core/runtime';
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
 * Who is calling, by the Authorization header. A credential that was accepted is remembered: a token's signature is
 * verified once, and what may change meanwhile (its expiry, its key, the partner's terms, a key that was revoked) is
 * looked at again at least twice a second. What is not accepted is not remembered, and the memory is bounded.
 */
export class CallerDirectory {
  readonly #credentials: Credentials;
  /** By their last acceptance. */
  readonly #known = new RecentMap<string, Known>(maxRemembered);

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /** The caller without a wait; null when the credential has to be looked at. */
  peek(authorization: string | undefined): Known['identity'] | null {
    const known = authorization === undefined ? undefined : this.#known.get(authorization);
    if (known === undefined || performance.now() - known.checkedAt >= freshMs) return null;
    return isStillValid(known.identity, this.#credentials) ? known.identity : null;
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
