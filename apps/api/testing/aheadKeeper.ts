import { defaultMarketShareCount, type KeeperReport, marketSharesOf } from '@core/runtime';
import type { HeartbeatStore } from '@core/store';

/** Report of a healthy keeper, dated an hour ahead: no test outlives it. */
export const wellReport: KeeperReport = {
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  isVenueTakingOrders: true,
  isPriceSignerAnswering: true,
  requiredSignatures: 2,
  priceSigners: [],
  shareGroups: sharesSeen(-3_600_000),
  unseenTickers: [],
  exits: [],
  fills: [],
  fillCosts: [
    { category: 'crypto', kind: 'sale', minUsd: 0, maxUsd: 500, fillCount: 4, costBps: -12 },
    { category: 'sport', kind: 'opening', minUsd: 5_000, maxUsd: null, fillCount: 9, costBps: 120 },
  ],
};

/** All shares of the markets, their debts checked so long ago; null for never. */
export function sharesSeen(debtWatchAgeMs: number | null): KeeperReport['shareGroups'] {
  const shares = marketSharesOf(defaultMarketShareCount).map(({ share }) => share);
  return [{ shareCount: defaultMarketShareCount, shares, isHeld: true, debtWatchAgeMs }];
}

/** A heartbeat from an hour ahead; each is younger than the one before it. */
export async function reportKeeper(
  heartbeats: HeartbeatStore,
  { nowMs, ...changes }: Partial<KeeperReport> & { readonly nowMs: number },
): Promise<void> {
  const before = (await heartbeats.byName('keeper'))?.lastHeartbeatAtMs ?? 0;
  const aheadMs = Math.max(nowMs + 3_600_000, before + 1);
  await heartbeats.report({ name: 'keeper', nowMs: aheadMs, succeeded: true, detail: { ...wellReport, ...changes } });
}
