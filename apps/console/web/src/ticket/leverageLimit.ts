import type { Market } from '@core/sdk';
import { times } from '../money.ts';
import { errorText } from '../parts/errorText.ts';
import type { GrantedLeverage } from './useGrantedLeverage.ts';

/** Maximum leverage of a ticket with its reason. */
export interface LeverageLimit {
  readonly maxBps: number;
  /** Null while the service has not responded for this size. */
  readonly reason: string | null;
}

/** Return the limit: the leverage granted for the size, or the maximum of the market before the service responds. */
export function leverageLimitOf(
  { leverage, sided_eligibility: eligibility }: Pick<Market, 'leverage' | 'sided_eligibility'>,
  { side, granted }: { readonly side: 'yes' | 'no'; readonly granted: GrantedLeverage },
): LeverageLimit {
  const offered = Math.max(leverage.min_bps, leverage[`max_${side}_bps`]);
  if (!eligibility[side].accepting_new_positions) return { maxBps: offered, reason: '' };
  if (granted.maxBps === null) return { maxBps: offered, reason: granted.error ? errorText(granted.error) : null };
  if (granted.isReduced) return { maxBps: leverage.min_bps, reason: 'No leverage is granted for this size now.' };
  const maxBps = Math.max(leverage.min_bps, Math.min(offered, granted.maxBps));
  const text = `Up to ${times(maxBps)} for this size at this price.`;
  return {
    maxBps,
    reason: maxBps < offered ? `${text} More would start too close to liquidation.` : text,
  };
}
