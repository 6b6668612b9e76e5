import { InputError } from '../errors/inputError.ts';
import type { Token } from '../generated/resources.ts';
import type { Surroundings } from './surroundings.ts';

/** Token of a user: the text, the response of `tokens.create`, or a function that returns a new one. */
export type TokenSource = string | Token | (() => Promise<Token>);

/** Credential of a caller. */
export interface Credential {
  /** Return the Authorization header; null without a credential. */
  authorization(): Promise<string | null>;
  /** Return a token other than the current one, or null when none is available. */
  renewed(): Promise<string | null>;
  /** Report a refused Authorization header: true when the next one differs. */
  refused(authorization: string | null): boolean;
}

/** Credential of an anonymous caller, for contract information only. */
export const noCredential: Credential = {
  authorization: async () => null,
  renewed: async () => null,
  refused: () => false,
};

/** Build the credential of a partner's key. It never expires and belongs on servers. */
export function keyCredential(apiKey: string): Credential {
  return { ...noCredential, authorization: async () => `Api-Key ${apiKey}` };
}

/** Time before expiry at which a token is renewed. */
const renewalMs = 60_000;
/** Window in which streams share one new token: the service warns all of them within this time. */
const recentMs = 10_000;

/** Pending or finished renewal of a token. */
interface Renewal {
  readonly token: Promise<Token>;
  readonly askedAtMs: number;
  /** Authorization header, once it is available. */
  authorization: string | null;
  /** Time of its renewal; infinite for a token that is old by the host's clock when it is given, until its refusal. */
  freshUntilMs: number;
}

/**
 * Build the credential of a user's token. A renewable token is renewed before it expires, by one request for all
 * concurrent calls.
 */
export function tokenCredential(
  source: TokenSource,
  { nowMs, monotonicMs }: Pick<Surroundings, 'nowMs' | 'monotonicMs'>,
): Credential {
  if (typeof source !== 'function') {
    const token: unknown = typeof source === 'string' ? source : Object(source).token;
    if (typeof token !== 'string' || token === '') {
      throw new InputError('asUser', source, 'Give a token, or a function that returns one.');
    }
    return { ...noCredential, authorization: async () => `Bearer ${token}` };
  }
  let newest: Renewal | null = null;
  const renew = (): Renewal => {
    const renewal: Renewal = {
      token: tokenOf(source),
      askedAtMs: monotonicMs(),
      authorization: null,
      freshUntilMs: Number.POSITIVE_INFINITY,
    };
    newest = renewal;
    renewal.token.then(
      ({ token, expires_at: expiresAt }) => {
        renewal.authorization = `Bearer ${token}`;
        const freshMs = Date.parse(expiresAt) - nowMs() - renewalMs;
        if (freshMs > 0) renewal.freshUntilMs = monotonicMs() + freshMs;
        return renewal;
      },
      // The caller gets the error, and the next call asks again.
      () => {
        if (newest === renewal) newest = null;
      },
    );
    return renewal;
  };
  const current = async (): Promise<string> => {
    const renewal = newest ?? renew();
    const { token } = await renewal.token;
    if (monotonicMs() < renewal.freshUntilMs) return token;
    // The first call that finds it old requests another; the others wait for it.
    return (await (newest === renewal ? renew() : (newest ?? renew())).token).token;
  };
  return {
    authorization: async () => `Bearer ${await current()}`,
    renewed: async () => {
      const isRecent = newest !== null && monotonicMs() - newest.askedAtMs < recentMs;
      return (await (isRecent && newest !== null ? newest : renew()).token).token;
    },
    // The host's clock may lag behind the service's, and a token may be revoked. The refusal of an older header may
    // arrive late; the next header already differs.
    refused: (authorization) => {
      if (newest?.authorization === authorization) newest = null;
      return true;
    },
  };
}

/**
 * Call a token source.
 *
 * @throws InputError when the source returns anything but a token.
 */
async function tokenOf(source: () => Promise<Token>): Promise<Token> {
  // A source without types may return anything.
  const token = await source();
  if (typeof Object(token).token === 'string' && typeof Object(token).expires_at === 'string') return token;
  throw new InputError('asUser', token, '`asUser` must return the answer of `tokens.create`');
}
