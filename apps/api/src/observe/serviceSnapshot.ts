import type { ServiceSnapshot } from '@core/policy';
import type { Service } from '../service.ts';

/** The switches of the service and the keeper's sign of life. */
export function serviceSnapshotOf(
  { config, keeper }: Pick<Service, 'config' | 'keeper'>,
  nowMs: number,
): ServiceSnapshot {
  return { ...config.switches, keeperHeartbeatAgeMs: keeper.ageMs(nowMs) };
}
