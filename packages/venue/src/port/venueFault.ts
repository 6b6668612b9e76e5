import { Fault, type FaultKind } from '@core/errors';
import { type VenueFaultCode, type VenueFaultEffect, type VenueFaultRule, venueFaultRules } from './venueFaultTable.ts';

/** Faults of the connection itself, by the codes of the platform's network errors. */
const networkRules: Readonly<Record<string, Pick<VenueFaultRule, 'code' | 'effect'>>> = {
  // The request never left this machine or was refused before it was read.
  ECONNREFUSED: { code: 'venue_unreachable', effect: 'no' },
  ENOTFOUND: { code: 'venue_unreachable', effect: 'no' },
  EAI_AGAIN: { code: 'venue_unreachable', effect: 'no' },
  EHOSTUNREACH: { code: 'venue_unreachable', effect: 'no' },
  ENETUNREACH: { code: 'venue_unreachable', effect: 'no' },
  UND_ERR_CONNECT_TIMEOUT: { code: 'venue_unreachable', effect: 'no' },
  // The request may have been read before the connection went away.
  ETIMEDOUT: { code: 'venue_timeout', effect: 'maybe' },
  ABORT_ERR: { code: 'venue_timeout', effect: 'maybe' },
  UND_ERR_HEADERS_TIMEOUT: { code: 'venue_timeout', effect: 'maybe' },
  UND_ERR_BODY_TIMEOUT: { code: 'venue_timeout', effect: 'maybe' },
};

/** A failure of the venue, with what the caller may do about it. `origin` is always `venue`. */
export class VenueFault extends Fault {
  readonly code: VenueFaultCode;
  readonly effect: VenueFaultEffect;
  /** HTTP status, null when there was no answer. */
  readonly status: number | null;
  /** Wait requested by the venue, milliseconds; null without one. */
  readonly retryAfterMs: number | null;

  constructor(details: {
    code: VenueFaultCode;
    kind: FaultKind;
    effect: VenueFaultEffect;
    message: string;
    status?: number | null;
    retryAfterMs?: number | null;
    cause?: unknown;
  }) {
    super({
      origin: 'venue',
      kind: details.kind,
      message: details.message,
      ...('cause' in details ? { cause: details.cause } : {}),
    });
    this.code = details.code;
    this.effect = details.effect;
    this.status = details.status ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** True for a failure of the venue, whichever code it has. */
export const isVenueFault = (error: unknown): error is VenueFault => error instanceof VenueFault;

export interface UpstreamFailure {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Body of the answer or its error field, as text. */
  readonly text: string;
  readonly retryAfterMs?: number | null;
}

const matches = (rule: VenueFaultRule, status: number, lowerText: string): boolean =>
  (rule.statuses === undefined || rule.statuses.includes(status)) &&
  (rule.texts === undefined || rule.texts.some((piece) => lowerText.includes(piece)));

/** Length of the upstream text in a message: enough to recognise it, not enough to flood a log. */
const shownCharacters = 200;

/**
 * The typed fault of a refused or failed answer. Unknown text under a 2xx or an unlisted 4xx is frozen: guessing
 * between "try again" and "give up" with a user's money is worse than asking an operator; an unlisted 5xx is retryable.
 */
export function venueFault(failure: UpstreamFailure): VenueFault {
  const lowerText = failure.text.toLowerCase();
  const rule = venueFaultRules.find((candidate) => matches(candidate, failure.status, lowerText));
  const unlisted: VenueFaultRule =
    failure.status >= 500
      ? { code: 'venue_unavailable', kind: 'retryable', effect: 'maybe' }
      : { code: 'venue_fault_unknown', kind: 'frozen', effect: 'maybe' };
  const { code, kind, effect } = rule ?? unlisted;
  return new VenueFault({
    code,
    kind,
    effect,
    status: failure.status,
    retryAfterMs: failure.retryAfterMs ?? null,
    message: `venue answered ${failure.status}: ${failure.text.slice(0, shownCharacters)}`,
  });
}

const networkCodeOf = (error: unknown): string | null => {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    if (cause.name === 'TimeoutError' || cause.name === 'AbortError') {
      return 'ABORT_ERR';
    }
    if ('code' in cause && typeof cause.code === 'string') {
      return cause.code;
    }
  }
  return null;
};

/** The typed fault of a request that got no whole answer. Always retryable; `effect` says whether it may have acted. */
export function venueNetworkFault(error: unknown): VenueFault {
  const networkCode = networkCodeOf(error);
  const rule = (networkCode === null ? undefined : networkRules[networkCode]) ?? {
    code: 'venue_unreachable' as const,
    effect: 'maybe' as const,
  };
  return new VenueFault({
    ...rule,
    kind: 'retryable',
    message: `venue gave no answer (${networkCode ?? 'unknown network error'})`,
    cause: error,
  });
}

/** The typed fault of an answer that cannot be read: the venue did answer, so a POST may well have acted. */
export function venueMalformedFault(detail: string, cause?: unknown): VenueFault {
  return new VenueFault({
    code: 'venue_answer_malformed',
    kind: 'retryable',
    effect: 'maybe',
    message: `venue sent an answer that cannot be read: ${detail.slice(0, shownCharacters)}`,
    cause,
  });
}
