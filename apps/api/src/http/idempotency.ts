import { createHash } from 'node:crypto';
import { type Rejection, reject } from '@core/errors';
import type { IdempotencyStore } from '@core/store';
import type { Request } from 'express';
import type { Caller } from '../auth/caller.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import { invalidRequest, type Refusal } from './refusal.ts';

/** Longest accepted Idempotency-Key. */
const maxKeyLength = 255;

/** A key and what it is bound to. */
export interface BoundKey {
  readonly scope: string;
  readonly key: string;
  /** Hash of address and body. */
  readonly requestHash: string;
}

/** What the key says about this request. */
export type IdempotencyState =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'started' } & BoundKey)
  | { readonly kind: 'replay'; readonly status: number; readonly body: string }
  | Rejection
  | Refusal;

/** Reads the Idempotency-Key of a POST and claims it. A replay or a conflict ends the request before anything is charged. */
export async function beginIdempotency(
  idempotency: IdempotencyStore,
  call: { request: Request; routeName: string; caller: Caller; body: Buffer; nowMs: number },
): Promise<IdempotencyState> {
  const key = call.request.get('idempotency-key');
  if (key === undefined) return { kind: 'none' };
  if (key === '' || key.length > maxKeyLength) {
    return invalidRequest(`Idempotency-Key: must have 1 to ${maxKeyLength} characters`);
  }
  const { caller } = call;
  const wallet = caller.kind === 'user' ? storedWalletAddressOf(caller.wallet) : '';
  const scope = `${caller.partner.id}:${wallet}:${call.routeName}`;
  const requestHash = createHash('sha256')
    .update(call.request.originalUrl)
    .update('\n')
    .update(call.body)
    .digest('hex');
  const started = await idempotency.begin({ scope, key, requestHash, nowMs: call.nowMs });
  switch (started.kind) {
    case 'started':
      return { kind: 'started', scope, key, requestHash };
    case 'replay':
      return { kind: 'replay', status: started.responseStatus, body: started.responseBody };
    case 'in_progress':
      return reject('request_already_in_progress');
    case 'reused':
      return reject('idempotency_key_reused');
  }
}
