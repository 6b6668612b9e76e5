import { FriendlyError } from '@core/runtime';
import {
  AuthenticationError,
  InputError,
  LevError,
  NetworkError,
  OutcomeUnknownError,
  type QuoteRequest,
  ServiceError,
} from '@core/sdk';
import { exitCodes } from './exitCodes.ts';

/** Failure to print: one document with `--json`, otherwise a line with the next step. */
export interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Quote request that would be accepted; null when the rejection suggests none. */
  readonly suggested: SuggestedSize | null;
}

/** Size that a rejection suggests. */
export type SuggestedSize = Pick<QuoteRequest, 'leverage_bps' | 'notional_amount_usd_pips' | 'slippage_bps'>;

const plain = { details: {}, suggested: null };

/** Return the failure behind an error; null for a bug, whose stack trace is printed. */
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
    return { exitCode, code, message, details, suggested };
  }
  if (error instanceof OutcomeUnknownError) {
    const { code, message, hash } = error;
    return { exitCode: exitCodes.outcomeUnknown, code, message, details: { hash }, suggested: null };
  }
  if (error instanceof NetworkError) {
    return { ...plain, exitCode: exitCodes.network, code: error.code, message: error.message };
  }
  if (error instanceof InputError) {
    return { ...plain, exitCode: exitCodes.usage, code: 'usage', message: withOptions(error.message) };
  }
  if (error instanceof LevError) {
    return { ...plain, exitCode: exitCodes.refused, code: error.code, message: error.message };
  }
  if (error instanceof FriendlyError || error instanceof TypeError) {
    return { ...plain, exitCode: exitCodes.usage, code: 'usage', message: error.message };
  }
  return null;
}

/** Options whose values become inputs of the client. */
const optionOfInput: Readonly<Record<string, string>> = {
  leverage: '--leverage',
  notionalUsd: '--notional',
  minPriceUsd: '--min-price',
  tokens: '--tokens',
};

/** Name the options of a command in place of the inputs of the client. */
const withOptions = (message: string): string =>
  message.replaceAll(/`(\w+)`/g, (quoted, name: string) => optionOfInput[name] ?? quoted);
