import type { LimitState, LimitStore } from '@core/store';
import { type RouteThrottle, type Throttle, throttles } from '@core/wire';
import type { Identity } from '../auth/caller.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';

/** One charge: which bucket, whose, how large. */
export interface Charge {
  readonly name: string;
  readonly subject: string;
  readonly throttle: Throttle;
}

/** The bucket every request of this caller is charged to. `POST /tokens` has a larger one in its place. */
export function standardChargeOf(caller: {
  readonly identity: Identity;
  readonly remoteAddress: string;
  readonly throttle: RouteThrottle;
}): Charge {
  const { identity, remoteAddress, throttle } = caller;
  switch (identity.kind) {
    case 'none':
      return { name: 'address', subject: remoteAddress, throttle: throttles.address };
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

/** Takes one point from a bucket that all processes share. */
export function consume(limits: LimitStore, charge: Charge): Promise<LimitState> {
  const { name, subject, throttle } = charge;
  return limits.consume({ name, points: throttle.requests, windowMs: throttle.windowSeconds * 1_000 }, subject);
}

/** The state that is shown: the bucket that refused, else the one with the smallest share left. */
export function shownStateOf(states: readonly LimitState[]): LimitState | null {
  const refused = states.find((state) => !state.allowed);
  if (refused !== undefined) return refused;
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
