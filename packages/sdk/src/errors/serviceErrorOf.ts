import { type ErrorCode, type ErrorParams, errorKinds } from '../generated/errors.ts';
import type { QuoteRequest } from '../generated/resources.ts';
import {
  ApiError,
  AuthenticationError,
  InvalidRequestError,
  RateLimitError,
  type Refusal,
  type ServiceError,
} from './levError.ts';
import { suggestedRequestOf } from './suggestedRequest.ts';

/** An answer that is no success, as it came. */
export interface FailedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The body that was sent. */
  readonly sent: unknown;
}

interface Envelope {
  readonly code: ErrorCode;
  readonly message: string;
  readonly param?: string;
  readonly params?: ErrorParams[ErrorCode];
  readonly doc_url?: string;
  readonly request_id?: string;
}

const classOf = {
  INVALID_REQUEST_ERROR: InvalidRequestError,
  AUTHENTICATION_ERROR: AuthenticationError,
  RATE_LIMIT_ERROR: RateLimitError,
  API_ERROR: ApiError,
} as const;

/** The error of an answer. A proxy's page, or a code this client does not know, counts as a failure of the service. */
export function serviceErrorOf(answer: FailedAnswer): ServiceError {
  const envelope = envelopeOf(answer.body) ?? unknownEnvelope(answer.status);
  const { code } = envelope;
  const [type, retry] = errorKinds[code];
  const params = envelope.params ?? {};
  const refusal: Refusal = {
    code,
    message: envelope.message,
    status: answer.status,
    params,
    param: envelope.param ?? null,
    docUrl: envelope.doc_url ?? '',
    requestId: envelope.request_id ?? answer.headers.get('request-id') ?? '',
    retryable: retry === 'backoff',
    retryAfterSeconds: retryAfterOf(answer.headers),
    suggested: isQuoteRequest(answer.sent) ? suggestedRequestOf(code, params, answer.sent) : null,
  };
  return new classOf[type](refusal);
}

function unknownEnvelope(status: number): Envelope {
  const code = status === 429 ? 'too_many_requests' : status === 401 ? 'unauthorized' : 'internal_server_error';
  return { code, message: `the answer ${status} has no error of this service` };
}

function envelopeOf(body: unknown): Envelope | null {
  const error: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'error') : null;
  if (typeof error !== 'object' || error === null) return null;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && Object.hasOwn(errorKinds, code) ? (error as Envelope) : null;
}

function isQuoteRequest(sent: unknown): sent is QuoteRequest {
  return typeof sent === 'object' && sent !== null && 'notional_amount_usd_pips' in sent && 'slippage_bps' in sent;
}

/** `Retry-After` in whole seconds; null where it is absent or a date. */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}
