import type { LimitBucket, LimitState, LimitStore, StatementCharge } from '@core/store';
import { type RouteThrottle, type Throttle, throttles } from '@core/wire';
import type { Request, Response } from 'express';
import type { Identity } from '../auth/authenticate.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import { isProxyOf, subjectBehind } from './remoteAddress.ts';

/** One charge: which bucket, whose, how large. */
export interface Charge {
  readonly name: string;
  readonly subject: string;
  readonly throttle: Throttle;
}

/** Return the subject of the limits per address that a request counts under. */
export function addressOf(request: Request): string {
  return subjectBehind(request, isProxyOf(request.app));
}

/** The bucket of requests without an accepted credential. */
export function addressChargeOf(remoteAddress: string): Charge {
  return { name: 'address', subject: remoteAddress, throttle: throttles.address };
}

/** Tokens of an address that may fail before no new one is verified: a tenth of a percent of a core a minute. */
const failedTokens: Throttle = { requests: 600, windowSeconds: 60 };

/**
 * The bucket of credentials from an address that were not accepted; an empty one keeps new ones of the same kind from
 * being verified. A token takes a tenth of a millisecond to verify and users share addresses, so its bucket is large.
 * A key takes a statement of the database and comes from a back end, so its bucket is that of strangers, and failed
 * tokens count there too.
 */
export function failedCredentialChargesOf(remoteAddress: string): { readonly token: Charge; readonly key: Charge } {
  return {
    token: { name: 'token', subject: remoteAddress, throttle: failedTokens },
    key: { name: 'credential', subject: remoteAddress, throttle: throttles.address },
  };
}

/** The bucket every request of this caller is charged to. `POST /tokens` has a larger one in its place. */
export function standardChargeOf(caller: {
  readonly identity: Identity;
  /** Asked for strangers only: behind proxies it takes some reading. */
  readonly remoteAddress: () => string;
  readonly throttle: RouteThrottle;
}): Charge {
  const { identity, remoteAddress, throttle } = caller;
  switch (identity.kind) {
    case 'none':
      return addressChargeOf(remoteAddress());
    case 'partner':
      return throttle === 'tokens'
        ? { name: 'tokens', subject: identity.partner.id, throttle: throttles.tokens }
        : { name: 'partner', subject: identity.partner.id, throttle: throttles.partner };
    case 'user':
      return { name: 'wallet', subject: walletSubjectOf(identity), throttle: throttles.wallet };
  }
}

/** The second, stricter bucket of a route, or null. */
export function routeChargeOf(identity: Identity, throttle: RouteThrottle): Charge | null {
  if (identity.kind === 'none' || (throttle !== 'quoteCreation' && throttle !== 'sampleEvents')) return null;
  const subject = identity.kind === 'user' ? walletSubjectOf(identity) : identity.partner.id;
  return { name: throttle, subject, throttle: throttles[throttle] };
}

function walletSubjectOf(identity: Extract<Identity, { kind: 'user' }>): string {
  return `${identity.partner.id}:${storedWalletAddressOf(identity.wallet)}`;
}

export function bucketOf({ name, throttle }: Charge): LimitBucket {
  return { name, points: throttle.requests, windowMs: throttle.windowSeconds * 1_000 };
}

/** The state that is shown: the bucket that refused, else the one with the smallest share left. */
export function shownStateOf(states: readonly LimitState[]): LimitState | null {
  const refusal = states.find((state) => !state.allowed);
  if (refusal !== undefined) return refusal;
  const byShare = [...states].sort((a, b) => a.remaining * b.limit - b.remaining * a.limit);
  return byShare[0] ?? null;
}

/** Rate headers of a response; seconds, rounded up so that waiting that long is enough. */
export function rateHeadersOf(states: readonly LimitState[]): Readonly<Record<string, string>> {
  const state = shownStateOf(states);
  if (state === null) return {};
  const resetSeconds = String(Math.max(0, Math.ceil(state.resetMs / 1_000)));
  return {
    'X-RateLimit-Limit': String(state.limit),
    'X-RateLimit-Remaining': String(state.remaining),
    'X-RateLimit-Reset': resetSeconds,
    ...(!state.allowed && { 'Retry-After': resetSeconds === '0' ? '1' : resetSeconds }),
  };
}

/** The buckets of one request; every charge updates the headers, so that any later answer carries them. */
export class Charges {
  readonly #limits: LimitStore;
  readonly #response: Response;
  readonly #states: LimitState[] = [];

  constructor(limits: LimitStore, response: Response) {
    this.#limits = limits;
    this.#response = response;
  }

  /** False when the bucket is empty. */
  async take(charge: Charge): Promise<boolean> {
    const state = await this.#limits.consume(bucketOf(charge), charge.subject);
    this.show([state]);
    return state.allowed;
  }

  /** True when the bucket is known to be empty without asking anyone. */
  isKnownEmpty(charge: Charge): boolean {
    const state = this.#limits.refusalOf(bucketOf(charge), charge.subject);
    if (state !== null) this.show([state]);
    return state !== null;
  }

  /** The charge as part of a statement that takes it along; null where buckets are counted elsewhere. */
  statementOf(charge: Charge): StatementCharge | null {
    return this.#limits.chargeOf(bucketOf(charge), charge.subject);
  }

  /** Record states that were charged elsewhere. */
  show(states: readonly LimitState[]): void {
    this.#states.push(...states);
    this.#response.set(rateHeadersOf(this.#states));
  }
}
