import { Fault, type FaultKind } from '@core/errors';

/** What went wrong upstream, as the service's own codes. Assert on these, never on messages. */
export type VenueFaultCode =
  | 'venue_restarting'
  | 'venue_throttled'
  | 'venue_unavailable'
  | 'venue_unreachable'
  | 'venue_timeout'
  | 'venue_answer_malformed'
  | 'venue_paused'
  | 'market_not_ready'
  | 'market_closed'
  | 'book_not_found'
  | 'not_found'
  | 'order_not_filled'
  | 'order_duplicated'
  | 'order_not_inserted'
  | 'order_below_minimum_size'
  | 'order_off_tick'
  | 'order_expired'
  | 'order_signature_invalid'
  | 'order_fee_invalid'
  | 'order_invalid'
  | 'balance_too_low'
  | 'credentials_refused'
  | 'account_restricted'
  | 'request_invalid'
  | 'venue_fault_unknown';

/**
 * Whether the venue may have acted on the request although it failed. `no`: it certainly did not, a POST may be sent
 * again as it is. `maybe`: look for the order by its hash before anything else. `yes`: it is there already.
 */
export type VenueFaultEffect = 'no' | 'maybe' | 'yes';

interface VenueFaultRule {
  readonly code: VenueFaultCode;
  readonly kind: FaultKind;
  readonly effect: VenueFaultEffect;
  /** HTTP statuses the rule answers to; absent: any. */
  readonly statuses?: readonly number[];
  /** Lower-case pieces of upstream text, any one of which selects the rule; absent: status alone decides. */
  readonly texts?: readonly string[];
}

/**
 * The one table from upstream texts to typed faults. The first rule that matches wins, so texts stand before bare
 * statuses: the venue answers 400 and even 200 for most refusals and only the text distinguishes them. Nowhere else in
 * the tree is upstream text matched.
 */
export const venueFaultRules: readonly VenueFaultRule[] = [
  // The weekly restart and throttling come first: their bodies may be anything, a proxy's page included.
  { code: 'venue_restarting', kind: 'retryable', effect: 'no', statuses: [425] },
  { code: 'venue_throttled', kind: 'retryable', effect: 'no', statuses: [429] },
  { code: 'venue_throttled', kind: 'retryable', effect: 'no', texts: ['too many requests', 'rate limit'] },
  { code: 'venue_restarting', kind: 'retryable', effect: 'no', texts: ['service not ready', 'restarting'] },
  {
    code: 'venue_paused',
    kind: 'retryable',
    effect: 'no',
    texts: ['trading is currently disabled', 'cancel-only', 'trading is paused', 'post-only'],
  },

  // Refusals of an order.
  { code: 'order_duplicated', kind: 'terminal', effect: 'yes', texts: ['duplicated', 'already been placed'] },
  {
    code: 'order_not_filled',
    kind: 'terminal',
    effect: 'no',
    texts: [
      'fok_order_not_filled',
      "couldn't be fully filled",
      'could not be fully filled',
      'fully filled or killed',
      'fully filled/killed',
      'no orders found to match',
      'no match is found',
    ],
  },
  {
    code: 'order_below_minimum_size',
    kind: 'terminal',
    effect: 'no',
    texts: ['order_min_size', 'lower than the minimum', 'minimum order size', 'min size'],
  },
  {
    code: 'order_off_tick',
    kind: 'terminal',
    effect: 'no',
    texts: ['tick_size', 'tick size', 'invalid price', 'price must be'],
  },
  {
    code: 'balance_too_low',
    kind: 'terminal',
    effect: 'no',
    texts: ['not_enough_balance', 'not enough balance', 'balance / allowance', 'insufficient balance'],
  },
  {
    code: 'order_expired',
    kind: 'terminal',
    effect: 'no',
    texts: ['order_expiration', 'invalid expiration', 'order expired', 'timestamp too old', 'timestamp out of range'],
  },
  {
    code: 'order_signature_invalid',
    kind: 'terminal',
    effect: 'no',
    texts: ['invalid signature', 'invalid order signature', 'signer does not match'],
  },
  {
    code: 'order_fee_invalid',
    kind: 'terminal',
    effect: 'no',
    texts: ['invalid fee rate', 'fee rate bps', 'builder fee'],
  },
  { code: 'market_not_ready', kind: 'retryable', effect: 'no', texts: ['market_not_ready', 'not yet ready'] },
  {
    code: 'market_closed',
    kind: 'terminal',
    effect: 'no',
    texts: ['market is closed', 'market closed', 'not accepting orders', 'market is resolved', 'market resolved'],
  },
  {
    code: 'book_not_found',
    kind: 'terminal',
    effect: 'no',
    texts: ['no orderbook exists', 'orderbook does not exist', 'the orderbook'],
  },
  // Faults inside the engine: the order may stand although the answer says it failed.
  {
    code: 'order_not_inserted',
    kind: 'retryable',
    effect: 'maybe',
    texts: [
      'could not insert order',
      'could not run the execution',
      'execution_error',
      'invalid_order_error',
      'delaying_order_error',
      'error delaying the order',
    ],
  },

  // A person has to look: retrying or refunding would both be wrong.
  {
    code: 'account_restricted',
    kind: 'frozen',
    effect: 'no',
    texts: ['closed only mode', 'closed-only', 'banned', 'restricted', 'geoblock', 'unavailable in your region'],
  },
  {
    code: 'credentials_refused',
    kind: 'frozen',
    effect: 'no',
    texts: ['unauthorized', 'invalid api key', 'invalid credentials', 'owner has to be the owner of the api key'],
  },
  {
    code: 'order_invalid',
    kind: 'terminal',
    effect: 'no',
    texts: ['invalid order', ' is invalid', 'invalid_order'],
  },

  // Bare statuses.
  { code: 'credentials_refused', kind: 'frozen', effect: 'no', statuses: [401] },
  { code: 'account_restricted', kind: 'frozen', effect: 'no', statuses: [403, 451] },
  { code: 'not_found', kind: 'terminal', effect: 'no', statuses: [404, 410] },
  { code: 'venue_timeout', kind: 'retryable', effect: 'maybe', statuses: [408, 504, 522, 524] },
  { code: 'venue_unavailable', kind: 'retryable', effect: 'maybe', statuses: [500, 502, 503, 520, 521, 523, 525, 530] },
  { code: 'request_invalid', kind: 'terminal', effect: 'no', statuses: [400, 405, 409, 411, 413, 414, 415, 422] },
];

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
  /** How long the venue asks to wait, milliseconds; null when it does not say. */
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

/** How much of an upstream body goes into a message: enough to recognise it, not enough to flood a log. */
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
