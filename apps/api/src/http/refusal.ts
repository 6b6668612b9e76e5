import { type Rejection, reject } from '@core/errors';

/** A refusal with a sentence of its own, where the request itself names the fault. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly rejection: Rejection;
  readonly detail: string;
}

/** Builds the refusal of a malformed request; the sentence names the path and the rule. */
export function invalidRequest(detail: string): Refusal {
  return { kind: 'refusal', rejection: reject('invalid_request'), detail };
}
