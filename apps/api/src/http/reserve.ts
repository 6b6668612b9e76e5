import { Fault, type Rejection, reject } from '@core/errors';
import type { AdmissionOutcome, ReserveRequest } from '@core/store';
import type { Response } from 'express';
import type { UserCaller } from '../auth/authenticate.ts';
import type { Arrival } from './arrival.ts';
import type { BoundKey, Refusal, Reserving, ReservingOutcome, StoredAnswer, UntypedReservingHandler } from './call.ts';
import { boundKeyOf } from './idempotency.ts';
import { addressOf, type Charge, Charges, routeChargeOf, standardChargeOf } from './rateLimit.ts';
import { parseCall } from './readCall.ts';
import { sendJson, sendRejection } from './respond.ts';
import type { Exchange, Pipeline, ServedRoute } from './served.ts';

/**
 * Serve one request of a user on a route that reserves, in the documented order. Nothing is charged on the way in: the
 * statement that reserves charges the buckets and reads the Idempotency-Key first. The documented order of refusals
 * holds, and a quote that is decided from memory takes one round trip. A body that does not arrive with its headers is
 * charged at once.
 * @throws Fault while a table is locked.
 */
export async function serveReserving(
  pipeline: Pipeline,
  served: ServedRoute & { readonly handleReserving: UntypedReservingHandler },
  exchange: Exchange & { readonly caller: UserCaller; readonly arrival: Arrival },
): Promise<void> {
  const { request, response, caller, arrival } = exchange;
  const { name, route } = served;
  const charges = new Charges(pipeline.limits, response);
  const standard = standardChargeOf({
    identity: caller,
    remoteAddress: () => addressOf(request),
    throttle: route.throttle,
  });
  if (charges.isKnownEmpty(standard)) return sendRejection(response, reject('too_many_requests'));
  // Decision: apps/api/DECISIONS.md#no-quote-while-a-table-is-locked
  if (pipeline.isLocked()) {
    const message = 'a table of the database is locked by another session';
    throw new Fault({ origin: 'store', kind: 'retryable', message });
  }
  const isPrepaid = arrival.isIncomplete;
  if (isPrepaid && !(await charges.take(standard))) return sendRejection(response, reject('too_many_requests'));
  const unpaid = isPrepaid ? null : standard;
  const body = await arrival.body();
  if (body === null) return;
  if (!Buffer.isBuffer(body)) {
    response.set('Connection', 'close');
    return refuseCharged(charges, { response, standard: unpaid }, body);
  }
  const nowMs = pipeline.clock.nowMs();
  const bound = boundKeyOf(request, { name, caller, body });
  if (bound !== null && 'kind' in bound) return refuseCharged(charges, { response, standard: unpaid }, bound);
  const parsed = parseCall(route, { params: request.params, query: request.query, body });
  // A request that cannot be read creates nothing: the corrected one may follow at once.
  const strict = parsed.kind === 'refusal' ? null : routeChargeOf(caller, route.throttle);
  const status = route.response.status;
  const reserving = new ReservingCall(pipeline, charges, { bound, nowMs, standard: unpaid, strict, status });
  const requestId = String(response.locals['requestId']);
  const call = { ...parsed, caller, nowMs, requestId, idempotency: bound };
  const answered = call.kind === 'refusal' ? call : await served.handleReserving(call, reserving);
  send(pipeline, response, (await reserving.enter()) ?? answered);
}

/** Charge a request that cannot be read like any other. Its key is not read. */
async function refuseCharged(
  charges: Charges,
  { response, standard }: { readonly response: Response; readonly standard: Charge | null },
  refusal: Refusal,
): Promise<void> {
  const isAllowed = standard === null || (await charges.take(standard));
  sendRejection(response, isAllowed ? refusal : reject('too_many_requests'));
}

