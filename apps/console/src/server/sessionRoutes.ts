import { randomBytes } from 'node:crypto';
import type { Lev, Token } from '@core/sdk';
import { getAddress } from 'viem';
import { z } from 'zod';
import type { Sessions } from './sessions.ts';
import { ChainUnavailableError } from './signatures.ts';

/** Parts of a request that the session routes use. */
export interface SessionRequest {
  readonly method: string;
  readonly path: string;
  readonly origin: string | null;
  readonly host: string;
  /** Secret of the session cookie, or null. */
  readonly secret: string | null;
  readonly body: unknown;
}

export interface SessionResponse {
  readonly status: number;
  readonly body: object;
  /** Secret to set in the cookie; null deletes the cookie. */
  readonly cookie?: string | null;
}

interface SessionParts {
  readonly sessions: Sessions;
  readonly tokens: Pick<Lev, 'tokens'>['tokens'];
  /** Origins whose pages may send requests. */
  readonly origins: readonly string[];
  readonly nowMs: () => number;
}

/** A third of the partner's limit of tokens, so that visitors cannot exhaust the tokens of users. */
export const visitorTokensPerMinute = 600;

/** Return a limiter that allows `limit` calls in each minute, counted from the first call of that minute. */
function perMinute(limit: number, nowMs: () => number): () => boolean {
  let window = { endsAtMs: 0, remaining: 0 };
  return () => {
    if (nowMs() >= window.endsAtMs) window = { endsAtMs: nowMs() + 60_000, remaining: limit };
    window.remaining -= 1;
    return window.remaining >= 0;
  };
}

const hexOf = (digits: string) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]${digits}$`))
    .transform((text): `0x${string}` => `0x${text.slice(2)}`);
/** Maximum signature length in hex digits. ERC-6492 signatures contain deployment code; a body has at most 4 KiB. */
const maxSignatureDigits = 3_600;
const challengeBody = z.object({ address: hexOf('{40}') });
const openBody = z.object({ nonce: z.string().max(100), signature: hexOf(`{2,${maxSignatureDigits}}`) });

const refusal = (status: number, message: string): SessionResponse => ({ status, body: { message } });

/**
 * Build the handler of `/session…`, which issues tokens to pages. A user who has signed a challenge gets tokens of
 * their wallet. A visitor gets tokens of an address without a key, which can only read.
 */
export function sessionHandler({ sessions, tokens, origins, nowMs }: SessionParts) {
  const mayVisit = perMinute(visitorTokensPerMinute, nowMs);
  const visitor = (): Promise<Token> => tokens.create({ wallet_address: `0x${randomBytes(20).toString('hex')}` });
  const openSession = async ({ nonce, signature }: z.infer<typeof openBody>) => {
    try {
      return await sessions.open(nonce, signature);
    } catch (error) {
      if (error instanceof ChainUnavailableError) return 'chain_unavailable';
      throw error;
    }
  };
  return async (request: SessionRequest): Promise<SessionResponse> => {
    const { method, path, origin, body, secret } = request;
    if (method === 'GET' && path === '/session') return { status: 200, body: { address: sessions.addressOf(secret) } };
    if (method !== 'POST') return refusal(405, 'use GET /session, or POST to one of its routes');
    if (origin === null || !origins.includes(origin))
      return refusal(403, 'sessions are available to pages of this site only');
    if (path === '/session/token') {
      const address = sessions.addressOf(secret);
      if (address === null && !mayVisit()) return refusal(429, 'too many visitors: try again in a minute');
      const token = await (address === null ? visitor() : tokens.create({ wallet_address: address }));
      // The page names the wallet: without a session it must not mistake a visitor's token for its own.
      return { status: 201, body: { ...token, address } };
    }
    if (path === '/session/end') {
      sessions.close(secret);
      return { status: 200, body: { address: null }, cookie: null };
    }
    if (path === '/session/challenge') {
      const challengeRequest = challengeBody.safeParse(body);
      if (!challengeRequest.success) return refusal(400, 'address: must be an EVM address');
      return { status: 201, body: sessions.challenge(getAddress(challengeRequest.data.address), request.host) };
    }
    if (path !== '/session') return refusal(404, 'route not found');
    const openRequest = openBody.safeParse(body);
    if (!openRequest.success) return refusal(400, 'nonce and signature of the challenge are required');
    const newSession = await openSession(openRequest.data);
    if (newSession === 'chain_unavailable') return refusal(503, 'The chain does not respond. Try again in a moment.');
    if (newSession === null) {
      return refusal(401, 'The challenge expired, or another wallet signed it. Request a new one and sign again.');
    }
    return { status: 201, body: { address: newSession.address }, cookie: newSession.secret };
  };
}
