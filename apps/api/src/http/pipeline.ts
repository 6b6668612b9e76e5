import { type Rejection, reject } from '@core/errors';
import type { RouteDefinition } from '@core/wire';
import { type Identity, mayCall } from '../auth/authenticate.ts';
import { serveAdmitted } from './admit.ts';
import type { Refusal } from './call.ts';
import { claimKey, keepAnswer, releaseKey } from './idempotency.ts';
import { addressChargeOf, addressOf, Charges, routeChargeOf, standardChargeOf } from './rateLimit.ts';
import { parseCall, readBody } from './readCall.ts';
import { sendJson, sendPage, sendRejection } from './respond.ts';
import type { Exchange, Pipeline, ServedRoute } from './served.ts';
import { unauthorized } from './unauthorized.ts';

const noBody = Buffer.alloc(0);

/**
 * One request through the documented order: authenticate → standard bucket → credential level → idempotency → strict
 * bucket → parse → handle → encode. What throws goes to the error handler.
 */
export async function serve(pipeline: Pipeline, served: ServedRoute, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const { route, name, prepare } = served;
  const charges = new Charges(pipeline.limits, response);
  const identity = await recognise(pipeline, exchange, charges);
  if (identity === null) return;
  if (prepare !== null && identity.kind === 'user') {
    return serveAdmitted(pipeline, { ...served, prepare }, { request, response, caller: identity });
  }
  if (!(await isCharged(exchange, { charges, identity, throttle: route.throttle }))) return;
  if (route.auth !== 'public' && !mayCall(identity, route.auth)) {
    sendRejection(response, unauthorized(route.auth, identity.kind === 'none' ? identity.fault : null));
    return;
  }
  const nowMs = pipeline.clock.nowMs();
  const body = route.method === 'GET' ? noBody : await readBody(request);
  if (!Buffer.isBuffer(body)) {
    response.set('Connection', 'close');
    sendRejection(response, body);
    return;
  }
  const { idempotency } = pipeline.store;
  const bound = await claimKey(idempotency, exchange, { name, identity, body, nowMs });
  if (bound === 'answered') return;
  // A refusal gives its key back before it leaves: a client that reads it may use the key again at once.
  const refuse = async (refused: Rejection | Refusal): Promise<void> => {
    await releaseKey(idempotency, bound);
    sendRejection(response, refused);
  };
  try {
    const strict = routeChargeOf(identity, route.throttle);
    if (strict !== null && !(await charges.take(strict))) return await refuse(reject('too_many_requests'));
    const parsed =
      route.method === 'GET'
        ? served.parseRead(request)
        : parseCall(route, { params: request.params, query: request.query, body });
    if (parsed.kind === 'refusal') return await refuse(parsed);
    const caller = identity.kind === 'none' ? null : identity;
    const call = { ...parsed, caller, nowMs, requestId: String(response.locals['requestId']), idempotency: bound };
    if (served.handle === null) throw new Error(`${name} is prepared for users and has no handler`);
    const answered = await served.handle(call);
    if (answered.kind === 'bytes') return sendPage({ request, response }, route.response.status, answered);
    if (answered.kind !== 'answer') return await refuse(answered);
    const json = JSON.stringify(answered.body);
    await keepAnswer(idempotency, bound, { name, status: route.response.status, json });
    pipeline.beforeAnswer();
    sendJson(response, route.response.status, json);
  } catch (cause) {
    await releaseKey(idempotency, bound);
    throw cause;
  }
}

/** Answers an address that is no route: 404, charged like any other request. */
export async function serveUnknown(pipeline: Pipeline, exchange: Exchange): Promise<void> {
  const charges = new Charges(pipeline.limits, exchange.response);
  const identity = await recognise(pipeline, exchange, charges);
  if (identity === null || !(await isCharged(exchange, { charges, identity, throttle: 'standard' }))) return;
  sendRejection(exchange.response, reject('not_found'));
}

/**
 * Who is calling; null when the request was refused. From an address that has used up its bucket with bad credentials
 * nothing new is looked at: guessing costs the service a map lookup.
 */
async function recognise(
  { callers }: Pipeline,
  { request, response }: Exchange,
  charges: Charges,
): Promise<Identity | null> {
  const authorization = request.get('authorization');
  const known = callers.peek(authorization);
  if (known === null && !callers.isKnown(authorization)) {
    const charge = addressChargeOf(addressOf(request));
    if (charges.isKnownEmpty(charge)) {
      sendRejection(response, reject('too_many_requests'));
      return null;
    }
  }
  const identity = known ?? (await callers.identify(authorization));
  response.locals['callerKind'] = identity.kind;
  return identity;
}

/** Charges the caller's bucket; answers and gives false when it is empty. */
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
