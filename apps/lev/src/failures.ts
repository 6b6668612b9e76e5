import { FriendlyError } from '@core/runtime';
import { AuthenticationError, LevError, NetworkError, OutcomeUnknownError, ServiceError } from '@core/sdk';
import { exitCodes } from './exitCodes.ts';

/** A failure as it is printed: with `--json` as one document, else as a line. */
export interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The failure behind an error; null for a bug, which keeps its stack. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof ServiceError) {
    const { code, message, params, param, docUrl, requestId, retryable, suggested } = error;
    const exitCode = error instanceof AuthenticationError ? exitCodes.credentials : exitCodes.refused;
    const details = {
      status: error.status,
      params,
      param,
      doc_url: docUrl,
      request_id: requestId,
      retryable,
      suggested,
    };
    return { exitCode, code, message, details };
  }
  if (error instanceof OutcomeUnknownError) {
    const { code, message, hash } = error;
    return { exitCode: exitCodes.outcomeUnknown, code, message, details: { hash } };
  }
  if (error instanceof NetworkError) {
    return { exitCode: exitCodes.network, code: error.code, message: error.message, details: {} };
  }
  if (error instanceof LevError) {
    return { exitCode: exitCodes.refused, code: error.code, message: error.message, details: {} };
  }
  if (error instanceof FriendlyError || error instanceof TypeError) {
    return { exitCode: exitCodes.usage, code: 'usage', message: error.message, details: {} };
  }
  return null;
}
