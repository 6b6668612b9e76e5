import { subtract, type UsdPips } from '@core/pricing';
import type { UsageCounters } from '@core/store';
import { type LimitUsageWire, money } from '@core/wire';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import { answer, type Handler } from '../http/call.ts';
import type { Service } from '../service.ts';

/** GET /partner-limits: notional of the partner's active positions against its limit. Live quotes do not count here. */
export function getPartnerLimits({ store }: Service): Handler<'getPartnerLimits'> {
  return async ({ caller: { partner } }) => {
    const scope = { partnerId: partner.id, walletAddress: '', marketId: null, clusterKey: null };
    const usage = await store.usage.read(scope);
    return answer(presentLimit(partner.terms.limits.partnerNotionalUsdPips, usage.partner));
  };
}

/** GET /user-limits: the same for the wallet of the token. */
export function getUserLimits({ store }: Service): Handler<'getUserLimits'> {
  return async ({ caller: { partner, wallet } }) => {
    const walletAddress = storedWalletAddressOf(wallet);
    const usage = await store.usage.read({ partnerId: partner.id, walletAddress, marketId: null, clusterKey: null });
    return answer(presentLimit(partner.terms.limits.userNotionalUsdPips, usage.user));
  };
}

function presentLimit(limit: UsdPips, usage: UsageCounters): LimitUsageWire {
  const used = usage.activeNotionalUsdPips;
  return { ...money('limit', limit), ...money('usage', used), ...money('remaining', subtract(limit, used)) };
}
