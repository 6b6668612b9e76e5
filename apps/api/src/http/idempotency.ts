import { createHash } from 'node:crypto';
import { type Rejection, reject } from '@core/errors';
import type { IdempotencyStore } from '@core/store';
import type { RouteName } from '@core/wire';
import type { Request, Response } from 'express';
import type { Caller, Identity } from '../auth/authenticate.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import { type BoundKey, invalidRequest, type Refusal } from './call.ts';
import { sendJson, sendRejection } from './respond.ts';

/** Longest accepted Idempotency-Key. */
const maxKeyLength = 255;

/** State of the request's key. */
type IdempotencyState =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'started' } & BoundKey)
  | { readonly kind: 'replay'; readonly status: number; readonly body: string }
  | Rejection
  | Refusal;

/**
 * Claim the Idempotency-Key of a POST, null without one. A replay or a conflict is answered at once, before anything
 * more is charged.
 */
export async function claimKey(
  idempotency: IdempotencyStore,
  { request, response }: { readonly request: Request; readonly response: Response },
  call: { readonly name: RouteName; readonly identity: Identity; readonly body: Buffer; readonly nowMs: number },
): Promise<BoundKey | null | 'answered'> {
  const { identity, ...rest } = call;
  if (request.method !== 'POST' || identity.kind === 'none') return null;
  const state = await begin(idempotency, { ...rest, request, caller: identity });
  switch (state.kind) {
    case 'none':
      return null;
    case 'started':
      return { scope: state.scope, key: state.key, requestHash: state.requestHash };
    case 'replay':
      response.set('Idempotent-Replayed', 'true');
      sendJson(response, state.status, state.body);
      return 'answered';
    case 'rejection':
    case 'refusal':
      sendRejection(response, state);
      return 'answered';
  }
}

/** A refusal or a failure keeps nothing: the same key may be used again at once. */
export async function releaseKey(idempotency: IdempotencyStore, bound: BoundKey | null): Promise<void> {
  if (bound !== null) await idempotency.abandon(bound.scope, bound.key);
}

/** Store a successful answer for replay. Answers of /tokens are live credentials and are never stored. */
export async function keepAnswer(
  idempotency: IdempotencyStore,
  bound: BoundKey | null,
  answered: { readonly name: RouteName; readonly status: number; readonly json: string },
): Promise<void> {
  if (bound === null) return;
  if (answered.name === 'createToken') return releaseKey(idempotency, bound);
  await idempotency.complete({
    scope: bound.scope,
    key: bound.key,
    responseStatus: answered.status,
    responseBody: answered.json,
  });
}

/**
 * Return the Idempotency-Key of a POST with its scope and request; null without one, a refusal when it has the wrong
 * length.
 */
export function boundKeyOf(
  request: Request,
  call: { readonly name: RouteName; readonly caller: Caller; readonly body: Buffer },
): BoundKey | null | Refusal {
  const key = request.get('idempotency-key');
  if (key === undefined) return null;
  if (key === '' || key.length > maxKeyLength) {
    return invalidRequest('Idempotency-Key', `must have 1 to ${maxKeyLength} characters`);
  }
  const { caller } = call;
  const wallet = caller.kind === 'user' ? storedWalletAddressOf(caller.wallet) : '';
  const requestHash = createHash('sha256').update(request.originalUrl).update('\n').update(call.body).digest('hex');
  return { scope: `${caller.partner.id}:${wallet}:${call.name}`, key, requestHash };
}

async function begin(
  idempotency: IdempotencyStore,
  call: { request: Request; name: RouteName; caller: Caller; body: Buffer; nowMs: number },
): Promise<IdempotencyState> {
  const bound = boundKeyOf(call.request, call);
  if (bound === null) return { kind: 'none' };
  if ('kind' in bound) return bound;
  const { scope, key, requestHash } = bound;
  const start = await idempotency.begin({ scope, key, requestHash, nowMs: call.nowMs });
  switch (start.kind) {
    case 'started':
      return { kind: 'started', scope, key, requestHash };
    case 'replay':
      return { kind: 'replay', status: start.responseStatus, body: start.responseBody };
    case 'in_progress':
      return reject('request_already_in_progress');
    case 'reused':
      return reject('idempotency_key_reused');
  }
}
