import { type Credentials, type Identity, identify, isStillValid } from './authenticate.ts';

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
  /** In the order of their last acceptance, the oldest first. */
  readonly #known = new Map<string, Known>();

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

  /** The caller, looked up where memory does not know. */
  async identify(authorization: string | undefined): Promise<Identity> {
    const identity = await identify(authorization, this.#credentials, this.#known.get(authorization ?? '')?.identity);
    if (authorization === undefined) return identity;
    this.#known.delete(authorization);
    if (identity.kind === 'none') return identity;
    const [oldest] = this.#known.size >= maxRemembered ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(authorization, { identity, checkedAt: performance.now() });
    return identity;
  }
}
