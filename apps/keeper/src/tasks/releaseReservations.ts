import type { KeeperPorts } from '../ports.ts';

const batchSize = 500;

/** Gives back what quotes reserved that nobody used in time. Each reservation is released once, by whoever comes first. */
export async function releaseReservations(ports: KeeperPorts): Promise<void> {
  const released = await ports.store.usage.releaseExpired(ports.clock.nowMs(), batchSize);
  if (released.length > 0) {
    ports.logger.debug({ count: released.length }, 'reservations released');
  }
}
