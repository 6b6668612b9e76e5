import { type Rejection, reject } from '@core/errors';
import { inRequestSpan, traceFieldsOf } from '@core/tracing';
import type { RouteDefinition } from '@core/wire';
import { type Identity, mayCall } from '../auth/authenticate.ts';
import { Arrival } from './arrival.ts';
import type { Refusal } from './call.ts';
import { claimKey, keepAnswer, releaseKey } from './idempotency.ts';
import { pageBytesOf } from './pageCache.ts';
import { addressOf, Charges, routeChargeOf, standardChargeOf } from './rateLimit.ts';
import { parseCall } from './readCall.ts';
import { recognise } from './recognise.ts';
import { serveReserving } from './reserve.ts';
import { sendJson, sendPage, sendRejection } from './respond.ts';
import type { Exchange, Pipeline, ServedRoute } from './served.ts';
import { unauthorized } from './unauthorized.ts';

/**
 * Take one request through the documented order: authenticate → standard bucket → credential level → body → idempotency
 * → parse → strict bucket → handle → encode. What throws goes to the error handler.
 */
export async function serve(pipeline: Pipeline, served: ServedRoute, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const { method, path } = served.route;
  await inRequestSpan(request.headers, { name: `${method} ${path}` }, async () => {
    response.locals['trace'] = traceFieldsOf();
    await serveTraced(pipeline, served, exchange);
  });
}

async function serveTraced(pipeline: Pipeline, served: ServedRoute, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const { route, name, handleReserving } = served;
  const arrival = await Arrival.of(pipeline, exchange, route.method === 'POST');
  if (arrival === null) return;
  const charges = new Charges(pipeline.limits, response);
  const identity = await identityOf(pipeline, exchange, { charges, arrival });
  if (identity === null) return;
  if (handleReserving !== null && identity.kind === 'user') {
    return serveReserving(pipeline, { ...served, handleReserving }, { ...exchange, caller: identity, arrival });
  }
  if (!(await isCharged(exchange, { charges, identity, throttle: route.throttle }))) return;
  if (route.auth !== 'public' && !mayCall(identity, route.auth)) {
    sendRejection(response, unauthorized(route.auth, identity.kind === 'none' ? identity.fault : null));
    return;
  }
  const body = await arrival.body();
  if (body === null) return;
  if (!Buffer.isBuffer(body)) {
    response.set('Connection', 'close');
    sendRejection(response, body);
    return;
  }
  const nowMs = pipeline.clock.nowMs();
  const { idempotency } = pipeline.store;
  const bound = await claimKey(idempotency, exchange, { name, identity, body, nowMs });
  if (bound === 'answered') return;
  // A refusal gives its key back before it leaves: a client that reads it may use the key again at once.
  const refuse = async (refused: Rejection | Refusal): Promise<void> => {
    await releaseKey(idempotency, bound);
    sendRejection(response, refused);
  };
  try {
    const parsed =
      route.method === 'GET'
        ? served.parseRead(request)
        : parseCall(route, { params: request.params, query: request.query, body });
    if (parsed.kind === 'refusal') return await refuse(parsed);
    const strict = routeChargeOf(identity, route.throttle);
    if (strict !== null && !(await charges.take(strict))) return await refuse(reject('too_many_requests'));
    const caller = identity.kind === 'none' ? null : identity;
    const call = { ...parsed, caller, nowMs, requestId: String(response.locals['requestId']), idempotency: bound };
    if (served.handle === null) throw new Error(`${name} has a handler for users alone`);
    if (route.tag === 'Positions') await showIndexedBlock(pipeline, response);
    const answered = await served.handle(call);
    if (answered.kind === 'bytes') return await sendPage({ request, response }, route.response.status, answered);
    if (answered.kind !== 'answer') return await refuse(answered);
    const json = JSON.stringify(answered.body);
    await keepAnswer(idempotency, bound, { name, status: route.response.status, json });
    pipeline.beforeAnswer();
    if (route.method === 'GET') await sendPage({ request, response }, route.response.status, pageBytesOf(json));
    else sendJson(response, route.response.status, json);
  } catch (cause) {
    await releaseKey(idempotency, bound);
    throw cause;
  }
}

/** Set `Indexed-Block` before positions are read: what the answer shows is of this block or of a later one. */
async function showIndexedBlock({ indexedBlock }: Pipeline, response: Exchange['response']): Promise<void> {
  const block = await indexedBlock();
  if (block !== null) response.set('Indexed-Block', String(block));
}

/** Answer a path that is no route: 404, charged like any other request. */
export async function serveUnknown(pipeline: Pipeline, exchange: Exchange): Promise<void> {
  const arrival = await Arrival.of(pipeline, exchange, false);
  if (arrival === null) return;
  const charges = new Charges(pipeline.limits, exchange.response);
  const identity = await identityOf(pipeline, exchange, { charges, arrival });
  if (identity === null || !(await isCharged(exchange, { charges, identity, throttle: 'standard' }))) return;
  sendRejection(exchange.response, reject('not_found'));
}

/** Find out who is calling, and count the place for that caller; null when the request was refused and answered. */
async function identityOf(
  pipeline: Pipeline,
  { request, response }: Exchange,
  { charges, arrival }: { readonly charges: Charges; readonly arrival: Arrival },
): Promise<Identity | null> {
  const authorization = request.get('authorization');
  const recognised = await recognise(pipeline, { authorization, address: () => addressOf(request) });
  if (recognised.kind === 'throttled') {
    charges.show([recognised.state]);
    sendRejection(response, reject('too_many_requests'));
    return null;
  }
  const { identity } = recognised;
  response.locals['callerKind'] = identity.kind;
  return identity.kind === 'none' || arrival.claim(identity) ? identity : null;
}

/** Charge the caller's bucket. Answer and return false when it is empty. */
async function isCharged(
  { request, response }: Exchange,
  {
    charges,
    identity,
    throttle,
  }: { readonly charges: Charges; readonly identity: Identity; readonly throttle: RouteDefinition['throttle'] },
): Promise<boolean> {
  const isAllowed = await charges.take(
    standardChargeOf({ identity, remoteAddress: () => addressOf(request), throttle }),
  );
  if (!isAllowed) sendRejection(response, reject('too_many_requests'));
  return isAllowed;
}
