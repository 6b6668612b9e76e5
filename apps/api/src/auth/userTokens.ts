import type { Environment } from '@core/store';
import type { Clock } from '@core/venue';
import { type CryptoKey, errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { TokenKeys } from './tokenKeys.ts';

/** Specification, Authentication 4: one hour after creation. */
export const tokenLifetimeMs = 3_600_000;

/** Whom a token speaks for: one wallet of one partner. */
export interface TokenSubject {
  readonly partnerId: string;
  /** Canonical spelling. */
  readonly walletAddress: string;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

const claims = z.object({ sub: z.string().min(1), partner_id: z.string().min(1) });
const issuer = 'leveraged-prediction-markets';

/**
 * User tokens: JWTs signed with Ed25519, bound to a wallet, a partner and an environment (the audience). They live on
 * the service clock, so moving that clock by an hour expires them.
 */
export class UserTokens {
  readonly #keys: TokenKeys;
  readonly #environment: Environment;
  readonly #clock: Clock;

  constructor(options: { keys: TokenKeys; environment: Environment; clock: Clock }) {
    this.#keys = options.keys;
    this.#environment = options.environment;
    this.#clock = options.clock;
  }

  async issue(subject: TokenSubject): Promise<IssuedToken> {
    const issuedAtSeconds = Math.floor(this.#clock.nowMs() / 1_000);
    const expiresAtSeconds = issuedAtSeconds + tokenLifetimeMs / 1_000;
    const { kid, key } = this.#keys.signing;
    const token = await new SignJWT({ partner_id: subject.partnerId })
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(this.#environment)
      .setSubject(subject.walletAddress)
      .setIssuedAt(issuedAtSeconds)
      .setExpirationTime(expiresAtSeconds)
      .sign(key);
    return { token, expiresAtMs: expiresAtSeconds * 1_000 };
  }

  /** The subject of a valid token; null for every other text, whatever is wrong with it. */
  async verify(token: string): Promise<TokenSubject | null> {
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.#keyOf(kid), {
        algorithms: ['EdDSA'],
        issuer,
        audience: this.#environment,
        currentDate: new Date(this.#clock.nowMs()),
        requiredClaims: ['exp', 'iat', 'sub'],
        typ: 'JWT',
      });
      const parsed = claims.safeParse(payload);
      return parsed.success ? { partnerId: parsed.data.partner_id, walletAddress: parsed.data.sub } : null;
    } catch (cause) {
      if (cause instanceof errors.JOSEError || cause instanceof TypeError) return null;
      throw cause;
    }
  }

  #keyOf(kid: string | undefined): CryptoKey {
    const key = kid === undefined ? undefined : this.#keys.verifying.get(kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}
