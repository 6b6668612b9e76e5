import { isHealthy } from '../loop.ts';
import type { KeeperPorts } from '../ports.ts';

/** The name under which the API looks for a living keeper. */
export const keeperHeartbeat = 'keeper';

/** Tasks without which an opening would be left alone. */
const vital: ReadonlySet<string> = new Set(['indexChain', 'advancePositions']);

/**
 * Says that the keeper which holds the effects is alive. It keeps quiet while one of the vital tasks is failing: a
 * process that beats but does nothing would let users open positions that nobody looks after.
 */
export async function beat(ports: KeeperPorts): Promise<void> {
  const tasks = ports.health().filter(({ name }) => vital.has(name));
  if (tasks.every(isHealthy)) {
    const detail = { address: ports.lane.address };
    await ports.store.heartbeats.beat({ name: keeperHeartbeat, nowMs: ports.clock.nowMs(), succeeded: true, detail });
  }
}
