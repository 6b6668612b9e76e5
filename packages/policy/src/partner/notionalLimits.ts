import type { Side } from '@core/position';
import { add, max, subtract, type UsdPips, usdPips } from '@core/pricing';
import type { PartnerTerms } from './partnerTerms.ts';
import type { NotionalUsage, UsageSnapshot } from './usageSnapshot.ts';

/** A cap on notional and what counts against it now, live quotes included. */
export interface NotionalLimit {
  readonly scope: 'user' | 'market' | 'side' | 'global' | 'partner';
  readonly limitUsdPips: UsdPips;
  readonly usage: NotionalUsage;
}

/** Active and in-flight notional together. */
export function usedNotionalOf(usage: NotionalUsage): UsdPips {
  return add(usage.activeNotionalUsdPips, usage.inFlightNotionalUsdPips);
}

/** Return the remainder of a cap, never below zero. */
export function availableNotionalOf(limit: NotionalLimit): UsdPips {
  return max(usdPips(0n), subtract(limit.limitUsdPips, usedNotionalOf(limit.usage)));
}

/** Notional caps in the order they are checked. */
export function notionalLimitsOf(usage: UsageSnapshot, side: Side, terms: PartnerTerms): readonly NotionalLimit[] {
  const { limits } = terms;
  return [
    { scope: 'user', limitUsdPips: limits.userNotionalUsdPips, usage: usage.user },
    { scope: 'market', limitUsdPips: limits.marketNotionalUsdPips, usage: usage.market },
    { scope: 'side', limitUsdPips: limits.sideNotionalUsdPips, usage: side === 'yes' ? usage.yes : usage.no },
    { scope: 'global', limitUsdPips: limits.globalNotionalUsdPips, usage: usage.global },
    { scope: 'partner', limitUsdPips: limits.partnerNotionalUsdPips, usage: usage.partner },
  ];
}
