import type { RejectionReasonCode } from './rejectionReasonCodes.ts';

/** Values of `error.type` (specification, Errors). */
export type ErrorType = 'INVALID_REQUEST_ERROR' | 'AUTHENTICATION_ERROR' | 'RATE_LIMIT_ERROR' | 'API_ERROR';

/**
 * Advice to a program that receives the code.
 * - `backoff`: repeat the same request, first after one second; the three codes that the specification calls retryable.
 * - `later`: the same request may succeed once the market or the service has changed.
 * - `changed`: change the request as the message and the params say.
 * - `never`: final for this market, wallet or credential.
 */
export type RetryAdvice = 'backoff' | 'later' | 'changed' | 'never';

/** Quantity of one kind, opaque like those of the pricing package and equal to them by structure. */
interface QuantityOf<Kind extends string> {
  readonly '~kind': Kind;
}

/** Value types of params by kind: money and rates as quantities, ages and shares as numbers, texts as strings. */
export interface ParamKinds {
  readonly UsdPips: QuantityOf<'UsdPips'>;
  readonly PricePips: QuantityOf<'PricePips'>;
  readonly UsdcUnits: QuantityOf<'UsdcUnits'>;
  readonly LeverageBps: QuantityOf<'LeverageBps'>;
  readonly RateBps: QuantityOf<'RateBps'>;
  readonly number: number;
  readonly text: string;
  readonly Side: 'yes' | 'no';
  readonly FillBound: 'collateral' | 'notional';
  readonly Revision: 'notional_reduced' | 'leverage_reduced' | 'notional_and_leverage_reduced';
}

/** Kind of a param. A trailing question mark marks a param that may be absent. */
export type ParamKind = keyof ParamKinds | `${keyof ParamKinds}?`;

/**
 * Group of related codes. Routes name groups, so that a new code is one row of the table; codes of the group `route`
 * are named by routes one by one. Groups from `eligibility` on belong to the quote pipeline. `capacity` and the two
 * limit groups concern reservations, so drafts never raise them.
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

/** Row of the table. */
export interface ErrorDefinition {
  readonly group: ErrorGroup;
  readonly status: 400 | 401 | 404 | 409 | 429 | 500 | 503;
  /** Status for a transient failure; `Retry-After` then says when to repeat the request. */
  readonly transientStatus?: 503;
  readonly type: ErrorType;
  readonly retry: RetryAdvice;
  readonly params: Readonly<Record<string, ParamKind>>;
  /** Request fields that the code may concern. A response names the field of its route as `param`. */
  readonly fields?: readonly string[];
  /** Uppercase value that shows the same reason on a market. */
  readonly eligibility?: RejectionReasonCode;
  /** Text for display that always says what to do next. Programs dispatch on the code. */
  readonly message: string;
  /** Clause of the specification that defines the code. */
  readonly clause: string;
}
