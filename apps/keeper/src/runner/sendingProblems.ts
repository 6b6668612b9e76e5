import { type CoinReading, coinLevelOf } from '@core/runtime';

/** State of the keeper's own transactions. */
export interface SendingState {
  /** Time since the chain last mined one while some wait; 0 while none waits. */
  readonly nonceAgeMs: number;
  /** Answer of the node that refused a waiting one; null without one. */
  readonly refusal: string | null;
  /** Native coin of the account; null before it was read. */
  readonly coin: CoinReading | null;
  /** False once the vault has taken the role of a keeper from the account. */
  readonly hasRole: boolean;
  /** True while the price of gas is above the operator's ceiling. */
  readonly isAboveCeiling: boolean;
}

/** Reason for which the keeper's transactions get into no block, or soon will not. */
export type SendingProblem = 'role_lost' | 'gas_above_ceiling' | 'balance_too_low' | 'sends_refused' | 'nonce_stuck';

/**
 * Time for which a refused transaction may wait: it is sent again after three seconds, and other nodes may accept it.
 */
const refusedPatienceMs = 5_000;

/**
 * Return the problems of the keeper's transactions; nothing may be opened while there is one.
 * @param limits.maxNonceAgeMs Longest wait for a block of transactions that no node refused.
 */
export function sendingProblemsOf(
  { nonceAgeMs, refusal, coin, hasRole, isAboveCeiling }: SendingState,
  { maxNonceAgeMs }: { readonly maxNonceAgeMs: number },
): readonly SendingProblem[] {
  return [
    ...(hasRole ? [] : (['role_lost'] as const)),
    ...(isAboveCeiling ? (['gas_above_ceiling'] as const) : []),
    ...(coin !== null && coinLevelOf(coin) === 'short' ? (['balance_too_low'] as const) : []),
    ...(refusal !== null && nonceAgeMs > refusedPatienceMs ? (['sends_refused'] as const) : []),
    ...(nonceAgeMs > maxNonceAgeMs ? (['nonce_stuck'] as const) : []),
  ];
}
