import type { Token } from '../generated/resources.ts';
import type { Surroundings } from './surroundings.ts';

/** A token as a caller has it: the text, the answer of `tokens.create`, or a way to get a fresh one. */
export type TokenSource = string | Token | (() => Promise<Token>);

/** The credential of a caller. */
export interface Credential {
  /** The Authorization text; null for a caller without a credential. */
  authorization(): Promise<string | null>;
  /** A token that is not the one in use, or null where none can be had. */
  renewed(): Promise<string | null>;
  /** The service has refused this Authorization text: true when the next one is another. */
  refused(authorization: string | null): boolean;
  /** The bare token, for subprotocols; null for a key. */
  token(): Promise<string | null>;
}

/** A caller without a credential: contract information only. */
export const noCredential: Credential = {
  authorization: async () => null,
  renewed: async () => null,
  refused: () => false,
  token: async () => null,
};

/** A partner's key. It never expires and belongs on servers. */
export function keyCredential(apiKey: string): Credential {
  return { ...noCredential, authorization: async () => `Api-Key ${apiKey}` };
}

/** A token is replaced this long before it expires. */
const renewalMs = 60_000;

/** A user's token; one that can be renewed is renewed before it expires, by one request at a time. */
export function tokenCredential(source: TokenSource, { nowMs }: Pick<Surroundings, 'nowMs'>): Credential {
  if (typeof source !== 'function') {
    const token = typeof source === 'string' ? source : source.token;
    return { ...noCredential, authorization: async () => `Bearer ${token}`, token: async () => token };
  }
  let held: Promise<Token> | null = null;
  /** The newest Authorization text: one before it may be refused late, and is no longer held. */
  let used = '';
  const renew = (): Promise<Token> => {
    const asked = source();
    held = asked;
    // A failure is the caller's to see, and the next call asks again.
    asked.catch(() => {
      if (held === asked) held = null;
    });
    return asked;
  };
  const current = async (): Promise<string> => {
    const token = await (held ?? renew());
    if (Date.parse(token.expires_at) - nowMs() > renewalMs) return token.token;
    return (await renew()).token;
  };
  return {
    authorization: async () => {
      used = `Bearer ${await current()}`;
      return used;
    },
    renewed: async () => (await renew()).token,
    // This host's clock may lag behind the service's, by which a token expires; and a token may be revoked.
    refused: (authorization) => {
      if (authorization === used) held = null;
      return true;
    },
    token: current,
  };
}
