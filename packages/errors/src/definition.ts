import type { LeverageBps, PricePips, RateBps, UsdcUnits, UsdPips } from '@core/pricing';
import type { RejectionReasonCode } from './rejectionReasonCodes.ts';

/** The four values of `error.type` (specification, Errors). */
export type ErrorType = 'INVALID_REQUEST_ERROR' | 'AUTHENTICATION_ERROR' | 'RATE_LIMIT_ERROR' | 'API_ERROR';

/**
 * What a program may do after the code.
 * `backoff`: repeat the same request, starting at one second; exactly the three codes the specification calls retryable.
 * `later`: the same request may succeed once the market or the service has changed.
 * `changed`: the request must change as the message and the params say.
 * `never`: terminal for this market, wallet or credential.
 */
export type RetryAdvice = 'backoff' | 'later' | 'changed' | 'never';

/** Every kind a param may have: money and rates as quantities, ages and shares as numbers, words as strings. */
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

/** One row of the table. */
export interface ErrorDefinition {
  readonly status: 400 | 401 | 404 | 409 | 429 | 500 | 501 | 503;
  readonly type: ErrorType;
  readonly retry: RetryAdvice;
  readonly params: Readonly<Record<string, ParamKind>>;
  /** The uppercase value under which the same reason shows on a market. */
  readonly eligibility?: RejectionReasonCode;
  /** For display; always says what to do next. Programs dispatch on the code. */
  readonly message: string;
  /** Where the specification defines the code. */
  readonly clause: string;
}
