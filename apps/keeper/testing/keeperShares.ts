import type { MarketRecord } from '@core/market';
import {
  isOverlapping,
  keeperHeartbeatOf,
  keeperReportOf,
  type MarketShare,
  marketShareName,
  marketShareOf,
} from '@core/runtime';
import type { Store } from '@core/store';
import type { TestStack } from './startTestStack.ts';

/** The shares of the markets that a keeper says it holds. */
export async function heldShares(store: Pick<Store, 'heartbeats'>, address: string): Promise<readonly MarketShare[]> {
  const report = keeperReportOf((await store.heartbeats.byName(keeperHeartbeatOf(address)))?.detail ?? null);
  const groups = (report?.shareGroups ?? []).filter(({ isHeld }) => isHeld);
  return groups.flatMap(({ shareCount, shares }) => shares.map((share) => ({ share, shareCount })));
}

/** Waits until these keepers hold all shares between them, none more than one more than another. */
export async function untilShared(stack: TestStack, addresses: readonly string[]): Promise<void> {
  await stack.until(`${addresses.length} keepers to share the markets`, async () => {
    const shareSets = await Promise.all(addresses.map((address) => heldShares(stack.store, address)));
    const counts = shareSets.map(({ length }) => length);
    const shareCount = await stack.store.sharing.shareCount();
    const names = shareSets.flat().map(marketShareName);
    const isOfCount = shareSets.flat().every((share) => share.shareCount === shareCount);
    const isWhole = isOfCount && names.length === shareCount && new Set(names).size === shareCount;
    return isWhole && Math.max(...counts) - Math.min(...counts) <= 1 ? true : undefined;
  });
}

/** A tradable market in one of the shares that a keeper holds now. */
export async function marketHeldBy(stack: TestStack, address: string): Promise<MarketRecord> {
  const shares = await heldShares(stack.store, address);
  return stack.tradableMarket({
    isHeld: ({ id }) => shares.some((share) => isOverlapping(marketShareOf(id, share.shareCount), share)),
  });
}
