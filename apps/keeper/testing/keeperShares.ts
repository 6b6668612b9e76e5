import { keeperHeartbeatOf, keeperReportOf, marketShareCount, marketShareOf } from '@core/runtime';
import type { MarketRecord, Store } from '@core/store';
import type { TestStack } from './startTestStack.ts';

/** The shares of the markets that a keeper says it holds. */
export async function heldShares(store: Pick<Store, 'heartbeats'>, address: string): Promise<readonly number[]> {
  const report = keeperReportOf((await store.heartbeats.byName(keeperHeartbeatOf(address)))?.detail ?? null);
  return (report?.shares ?? []).flatMap(({ share, isHeld }) => (isHeld ? [share] : []));
}

/** Waits until these keepers hold all shares between them, none more than one more than another. */
export async function untilShared(stack: TestStack, addresses: readonly string[]): Promise<void> {
  await stack.until(`${addresses.length} keepers to share the markets`, async () => {
    const held = await Promise.all(addresses.map((address) => heldShares(stack.store, address)));
    const counts = held.map(({ length }) => length);
    const isWhole = new Set(held.flat()).size === marketShareCount && held.flat().length === marketShareCount;
    return isWhole && Math.max(...counts) - Math.min(...counts) <= 1 ? true : undefined;
  });
}

/** A tradable market in one of the shares that a keeper holds now. */
export async function marketHeldBy(stack: TestStack, address: string): Promise<MarketRecord> {
  const shares = await heldShares(stack.store, address);
  return stack.tradableMarket({ isHeld: ({ id }) => shares.includes(marketShareOf(id)) });
}
