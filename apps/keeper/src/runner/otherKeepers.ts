import { ageMsOf, type Heartbeat, keeperHeartbeat, keeperHeartbeatOf, keeperReportOf } from '@core/runtime';

/** A keeper says every second that it is alive. */
const aliveMs = 5_000;

/** How many shares of the markets each other living keeper holds, from what they last said. */
export function sharesOfOthers(
  heartbeats: readonly Heartbeat[],
  { address, nowMs }: { readonly address: string; readonly nowMs: number },
): readonly number[] {
  const own = keeperHeartbeatOf(address);
  return heartbeats
    .filter(({ name }) => name.startsWith(keeperHeartbeat) && name !== own)
    .filter((heartbeat) => ageMsOf(heartbeat, nowMs) < aliveMs)
    .flatMap(({ detail }) => {
      const report = keeperReportOf(detail);
      return report === null ? [] : [report.shares.filter(({ isHeld }) => isHeld).length];
    });
}
