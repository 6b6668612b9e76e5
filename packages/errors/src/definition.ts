import type { LeverageBps, PricePips, RateBps, UsdcUnits, UsdPips } from '@core/pricing';
import type { RejectionReasonCode } from './rejectionReasonCodes.ts';

/** The four values of `error.type` (specification, Errors). */
export type ErrorType = 'INVALID_REQUEST_ERROR' | 'AUTHENTICATION_ERROR' | 'RATE_LIMIT_ERROR' | 'API_ERROR';

/**
 * What a program may do after the code.
 * `backoff`: repeat the same request, starting at one second; the three codes the specification calls retryable.
 * `later`: the same request may succeed once the market or the service has changed.
 * `changed`: the request must change as the message and the params say.
 * `never`: terminal for this market, wallet or credential.
 */
export type RetryAdvice = 'backoff' | 'later' | 'changed' | 'never';

/** Every kind a param may have: money and rates as quantities, ages and shares as numbers, texts as strings. */
export interface ParamKinds {
  readonly UsdPips: UsdPips;
  readonly PricePips: PricePips;
  readonly UsdcUnits: UsdcUnits;
  readonly LeverageBps: LeverageBps;
  readonly RateBps: RateBps;
  readonly number: number;
  readonly text: string;
  readonly Side: 'yes' | 'no';
  readonly FillBound: 'collateral' | 'notional';
  readonly Revision: 'notional_reduced' | 'leverage_reduced' | 'notional_and_leverage_reduced';
}

/** A trailing question mark says the param may be absent. */
export type ParamKind = keyof ParamKinds | `${keyof ParamKinds}?`;

/**
 * What a code is about. Routes name groups, so that a new code is one row; codes of the group `route` are named by
 * routes one by one. From `eligibility` on all belong to the pipeline of a quote, `capacity` and the two limits to what
 * a quote reserves and a draft does not.
 */
export type ErrorGroup =
  | 'everyRoute'
  | 'idempotency'
  | 'route'
  | 'eligibility'
  | 'size'
  | 'quality'
  | 'capacity'
  | 'positionLimit'
  | 'capitalLimit'
  | 'partialOpen'
  | 'otherQuote'
  | 'revision';

/** One row of the table. */
export interface ErrorDefinition {
  readonly group: ErrorGroup;
  readonly status: 400 | 401 | 404 | 409 | 429 | 500 | 503;
  /** The status where the failure is known to pass by itself; `Retry-After` then says when to come back. */
  readonly passingStatus?: 503;
  readonly type: ErrorType;
  readonly retry: RetryAdvice;
  readonly params: Readonly<Record<string, ParamKind>>;
  /** Fields of a request this code may be about. An answer names the one its route takes as `param`. */
  readonly fields?: readonly string[];
  /** The uppercase value under which the same reason shows on a market. */
  readonly eligibility?: RejectionReasonCode;
  /** For display; always says what to do next. Programs dispatch on the code. */
  readonly message: string;
  /** Where the specification defines the code. */
  readonly clause: string;
}
