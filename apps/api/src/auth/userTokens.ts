import type { Clock } from '@core/runtime';
import type { Environment } from '@core/store';
import { type CryptoKey, decodeJwt, errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { CredentialFault } from './credentialFault.ts';
import type { TokenKeys } from './tokenKeys.ts';

/** Specification, Authentication 4: one hour after creation. */
export const tokenLifetimeMs = 3_600_000;

/** Whom a token speaks for: one wallet of one partner. */
export interface TokenSubject {
  readonly partnerId: string;
  /** Canonical spelling. */
  readonly walletAddress: string;
}

/** A token whose signature was verified. */
export interface VerifiedToken extends TokenSubject {
  readonly kid: string;
  /** On the service clock. */
  readonly expiresAtMs: number;
}

type TokenFault = Extract<CredentialFault, 'malformed' | 'unknown' | 'expired' | 'other_environment'>;

const isEnvironment = (audience: unknown): audience is Environment =>
  audience === 'sandbox' || audience === 'production';

export interface IssuedToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

const claims = z.object({ sub: z.string().min(1), partner_id: z.string().min(1), exp: z.number() });
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

  /** True while a verified token may still be used: its hour is not over and its key not withdrawn. */
  isCurrent({ kid, expiresAtMs }: VerifiedToken): boolean {
    return this.#clock.nowMs() < expiresAtMs && this.#keys.verifying.has(kid);
  }

  /**
   * Return the claims of a valid token, or the fault of any other text. Claims are read after the signature is
   * verified.
   */
  async verify(token: string): Promise<VerifiedToken | TokenFault> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => this.#keyOf(kid), {
        algorithms: ['EdDSA'],
        issuer,
        audience: this.#environment,
        currentDate: new Date(this.#clock.nowMs()),
        requiredClaims: ['exp', 'iat', 'sub'],
        typ: 'JWT',
      });
      const parsed = claims.safeParse(payload);
      const { kid } = protectedHeader;
      if (!parsed.success || kid === undefined) return 'unknown';
      const { partner_id: partnerId, sub: walletAddress, exp } = parsed.data;
      return { partnerId, walletAddress, kid, expiresAtMs: exp * 1_000 };
    } catch (cause) {
      if (cause instanceof errors.JWTExpired) return 'expired';
      if (cause instanceof errors.JOSEError || cause instanceof TypeError) return this.#faultOf(token);
      throw cause;
    }
  }

  /** A token that is not ours may say by itself that it is meant for the other environment. */
  #faultOf(token: string): TokenFault {
    try {
      const { aud } = decodeJwt(token);
      return isEnvironment(aud) && aud !== this.#environment ? 'other_environment' : 'unknown';
    } catch (cause) {
      if (cause instanceof errors.JOSEError || cause instanceof TypeError) return 'malformed';
      throw cause;
    }
  }

  #keyOf(kid: string | undefined): CryptoKey {
    const key = kid === undefined ? undefined : this.#keys.verifying.get(kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}
