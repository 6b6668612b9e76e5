import { hashOf, samplePosition } from '@core/position/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, openTestStore, type TestStore } from '../../testing/index.ts';
import type { StoreTransaction } from '../openStore.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

const history = (n: number) => ({
  position: samplePosition(n, { id: `pos_${n}`, positionKey: hashOf(n), updatedBlockNumber: 5n }),
  transactions: [],
  unwinds: [],
  partialCloses: [],
  ledger: [],
});

async function moveCursor(blockNumber: bigint): Promise<void> {
  await testStore.store.chain.advance({
    cursor: { chainKey: 'c', blockNumber, blockHash: hashOf(Number(blockNumber)), finalizedNumber: 0n, blockTimeMs: 0 },
    blocks: [],
    events: [],
  });
}

async function putFrozen(n: number): Promise<string> {
  const { positions } = testStore.store;
  const projection = history(n);
  const { positionKey } = projection.position;
  await positions.put(projection);
  await positions.freeze(positionKey, 'contradiction');
  return positionKey;
}

/** A transaction that has done its work and is kept open until it is let go. */
async function held(work: (unit: StoreTransaction) => Promise<unknown>) {
  const isDone = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const ended = testStore.store.transaction(async (unit) => {
    await work(unit);
    isDone.resolve();
    await letGo.promise;
  });
  await isDone.promise;
  return { ended, letGo: () => letGo.resolve() };
}

const expectWaiting = (count: number): Promise<void> =>
  expect
    .poll(
      () =>
        execute(
          testStore.database.databaseUrl,
          `SELECT count(*)::integer AS count FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        ),
      { timeout: 4_000, interval: 20 },
    )
    .toEqual([{ count }]);

const changedKeys = async (blockNumber: bigint): Promise<readonly string[]> =>
  (await testStore.store.positions.changedSince(blockNumber)).map(({ positionKey }) => positionKey);

test('a freeze lifted during a projection is visible to readers of changes', async () => {
  const { positions } = testStore.store;
  await moveCursor(9n);
  const positionKey = await putFrozen(1);
  const refold = await held(async (unit) => {
    await unit.positions.lockProjections([positionKey]);
    await unit.positions.put(history(1));
  });
  const lifted = positions.unfreeze(positionKey);
  await expectWaiting(1);
  // The index continues, and who follows changes has seen everything up to this block.
  await moveCursor(12n);
  expect(await changedKeys(9n)).toEqual([]);
  refold.letGo();
  await refold.ended;
  expect(await lifted).toBe(true);
  expect(await changedKeys(13n)).toEqual([positionKey]);
  // So it stays, although the next refold knows of no new event.
  await positions.put(history(1));
  expect(await changedKeys(13n)).toEqual([positionKey]);
});

test('a reader of a cursor that moved meanwhile finds the freeze lifted', async () => {
  const { positions, chain } = testStore.store;
  await moveCursor(20n);
  const positionKey = await putFrozen(2);
  const writer = await held((unit) => unit.positions.freeze(positionKey, 'another contradiction'));
  const lifted = positions.unfreeze(positionKey);
  await expectWaiting(1);
  const reading = moveCursor(25n).then(() => Promise.all([positions.byKey(positionKey), chain.cursor('c')]));
  await expectWaiting(2);
  writer.letGo();
  await writer.ended;
  expect(await lifted).toBe(true);
  const [position, cursor] = await reading;
  expect(position?.frozenReason).toBeNull();
  expect(cursor?.blockNumber).toBe(25n);
  expect(await changedKeys(21n)).toContain(positionKey);
});