function send(pipeline: Pipeline, response: Response, answered: StoredAnswer | Rejection | Refusal): void {
  if (answered.kind !== 'stored') return sendRejection(response, answered);
  if (answered.isReplay) response.set('Idempotent-Replayed', 'true');
  else pipeline.beforeAnswer();
  sendJson(response, answered.status, answered.json);
}

/** Facts of one call that its statement needs. */
interface ReservedCall {
  readonly bound: BoundKey | null;
  readonly nowMs: number;
  /** Null when it was charged before the body arrived. */
  readonly standard: Charge | null;
  readonly strict: Charge | null;
  /** Status of a successful answer. */
  readonly status: number;
}

/** The statement of one call. Its first run charges; any later one reserves alone. */
class ReservingCall implements Reserving {
  readonly #pipeline: Pipeline;
  readonly #charges: Charges;
  readonly #call: ReservedCall;
  #isCharged = false;

  constructor(pipeline: Pipeline, charges: Charges, call: ReservedCall) {
    this.#pipeline = pipeline;
    this.#charges = charges;
    this.#call = call;
  }

  async enter(): Promise<StoredAnswer | Rejection | null> {
    if (this.#isCharged) return null;
    const outcome = await this.#admit(null, '');
    return endOf(outcome);
  }

  async reserve(reservation: ReserveRequest, body: unknown): Promise<ReservingOutcome> {
    const json = JSON.stringify(body);
    const outcome = await this.#admit(reservation, json);
    if (outcome.kind === 'refused' || outcome.kind === 'used') return outcome;
    const end = endOf(outcome);
    if (end !== null) return end;
    this.#pipeline.afterReserve();
    return { kind: 'stored', status: this.#call.status, json, isReplay: false };
  }

  /**
   * Run the statement. Where buckets are counted elsewhere they are charged around it, in the same order. There, of
   * several concurrent requests with one new key, all but one may find the strict bucket empty. They get 429, and the
   * stored answer when they are repeated.
   */
  async #admit(reservation: ReserveRequest | null, responseBody: string): Promise<AdmissionOutcome> {
    const { admission } = this.#pipeline;
    const { bound, nowMs, status, ...charges } = this.#call;
    const idempotency = bound && { ...bound, responseStatus: status, responseBody };
    const plain = { standard: null, strict: null, idempotency, reservation, nowMs };
    if (this.#isCharged) return (await admission.admit(plain)).outcome;
    this.#isCharged = true;
    const standard = charges.standard && this.#charges.statementOf(charges.standard);
    const strict = charges.strict && this.#charges.statementOf(charges.strict);
    if (standard !== null || strict !== null) {
      const { outcome, states } = await admission.admit({ ...plain, standard, strict });
      this.#charges.show(states);
      return outcome;
    }
    if (charges.standard !== null && !(await this.#charges.take(charges.standard))) return { kind: 'standard_refused' };
    // A key that has an answer is not charged to the strict bucket.
    const keyed = bound === null ? null : (await admission.admit({ ...plain, reservation: null })).outcome;
    if (keyed !== null && keyed.kind !== 'admitted') return keyed;
    if (charges.strict !== null && !(await this.#charges.take(charges.strict))) return { kind: 'strict_refused' };
    return reservation === null && keyed !== null ? keyed : (await admission.admit(plain)).outcome;
  }
}

/** Return the answer of an outcome that ends the call, null for one after which it continues. */
function endOf(outcome: AdmissionOutcome): StoredAnswer | Rejection | null {
  switch (outcome.kind) {
    case 'standard_refused':
    case 'strict_refused':
      return reject('too_many_requests');
    case 'in_progress':
      return reject('request_already_in_progress');
    case 'reused':
      return reject('idempotency_key_reused');
    case 'replay':
      return { kind: 'stored', status: outcome.responseStatus, json: outcome.responseBody, isReplay: true };
    case 'admitted':
    case 'reserved':
    case 'refused':
    case 'used':
      return null;
  }
}
