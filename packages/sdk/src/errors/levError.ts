import type { ErrorCode, ErrorParams } from '../generated/errors.ts';
import type { QuoteRequest } from '../generated/resources.ts';
import type { Operations } from '../generated/routes.ts';

/** Codes of client errors that no response of the service has. */
export type ClientCode =
  | 'network_failed'
  | 'outcome_unknown'
  | 'transaction_reverted'
  | 'position_not_opened'
  | 'invalid_input'
  | 'chain_refused'
  | 'contract_not_found'
  | 'wrong_base_url'
  | 'transaction_not_sent'
  | 'transaction_replaced'
  | 'wrong_chain'
  | 'contract_mismatch'
  | 'quote_not_verified'
  | 'requirement_not_met'
  | 'position_not_found';

/** Base class of every error that the client throws on purpose. Programs dispatch on `code`. */
export class LevError extends Error {
  override readonly name: string = 'LevError';
  readonly code: ErrorCode | ClientCode;
  /** True when the same call may succeed when repeated unchanged. */
  readonly retryable: boolean = false;

  constructor(code: ErrorCode | ClientCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Content of an error response. */
export interface Refusal<C extends ErrorCode = ErrorCode> {
  readonly code: C;
  readonly message: string;
  readonly status: number;
  readonly params: ErrorParams[C];
  /** Field at fault, or null. */
  readonly param: string | null;
  readonly docUrl: string;
  readonly requestId: string;
  readonly retryable: boolean;
  /** Seconds from `Retry-After`, a number or a date, or null. */
  readonly retryAfterSeconds: number | null;
  /** Request that would pass, where the params allow to derive it. */
  readonly suggested: QuoteRequest | null;
}

/** Error response of the service: a code of its table with the params of that code. */
export class ServiceError<C extends ErrorCode = ErrorCode> extends LevError {
  override readonly name: string = 'ServiceError';
  declare readonly code: C;
  declare readonly retryable: boolean;
  declare readonly status: number;
  declare readonly params: ErrorParams[C];
  declare readonly param: string | null;
  /** Page about the code. */
  declare readonly docUrl: string;
  /** Identifier of this response in the logs of the service. */
  declare readonly requestId: string;
  declare readonly retryAfterSeconds: number | null;
  declare readonly suggested: QuoteRequest | null;

  constructor(refusal: Refusal<C>) {
    super(refusal.code, refusal.message);
    Object.assign(this, refusal);
  }
}

/** Error of a request that cannot be served unchanged (type INVALID_REQUEST_ERROR). */
export class InvalidRequestError<C extends ErrorCode = ErrorCode> extends ServiceError<C> {
  override readonly name = 'InvalidRequestError';
}

/** Error of a missing or refused credential (type AUTHENTICATION_ERROR). */
export class AuthenticationError<C extends ErrorCode = ErrorCode> extends ServiceError<C> {
  override readonly name = 'AuthenticationError';
}

/** Error of too many requests, after the client has waited (type RATE_LIMIT_ERROR). */
export class RateLimitError<C extends ErrorCode = ErrorCode> extends ServiceError<C> {
  override readonly name = 'RateLimitError';
}

/** Error of a service that failed or is switched off (type API_ERROR). */
export class ApiError<C extends ErrorCode = ErrorCode> extends ServiceError<C> {
  override readonly name = 'ApiError';
}

/** Error without a response: the service is unreachable, or did not respond in time. */
export class NetworkError extends LevError {
  override readonly name = 'NetworkError';
  override readonly retryable = true;

  constructor(message: string, options?: ErrorOptions) {
    super('network_failed', message, options);
  }
}

/** Error of a transaction that may have been sent, with an unknown outcome. Look it up before sending anything. */
export class OutcomeUnknownError extends LevError {
  override readonly name = 'OutcomeUnknownError';
  /** Hash of the transaction; empty when the wallet gave none: look at the account. */
  readonly hash: string;

  constructor(hash: string, message: string, options?: ErrorOptions) {
    super('outcome_unknown', message, options);
    this.hash = hash;
  }
}

/** Service error of any code: comparing `code` narrows `params`. */
export type AnyServiceError = { readonly [C in ErrorCode]: ServiceError<C> }[ErrorCode];

/** Service errors of one route. */
export type ErrorOf<Name extends keyof Operations> = {
  readonly [C in Operations[Name]['code']]: ServiceError<C>;
}[Operations[Name]['code']];

/** Return true for an error response of the service; comparing `code` then narrows `params`. */
export function isServiceError(error: unknown): error is AnyServiceError {
  return error instanceof ServiceError;
}

/** Return true for a service error of this code. */
export function isCode<C extends ErrorCode>(error: unknown, code: C): error is ServiceError<C> {
  return error instanceof ServiceError && error.code === code;
}
