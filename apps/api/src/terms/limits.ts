import type { NotionalUsage } from '@core/policy';
import { limitUsageOf, type UsdPips } from '@core/pricing';
import type { UsageStore } from '@core/store';
import { type LimitUsageWire, money } from '@core/wire';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import { answer, type Handler } from '../http/call.ts';

/** GET /partner-limits: notional of the partner's active positions against its limit. Live quotes do not count here. */
export function getPartnerLimits(usage: Pick<UsageStore, 'read'>): Handler<'getPartnerLimits'> {
  return async ({ caller: { partner } }) => {
    const scope = { partnerId: partner.id, walletAddress: '', marketId: null, clusterKey: null };
    const counters = await usage.read(scope);
    return answer(presentLimit(partner.terms.limits.partnerNotionalUsdPips, counters.partner));
  };
}

/** GET /user-limits: the same for the wallet of the token. */
export function getUserLimits(usage: Pick<UsageStore, 'read'>): Handler<'getUserLimits'> {
  return async ({ caller: { partner, wallet } }) => {
    const walletAddress = storedWalletAddressOf(wallet);
    const scope = { partnerId: partner.id, walletAddress, marketId: null, clusterKey: null };
    const counters = await usage.read(scope);
    return answer(presentLimit(partner.terms.limits.userNotionalUsdPips, counters.user));
  };
}

function presentLimit(limit: UsdPips, usage: NotionalUsage): LimitUsageWire {
  const { limitUsdPips, usageUsdPips, remainingUsdPips } = limitUsageOf(limit, usage.activeNotionalUsdPips);
  return { ...money('limit', limitUsdPips), ...money('usage', usageUsdPips), ...money('remaining', remainingUsdPips) };
}
