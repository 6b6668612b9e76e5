import { type Rejection, reject } from '@core/errors';
import type { LimitState, LimitStore, Store } from '@core/store';
import type { Clock } from '@core/venue';
import { notImplementedRoutes, type RouteDefinition, type RouteName } from '@core/wire';
import type { Request, Response } from 'express';
import { type Credentials, identify, mayCall } from '../auth/authenticate.ts';
import type { Caller, Identity } from '../auth/caller.ts';
import type { UntypedHandler } from './call.ts';
import { sendJson, sendRejection } from './exchange.ts';
import { type BoundKey, beginIdempotency } from './idempotency.ts';
import { parseCall } from './parseCall.ts';
import { type Charge, consume, rateHeadersOf, routeChargeOf, standardChargeOf } from './rateLimit.ts';
import { readBody } from './readBody.ts';
import { invalidRequest, type Refusal } from './refusal.ts';

/** What every request needs, whatever its route. */
export interface Pipeline {
  readonly store: Pick<Store, 'idempotency'>;
  readonly limits: LimitStore;
  readonly clock: Clock;
  readonly credentials: Credentials;
  /** Runs just before a successful answer leaves; tests of crashes hook in here. */
  readonly beforeAnswer: () => void;
}

/** A route with the handler that answers it; null while it is not built. */
export interface ServedRoute {
  readonly name: RouteName;
  readonly route: RouteDefinition;
  readonly handle: UntypedHandler | null;
}

/**
 * One request through the documented order: authenticate → standard bucket → credential level → idempotency → strict
 * bucket → parse → handle → encode. What throws goes to the error handler.
 */
export async function serve(
  pipeline: Pipeline,
  served: ServedRoute,
  exchange: { readonly request: Request; readonly response: Response },
): Promise<void> {
  const { request, response } = exchange;
  const { route, name } = served;
  const charges = new Charges(pipeline.limits, response);
  const identity = await identifyAndCharge(pipeline, exchange, { charges, throttle: route.throttle });
  if (identity === null) return;
  if (route.auth !== 'public' && !mayCall(identity, route.auth)) {
    sendRejection(response, reject('unauthorized'));
    return;
  }
  const nowMs = pipeline.clock.nowMs();
  const body = route.method === 'GET' ? Buffer.alloc(0) : await bodyOf(request);
  if (!Buffer.isBuffer(body)) {
    response.set('Connection', 'close');
    sendRejection(response, body);
    return;
  }
  const bound = await claim(pipeline, exchange, { name, identity, body, nowMs });
  if (bound === 'answered') return;
  // A refusal gives its key back before it leaves: whoever reads it may use the key again at once.
  const refuse = async (refused: Rejection | Refusal): Promise<void> => {
    await giveBack(pipeline, bound);
    sendRejection(response, refused);
  };
  try {
    const strict = routeChargeOf(identity, route.throttle);
    if (strict !== null && !(await charges.take(strict))) return await refuse(reject('too_many_requests'));
    if (served.handle === null || notImplementedRoutes.has(name)) return await refuse(reject('not_implemented'));
    const parsed = parseCall(route, { params: request.params, query: request.query, body });
    if (parsed.kind === 'refusal') return await refuse(parsed);
    const caller = identity.kind === 'none' ? null : identity;
    const call = { ...parsed, caller, nowMs, requestId: String(response.locals['requestId']), idempotency: bound };
    const answered = await served.handle(call);
    if (answered.kind !== 'answer') return await refuse(answered);
    const json = JSON.stringify(answered.body);
    await keep(pipeline, bound, { name, status: route.response.status, json });
    pipeline.beforeAnswer();
    sendJson(response, route.response.status, json);
  } catch (cause) {
    await giveBack(pipeline, bound);
    throw cause;
  }
}

/** Answers an address that is no route: 404, charged like any other request. */
export async function serveUnknown(
  pipeline: Pipeline,
  exchange: { readonly request: Request; readonly response: Response },
): Promise<void> {
  const charges = new Charges(pipeline.limits, exchange.response);
  const identity = await identifyAndCharge(pipeline, exchange, { charges, throttle: 'standard' });
  if (identity !== null) sendRejection(exchange.response, reject('not_found'));
}

async function identifyAndCharge(
  pipeline: Pipeline,
  { request, response }: { readonly request: Request; readonly response: Response },
  { charges, throttle }: { charges: Charges; throttle: RouteDefinition['throttle'] },
): Promise<Identity | null> {
  const identity = await identify(request.get('authorization'), pipeline.credentials);
  response.locals['callerKind'] = identity.kind;
  const remoteAddress = request.ip ?? 'unknown';
  if (await charges.take(standardChargeOf({ identity, remoteAddress, throttle }))) return identity;
  sendRejection(response, reject('too_many_requests'));
  return null;
}

/** The buckets of one request; every charge updates the headers, so that any later answer carries them. */
class Charges {
  readonly #limits: LimitStore;
  readonly #response: Response;
  readonly #states: LimitState[] = [];

  constructor(limits: LimitStore, response: Response) {
    this.#limits = limits;
    this.#response = response;
  }

  /** False when the bucket is empty. */
  async take(charge: Charge): Promise<boolean> {
    const state = await consume(this.#limits, charge);
    this.#states.push(state);
    this.#response.set(rateHeadersOf(this.#states));
    return state.allowed;
  }
}

async function bodyOf(request: Request): Promise<Buffer | Refusal> {
  const body = await readBody(request);
  switch (body.kind) {
    case 'body':
      return body.bytes;
    case 'too_large':
      return invalidRequest('body: is too large');
    case 'encoded':
      return invalidRequest('Content-Encoding: must be absent');
  }
}

async function claim(
  pipeline: Pipeline,
  { request, response }: { readonly request: Request; readonly response: Response },
  call: { name: RouteName; identity: Identity; body: Buffer; nowMs: number },
): Promise<BoundKey | null | 'answered'> {
  const { identity, name, body, nowMs } = call;
  if (request.method !== 'POST' || identity.kind === 'none') return null;
  const caller: Caller = identity;
  const state = await beginIdempotency(pipeline.store.idempotency, { request, routeName: name, caller, body, nowMs });
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
async function giveBack(pipeline: Pipeline, bound: BoundKey | null): Promise<void> {
  if (bound !== null) await pipeline.store.idempotency.abandon(bound.scope, bound.key);
}

/** Keeps a successful answer for replay. Answers of /tokens are live credentials and are never kept. */
async function keep(
  pipeline: Pipeline,
  bound: BoundKey | null,
  answered: { name: RouteName; status: number; json: string },
): Promise<void> {
  if (bound === null) return;
  if (answered.name === 'createToken') return giveBack(pipeline, bound);
  await pipeline.store.idempotency.complete({
    scope: bound.scope,
    key: bound.key,
    responseStatus: answered.status,
    responseBody: answered.json,
  });
}
