import { FriendlyError, HeartbeatReader, keeperHeartbeat, keeperReportOf, marketShareCounts } from '@core/runtime';
import type { Call, Operated, Operations } from './command.ts';

/** Show the number of market shares, and how many of each count every keeper reported last. */
export async function showMarketShares({ store }: Operations): Promise<Operated> {
  const { sharing, heartbeats } = await store();
  const reader = new HeartbeatReader(heartbeats, keeperHeartbeat);
  await reader.refresh();
  const keepers = reader.heard().flatMap(({ detail, lastHeartbeatAtMs }) => {
    const report = keeperReportOf(detail);
    if (report === null) return [];
    const countByName: Record<string, number> = {};
    for (const { shareCount, shares } of report.shareGroups.filter(({ isHeld }) => isHeld)) {
      const name = `of_${shareCount}`;
      countByName[name] = (countByName[name] ?? 0) + shares.length;
    }
    return [{ address: report.address, heartbeat_at: new Date(lastHeartbeatAtMs).toISOString(), shares: countByName }];
  });
  return { value: { share_count: await sharing.shareCount(), keepers } };
}

/**
 * Set the number of market shares. Running keepers move to it within seconds.
 * @throws FriendlyError for a count that is no power of two, or out of bounds.
 */
export async function setMarketShares({ store, nowMs }: Operations, { args }: Call): Promise<Operated> {
  const [text = ''] = args;
  const shareCount = marketShareCounts.find((count) => String(count) === text);
  if (shareCount === undefined) {
    throw new FriendlyError(`the number of market shares is one of ${marketShareCounts.join(', ')}, got ${text}`);
  }
  await (await store()).sharing.setShareCount(shareCount, nowMs());
  return { value: { share_count: shareCount } };
}
