import type { Lease, PositionRecord } from '@core/store';
import type { KeeperPorts } from '../ports.ts';
import { advancePosition } from '../position/advancePosition.ts';

/** Positions worked on at the same time: the lane takes turns anyway, the rest of the work is waiting for answers. */
const maxConcurrent = 8;

/** One round over every position that may need something. A position that fails does not stop the others. */
export async function advancePositions(ports: KeeperPorts, lease: Lease): Promise<void> {
  const busy = await ports.store.positions.inStatuses(['pending', 'unwinding', 'closing', 'settling']);
  const due = [...busy, ...(await dueDebts(ports, busy))];
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

/** Open positions have nothing to be looked at for, unless their market came near their liquidation price. */
async function dueDebts(
  { store, debts }: KeeperPorts,
  busy: readonly PositionRecord[],
): Promise<readonly PositionRecord[]> {
  const seen = new Set(busy.map(({ positionKey }) => positionKey));
  const keys = debts.takeDue().filter((positionKey) => !seen.has(positionKey));
  const records = await Promise.all(keys.map((positionKey) => store.positions.byKey(positionKey)));
  return records.filter((record) => record !== null).filter(({ frozenReason }) => frozenReason === null);
}

async function advance(ports: KeeperPorts, record: PositionRecord, lease: Lease): Promise<void> {
  const market = record.marketId === null ? null : await ports.store.markets.byId(record.marketId);
  if (market !== null) {
    await advancePosition(ports, { record, market }, lease);
  }
}
