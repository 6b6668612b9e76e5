import { reject } from '@core/errors';
import type { LimitState } from '@core/store';
import type { Response } from 'express';
import type { Caller } from '../auth/authenticate.ts';
import { ownerKeyOf } from '../auth/ownerKey.ts';
import type { Refusal } from './call.ts';
import type { Place } from './overload.ts';
import { addressOf, rateHeadersOf } from './rateLimit.ts';
import { RequestBody } from './requestBody.ts';
import { sendRejection } from './respond.ts';
import type { Exchange, Pipeline } from './served.ts';

/**
 * Delay of a refusal for want of a place. A client that asks again at once would otherwise be refused ten times in this
 * time, and each refusal takes the processor from the requests that are served.
 */
const refusedAfterMs = 250;

const noBody = Buffer.alloc(0);

/** One request that was let in: its body, and its place among the requests that are handled. */
export class Arrival {
  readonly #pipeline: Pick<Pipeline, 'overload'>;
  readonly #response: Response;
  readonly #address: string;
  readonly #body: RequestBody | null;
  #place: Place;
  #caller: Caller | null = null;

  private constructor(
    { pipeline, response, address }: Pick<Entrance, 'pipeline' | 'address'> & { readonly response: Response },
    body: RequestBody | null,
  ) {
    this.#pipeline = pipeline;
    this.#response = response;
    this.#address = address;
    this.#body = body;
    this.#place = pipeline.overload.enter(address);
    const leave = (): void => this.#place.leave();
    // The answer is written: a client that does not read it occupies its connection alone.
    response.once('prefinish', leave);
    response.once('close', leave);
    if (response.closed) leave();
  }

  /**
   * Let a request in when there is a place for it, and answer 429 otherwise. A body that was sent together with the
   * headers is in memory before the place is taken.
   * @returns null when the request was answered.
   */
  static async of(pipeline: Pipeline, exchange: Exchange, hasBody: boolean): Promise<Arrival | null> {
    const { request, response } = exchange;
    const address = addressOf(request);
    const entrance = { pipeline, exchange, address };
    if (!isAdmitted(entrance)) return null;
    if (!hasBody) return new Arrival({ ...entrance, response }, null);
    const body = new RequestBody(request, pipeline.bodyLimits);
    await body.settle();
    return isAdmitted(entrance) ? new Arrival({ ...entrance, response }, body) : null;
  }

  /** Count the place for its caller. False when the caller has too many, which was answered with 429. */
  claim(caller: Caller): boolean {
    this.#caller = caller;
    const bound = this.#place.claim(ownerKeyOf(caller));
    if (bound !== null) refuseLater(this.#response, bound);
    return bound === null;
  }

  /** True when the body has not arrived: it is to be charged for before it is waited for. */
  get isIncomplete(): boolean {
    return this.#body !== null && !this.#body.isWhole;
  }

  /**
   * Wait for the body. While it is on its way the request has no place.
   * @returns null when there is no place left afterwards, which was answered with 429.
   */
  async body(): Promise<Buffer | Refusal | null> {
    if (this.#body === null) return noBody;
    if (this.#body.isWhole) return this.#body.whole;
    this.#place.leave();
    const whole = await this.#body.whole;
    const bound = this.#pipeline.overload.refusalOf(this.#address);
    if (bound !== null) {
      refuseLater(this.#response, bound);
      return null;
    }
    this.#place = this.#pipeline.overload.enter(this.#address);
    if (this.#response.closed) this.#place.leave();
    return this.#caller === null || this.claim(this.#caller) ? whole : null;
  }
}

interface Entrance {
  readonly pipeline: Pipeline;
  readonly exchange: Exchange;
  readonly address: string;
}

function isAdmitted({ pipeline, exchange, address }: Entrance): boolean {
  const bound = pipeline.overload.refusalOf(address);
  if (bound !== null) refuseLater(exchange.response, bound);
  return bound === null;
}

function refuseLater(response: Response, bound: LimitState): void {
  // The rate headers are those of what refused: the requests handled at once.
  response.set(rateHeadersOf([bound]));
  setTimeout(() => sendRejection(response, reject('too_many_requests')), refusedAfterMs);
}
