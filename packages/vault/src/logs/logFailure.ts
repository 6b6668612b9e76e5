import { HttpRequestError, RpcRequestError } from 'viem';

/**
 * Kinds of failures of a log query. Too large: the node refused the range and might answer a part of it. Busy: it
 * refuses the caller for now, and a smaller range would be refused as well. Fault: anything else, such as a node that
 * does not answer.
 */
export type LogFailure = 'tooLarge' | 'busy' | 'fault';

/** Texts of a limit of blocks, results or bytes. Providers name the plan of the caller in the same sentence. */
const sizeTexts = /\brange|\bblocks?\b|\bresults?\b|response size|too (?:large|big|wide)/i;

/** Texts of a provider that refuses the caller. */
const busyTexts =
  /\brate\b|throttl|quota|capacity|per second|too many requests|credits|daily|unauthori[sz]ed|api.?key|forbidden/i;

const busyStatuses: ReadonlySet<number> = new Set([401, 402, 403, 429]);
const sizeStatuses: ReadonlySet<number> = new Set([400, 413]);

/** Classify a failed log query. Providers limit each in its own way and words: an unknown refusal is of the range. */
export function logFailureOf(error: unknown): LogFailure {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 10; cause = cause.cause, depth += 1) {
    if (cause instanceof RpcRequestError) return failureOf(cause.details, 'tooLarge');
    if (cause instanceof HttpRequestError) {
      const { status = 0, details } = cause;
      if (busyStatuses.has(status)) return failureOf(details, 'busy');
      if (sizeStatuses.has(status)) return failureOf(details, 'tooLarge');
      // Some gateways answer a range that is too large as their own fault.
      return status === 500 ? failureOf(details, 'fault') : 'fault';
    }
  }
  return 'fault';
}

function failureOf(text: string, unknownText: LogFailure): LogFailure {
  if (sizeTexts.test(text)) return 'tooLarge';
  return busyTexts.test(text) ? 'busy' : unknownText;
}
