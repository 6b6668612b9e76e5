import { type Rejection, reject } from '@core/errors';
import type { Admission } from '@core/store';
import type { Response } from 'express';
import type { UserCaller } from '../auth/authenticate.ts';
import type { BoundKey, PreparedAnswer, Refusal, UntypedPreparer } from './call.ts';
import { boundKeyOf } from './idempotency.ts';
import { addressOf, type Charge, Charges, routeChargeOf, standardChargeOf } from './rateLimit.ts';
import { parseCall, readBody } from './readCall.ts';
import { sendJson, sendRejection } from './respond.ts';
import type { Exchange, Pipeline, ServedRoute } from './served.ts';

/** One request on its way to the statement. */
interface Admitted {
  readonly caller: UserCaller;
  readonly bound: BoundKey | null;
  readonly nowMs: number;
  readonly standard: Charge;
  readonly strict: Charge | null;
}

type Decision = PreparedAnswer | Rejection | Refusal;

/**
 * One request of a user on a route that reserves, in the documented order and in one round trip to the database. The
 * request is parsed and decided first, from memory and without any effect; then one statement charges the buckets,
 * looks at the Idempotency-Key and reserves. So what comes first in the order still answers first, and a decision that
 * is not admitted has cost nothing but its own time.
 */
export async function serveAdmitted(
  pipeline: Pipeline,
  served: ServedRoute & { readonly prepare: UntypedPreparer },
  exchange: Exchange & { readonly caller: UserCaller },
): Promise<void> {
  const { request, response, caller } = exchange;
  const { name, route } = served;
  const charges = new Charges(pipeline.limits, response);
  const standard = standardChargeOf({
    identity: caller,
    remoteAddress: () => addressOf(request),
    throttle: route.throttle,
  });
  if (charges.isKnownEmpty(standard)) return sendRejection(response, reject('too_many_requests'));
  const nowMs = pipeline.clock.nowMs();
  const body = await readBody(request);
  if (!Buffer.isBuffer(body)) {
    response.set('Connection', 'close');
    return refuseCharged(charges, { response, standard }, body);
  }
  const bound = boundKeyOf(request, { name, caller, body });
  if (bound !== null && 'kind' in bound) return refuseCharged(charges, { response, standard }, bound);
  const parsed = parseCall(route, { params: request.params, query: request.query, body });
  const requestId = String(response.locals['requestId']);
  const decision: Decision =
    parsed.kind === 'refusal' ? parsed : served.prepare({ ...parsed, caller, nowMs, requestId, idempotency: bound });
  const strict = routeChargeOf(caller, route.throttle);
  const admitted = { caller, bound, nowMs, standard, strict };
  await finish(pipeline, { response, charges, admitted, status: route.response.status }, decision);
}

/** A request that cannot be read is charged like any other, and looks at no key. */
async function refuseCharged(
  charges: Charges,
  { response, standard }: { readonly response: Response; readonly standard: Charge },
  refusal: Refusal,
): Promise<void> {
  const isAllowed = await charges.take(standard);
  sendRejection(response, isAllowed ? refusal : reject('too_many_requests'));
}

interface Finishing {
  readonly response: Response;
  readonly charges: Charges;
  readonly admitted: Admitted;
  readonly status: number;
}

async function finish(pipeline: Pipeline, finishing: Finishing, first: Decision): Promise<void> {
  const { response, status } = finishing;
  let decision = first;
  let isCharged = false;
  for (;;) {
    const effect = decision.kind === 'prepared' ? decision.effect : null;
    const json = effect === null ? null : JSON.stringify(effect.body);
    const { outcome } = await admit(pipeline, finishing, { effect, json, isCharged });
    isCharged = true;
    switch (outcome.kind) {
      case 'standard_refused':
      case 'strict_refused':
        return sendRejection(response, reject('too_many_requests'));
      case 'in_progress':
        return sendRejection(response, reject('request_already_in_progress'));
      case 'reused':
        return sendRejection(response, reject('idempotency_key_reused'));
      case 'replay':
        response.set('Idempotent-Replayed', 'true');
        return sendJson(response, outcome.responseStatus, outcome.responseBody);
      case 'reserved':
        pipeline.afterReserve();
        pipeline.beforeAnswer();
        return sendJson(response, status, json ?? '');
      case 'used':
        throw new Error('twelve random bytes were drawn twice');
      case 'admitted':
      case 'refused':
        if (decision.kind !== 'prepared') return sendRejection(response, decision);
        decision = await decision.decideAgain();
        // The request is charged and its key is free: what is refused now is refused for good.
        if (decision.kind === 'rejection') return sendRejection(response, decision);
    }
  }
}

/**
 * The statement; where buckets are counted elsewhere they are charged around it, in the same order. There, of several
 * requests with one new key at the same moment all but one may find the strict bucket empty: they get 429, and when
 * they come again the answer that the key has by then.
 */
async function admit(
  pipeline: Pipeline,
  { charges, admitted, status }: Finishing,
  asked: {
    readonly effect: Extract<Decision, { kind: 'prepared' }>['effect'];
    readonly json: string | null;
    readonly isCharged: boolean;
  },
): Promise<Pick<Admission, 'outcome'>> {
  const { admission } = pipeline;
  const { bound, nowMs } = admitted;
  const idempotency = bound && { ...bound, responseStatus: status, responseBody: asked.json ?? '' };
  const reservation = asked.effect?.reservation ?? null;
  const plain = { standard: null, strict: null, idempotency, reservation, nowMs };
  if (asked.isCharged) return admission.admit(plain);
  const standard = charges.statementOf(admitted.standard);
  const strict = admitted.strict && charges.statementOf(admitted.strict);
  if (standard !== null) {
    const done = await admission.admit({ ...plain, standard, strict });
    charges.show(done.states);
    return done;
  }
  if (!(await charges.take(admitted.standard))) return { outcome: { kind: 'standard_refused' } };
  // A key that has an answer is not charged to the strict bucket.
  const known = bound === null ? null : await admission.admit({ ...plain, reservation: null });
  if (known !== null && known.outcome.kind !== 'admitted') return known;
  if (admitted.strict !== null && !(await charges.take(admitted.strict))) {
    return { outcome: { kind: 'strict_refused' } };
  }
  return reservation === null && known !== null ? known : admission.admit(plain);
}
