import type { Lease, Store } from '@core/store';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { foldPostponedTask } from './foldPostponed.ts';

const lease = { name: 'keeper:index', fenceToken: 1n } as Lease;

test('postponed positions: the list is read once for all, each position by its key', async () => {
  const waiting = new Set(Array.from({ length: 50 }, (_, number) => `0x${number}`));
  let readCount = 0;
  const read = (keys: Iterable<string>) => {
    const rows = [...keys].filter((key) => waiting.has(key)).map((positionKey) => ({ positionKey, fromBlock: 1n }));
    readCount += rows.length;
    return Promise.resolve(rows);
  };
  const chain = {
    lockCursor: () => Promise.resolve({ blockNumber: 9n }),
    postponed: () => read(waiting),
    postponedAmong: (_chainKey: string, positionKeys: readonly string[]) => read(positionKeys),
    removePostponed: (_chainKey: string, positionKey: string) => Promise.resolve(waiting.delete(positionKey)),
  };
  const unit = { chain, positions: { markChanged: () => Promise.resolve() } };
  const store = { ...unit, transaction: (work: (part: typeof unit) => Promise<void>) => work(unit) };
  const changed: string[] = [];
  const task = foldPostponedTask({
    source: { chainKey: 'chain' },
    store: store as object as Store,
    project: () => Promise.resolve([]),
    onChanged: (positionKeys) => changed.push(...positionKeys),
    logger: pino({ level: 'silent' }),
    metrics: createKeeperMetrics(),
  });
  await task.run(lease);
  expect([waiting.size, changed.length, readCount]).toEqual([0, 50, 100]);
});
