import type { Lease, PositionRecord } from '@core/store';
import type { KeeperPorts } from '../ports.ts';
import { advancePosition } from '../position/advancePosition.ts';

/** Positions worked on at the same time: the lane takes turns anyway, the rest of the work is waiting for answers. */
const maxConcurrent = 8;

/** One round over every position that may need something. A position that fails does not stop the others. */
export async function advancePositions(ports: KeeperPorts, lease: Lease): Promise<void> {
  const records = await ports.store.positions.inStatuses(['pending', 'open', 'unwinding', 'closing', 'settling']);
  const due = records.filter(isDue);
  const failures: unknown[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < due.length && !lease.signal.aborted) {
      const record = due[next];
      next += 1;
      if (record !== undefined) {
        await advance(ports, record, lease).catch((error: unknown) => failures.push(error));
      }
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, work));
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} of ${due.length} positions could not be advanced`);
  }
}

/** An open position with nothing asked, nothing live and no payouts has nothing to be looked at for. */
function isDue({ status }: PositionRecord): boolean {
  return status !== 'open';
}

async function advance(ports: KeeperPorts, record: PositionRecord, lease: Lease): Promise<void> {
  const market = record.marketId === null ? null : await ports.store.markets.byId(record.marketId);
  if (market !== null) {
    await advancePosition(ports, { record, market }, lease);
  }
}
