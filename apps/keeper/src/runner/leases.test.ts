import { openStore } from '@core/store';
import { openTestStore, type TestStore } from '@core/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Leases, lockHolder } from './leases.ts';
import { locks } from './task.ts';

let database: TestStore;
beforeAll(async () => {
  database = await openTestStore();
});
afterAll(() => database.close());

test('leases: a second process with the same key gets neither the lock of the key nor those that need it', async () => {
  const other = openStore({ databaseUrl: database.database.databaseUrl });
  const [first, second] = [new Leases(database.store.locks), new Leases(other.locks)];
  const holdFirst = lockHolder(first, '0xA');
  const holdSecond = lockHolder(second, '0xa');
  expect((await holdFirst(locks.signer))?.name).toBe('keeper:signer:0xa');
  expect(await holdSecond(locks.signer)).toBeNull();
  expect(await holdSecond(locks.registrations)).toBeNull();
  // What signs nothing is done by whichever asks first, and another key registers as well.
  expect((await holdSecond(locks.index))?.name).toBe('keeper:index');
  expect((await lockHolder(second, '0xb')(locks.registrations))?.name).toBe('keeper:registrations');
  await second.release();
  expect(await holdFirst(locks.registrations)).not.toBeNull();
  await first.release();
  await other.close();
});
