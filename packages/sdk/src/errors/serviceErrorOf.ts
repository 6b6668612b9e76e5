import { type ErrorCode, type ErrorParams, errorTypes, repeatedCodes } from '../generated/errors.ts';
import type { QuoteRequest } from '../generated/resources.ts';
import {
  ApiError,
  AuthenticationError,
  InvalidRequestError,
  LevError,
  RateLimitError,
  type Refusal,
} from './levError.ts';
import { redirectOf } from './redirectOf.ts';
import { suggestedRequestOf } from './suggestedRequest.ts';
import { suggestionOf, withFigures } from './withFigures.ts';

/** Response other than a success. */
export interface FailedAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** Request body. */
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

/**
 * Build the error of a response, with the figures of its params in its message. A failure of a proxy counts as a
 * failure of the service; any other response without an error envelope is from another service.
 */
export function serviceErrorOf(answer: FailedAnswer): LevError {
  const envelope = envelopeOf(answer.body) ?? unknownEnvelope(answer);
  if (envelope === null) {
    const target = redirectOf(answer);
    const sentence =
      target === null
        ? `is not this API (${answer.status}). Check \`baseUrl\`.`
        : `redirects to ${target}. Give the address of the service itself as \`baseUrl\`.`;
    return new LevError('wrong_base_url', `${answer.url} ${sentence}`);
  }
  const { code } = envelope;
  const params = envelope.params ?? {};
  const suggested = isQuoteRequest(answer.sent) ? suggestedRequestOf(code, params, answer.sent) : null;
  const sentence = withFigures(envelope.message, params, answer.sent);
  const refusal: Refusal = {
    code,
    message: suggested === null ? sentence : `${sentence} ${suggestionOf(suggested, Object(answer.sent))}`,
    status: answer.status,
    params,
    param: envelope.param ?? null,
    docUrl: envelope.doc_url ?? '',
    requestId: envelope.request_id ?? answer.headers.get('request-id') ?? '',
    retryable: repeatedCodes.includes(code),
    retryAfterSeconds: retryAfterOf(answer.headers),
    suggested,
  };
  return new classOf[errorTypes[code]](refusal);
}

/** Build the error of a response without an envelope; null for a response that no part of the service sends. */
function unknownEnvelope({ url, status }: FailedAnswer): Envelope | null {
  const message = `${url} answered ${status} without an error of this service.`;
  if (status === 429) return { code: 'too_many_requests', message };
  if (status === 401) return { code: 'unauthorized', message };
  return status >= 500 ? { code: 'internal_server_error', message } : null;
}

function envelopeOf(body: unknown): Envelope | null {
  const error: unknown = Object(body).error;
  return isEnvelope(error) ? error : null;
}

/** The code decides: a response with a code of the table is of the service, which checks the rest when it sends. */
function isEnvelope(error: unknown): error is Envelope {
  const code: unknown = Object(error).code;
  return typeof code === 'string' && Object.hasOwn(errorTypes, code);
}

function isQuoteRequest(sent: unknown): sent is QuoteRequest {
  return 'notional_amount_usd_pips' in Object(sent) && 'slippage_bps' in Object(sent);
}

/**
 * Return `Retry-After` in whole seconds; null when it is absent, unreadable, or a date that has passed. A date, as
 * proxies write it, is compared with the answer's own one: the host's clock may differ.
 */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  const waitMs = Date.parse(text) - Date.parse(headers.get('date') ?? '');
  const seconds = /^\d+$/.test(text) ? Number(text) : waitMs / 1_000;
  return seconds >= 0 ? seconds : null;
}
