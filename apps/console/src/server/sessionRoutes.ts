import { randomBytes } from 'node:crypto';
import type { Lev, Token } from '@core/sdk';
import { getAddress } from 'viem';
import { z } from 'zod';
import type { Sessions } from './sessions.ts';

/** A request about a session, as far as it matters here. */
export interface SessionRequest {
  readonly method: string;
  readonly path: string;
  readonly origin: string | null;
  readonly host: string;
  /** Secret of the cookie, or null. */
  readonly secret: string | null;
  readonly body: unknown;
}

export interface SessionAnswer {
  readonly status: number;
  readonly body: object;
  /** Secret to keep in the cookie; null ends it. */
  readonly cookie?: string | null;
}

interface SessionParts {
  readonly sessions: Sessions;
  readonly tokens: Pick<Lev, 'tokens'>['tokens'];
  /** Origins whose pages may ask. */
  readonly origins: readonly string[];
  readonly nowMs: () => number;
}

/** A third of what the service gives a partner: however many look on, users get theirs. */
export const visitorTokensPerMinute = 600;

/** True as often as `limit` in each minute that begins with a call. */
function perMinute(limit: number, nowMs: () => number): () => boolean {
  let window = { endsAtMs: 0, left: 0 };
  return () => {
    if (nowMs() >= window.endsAtMs) window = { endsAtMs: nowMs() + 60_000, left: limit };
    window.left -= 1;
    return window.left >= 0;
  };
}

const hexOf = (digits: string) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]${digits}$`))
    .transform((text) => text as `0x${string}`);
const challengeBody = z.object({ address: hexOf('{40}') });
const openBody = z.object({ nonce: z.string().max(100), signature: hexOf('{2,1000}') });

const refusal = (status: number, message: string): SessionAnswer => ({ status, body: { message } });

/**
 * Answers `/session…`: the page's way to a user's token. A user who has signed a challenge gets tokens of their
 * wallet; a visitor gets those of an address that has no key, good for looking and nothing else.
 */
export function sessionAnswerer({ sessions, tokens, origins, nowMs }: SessionParts) {
  const mayVisit = perMinute(visitorTokensPerMinute, nowMs);
  const visitor = (): Promise<Token> => tokens.create({ wallet_address: `0x${randomBytes(20).toString('hex')}` });
  return async (request: SessionRequest): Promise<SessionAnswer> => {
    const { method, path, origin, body, secret } = request;
    if (method === 'GET' && path === '/session') return { status: 200, body: { address: sessions.addressOf(secret) } };
    if (method !== 'POST') return refusal(405, 'use GET /session, or POST to one of its routes');
    if (origin === null || !origins.includes(origin)) return refusal(403, 'sessions are for pages of this site');
    if (path === '/session/token') {
      const address = sessions.addressOf(secret);
      if (address === null && !mayVisit()) return refusal(429, 'too many visitors: try again in a minute');
      const token = await (address === null ? visitor() : tokens.create({ wallet_address: address }));
      // The wallet is named: a page whose session has ended must not take a visitor's token for its own.
      return { status: 201, body: { ...token, address } };
    }
    if (path === '/session/end') {
      sessions.close(secret);
      return { status: 200, body: { address: null }, cookie: null };
    }
    if (path === '/session/challenge') {
      const asked = challengeBody.safeParse(body);
      if (!asked.success) return refusal(400, 'address: give an EVM address');
      return { status: 201, body: sessions.challenge(getAddress(asked.data.address), request.host) };
    }
    if (path !== '/session') return refusal(404, 'there is no such route');
    const given = openBody.safeParse(body);
    if (!given.success) return refusal(400, 'give the nonce of the challenge and its signature');
    const opened = await sessions.open(given.data.nonce, given.data.signature);
    if (opened === null)
      return refusal(401, 'the challenge is over, or another wallet has signed it: ask for a new one');
    return { status: 201, body: { address: opened.address }, cookie: opened.secret };
  };
}
