import type { ErrorCode, ErrorParams } from '../generated/errors.ts';
import type { QuoteRequest } from '../generated/resources.ts';
import type { Operations } from '../generated/routes.ts';

/** Codes of failures that no answer of the service names. */
export type ClientCode =
  | 'network_failed'
  | 'outcome_unknown'
  | 'transaction_reverted'
  | 'position_not_opened'
  | 'quote_not_verified'
  | 'requirement_not_met'
  | 'position_not_found';

/** The root of every error that the client throws on purpose. Programs dispatch on `code`. */
export class LevError extends Error {
  override readonly name: string = 'LevError';
  readonly code: ErrorCode | ClientCode;
  /** True when the same call may succeed if it is repeated as it is. */
  readonly retryable: boolean = false;

  constructor(code: ErrorCode | ClientCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What an answer that refuses says. */
export interface Refusal<C extends ErrorCode = ErrorCode> {
  readonly code: C;
  readonly message: string;
  readonly status: number;
  readonly params: ErrorParams[C];
  /** The field at fault, or null. */
  readonly param: string | null;
  readonly docUrl: string;
  readonly requestId: string;
  readonly retryable: boolean;
  /** Seconds the service asked to wait, or null. */
  readonly retryAfterSeconds: number | null;
  /** The request that would pass, where the params say it. */
  readonly suggested: QuoteRequest | null;
}

/** The service refused, or failed to answer: one code of its table with the params of that code. */
export class ServiceError<C extends ErrorCode = ErrorCode> extends LevError {
  override readonly name: string = 'ServiceError';
  declare readonly code: C;
  override readonly retryable: boolean;
  readonly status: number;
  readonly params: ErrorParams[C];
  readonly param: string | null;
  /** A page about the code. */
  readonly docUrl: string;
  /** Identifies this answer in the logs of the service. */
  readonly requestId: string;
  readonly retryAfterSeconds: number | null;
  readonly suggested: QuoteRequest | null;

  constructor(refusal: Refusal<C>) {
    super(refusal.code, refusal.message);
    this.retryable = refusal.retryable;
    this.status = refusal.status;
    this.params = refusal.params;
    this.param = refusal.param;
    this.docUrl = refusal.docUrl;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.suggested = refusal.suggested;
  }
}

/** The request cannot be served as it is (type INVALID_REQUEST_ERROR). */
export class InvalidRequestError<C extends ErrorCode = ErrorCode> extends ServiceError<C> {
  override readonly name = 'InvalidRequestError';
}

/** The credential is missing or not accepted (type AUTHENTICATION_ERROR). */
export class AuthenticationError<C extends ErrorCode = ErrorCode> extends ServiceError<C> {
  override readonly name = 'AuthenticationError';
}

/** Too many requests, also after the client has waited (type RATE_LIMIT_ERROR). */
export class RateLimitError<C extends ErrorCode = ErrorCode> extends ServiceError<C> {
  override readonly name = 'RateLimitError';
}

/** The service failed or is switched off (type API_ERROR). */
export class ApiError<C extends ErrorCode = ErrorCode> extends ServiceError<C> {
  override readonly name = 'ApiError';
}

/** No answer came: the service cannot be reached, or it did not answer in time. */
export class NetworkError extends LevError {
  override readonly name = 'NetworkError';
  override readonly retryable = true;

  constructor(message: string, options?: ErrorOptions) {
    super('network_failed', message, options);
  }
}

/** A transaction was handed over and its end is not known. Look it up by its hash before anything is sent again. */
export class OutcomeUnknownError extends LevError {
  override readonly name = 'OutcomeUnknownError';
  readonly hash: string;

  constructor(hash: string, message: string, options?: ErrorOptions) {
    super('outcome_unknown', message, options);
    this.hash = hash;
  }
}

/** A service error of each code: comparing `code` narrows `params`. */
export type AnyServiceError = { readonly [C in ErrorCode]: ServiceError<C> }[ErrorCode];

/** The service errors that one route may answer with. */
export type ErrorOf<Name extends keyof Operations> = {
  readonly [C in Operations[Name]['code']]: ServiceError<C>;
}[Operations[Name]['code']];

/** True for an error that the service answered; comparing `code` then narrows `params`. */
export function isServiceError(error: unknown): error is AnyServiceError {
  return error instanceof ServiceError;
}

/** True for a service error of this code. */
export function isCode<C extends ErrorCode>(error: unknown, code: C): error is ServiceError<C> {
  return error instanceof ServiceError && error.code === code;
}
