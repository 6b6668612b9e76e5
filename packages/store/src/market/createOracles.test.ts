import { type Hex, lowerHex } from '@core/position';
import { sampleNowMs } from '@core/position/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, sampleMarket, settledEvents, type TestStore } from '../../testing/index.ts';
import { isDatabaseFault } from '../database/databaseFault.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

const address = '0xAbCdEf0123456789aBcDeF0123456789abcdef01';
const other = '0x1111111111111111111111111111111111111111';
const listed = (number: number, oracleAddress: Hex | null = address) => sampleMarket(number, { oracleAddress });
const reasonOf = async (number: number): Promise<string | null | undefined> =>
  (await testStore.store.markets.byTicker(`market-${number}`))?.disabledReason;

/** Repeat what waited too long for the lock of another, as the tasks that list and stop do. */
async function untilDone(write: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isDatabaseFault(error)) throw error;
    }
  }
}

test('a stop disables present and later markets of the oracle alone; a resume undoes it', async () => {
  const { markets, oracles, outbox } = testStore.store;
  await markets.sync([listed(1), listed(2), listed(3, other), listed(4, null)], sampleNowMs);
  const own = await markets.byTicker('market-2');
  await markets.setDisabled(own?.id ?? '', 'by hand', sampleNowMs);
  const before = await outbox.settledPlace();
  const stop = { address, reason: 'paid 3 to 1', stoppedAtMs: sampleNowMs + 5_000 };
  expect([await oracles.stop(stop), await oracles.stop(stop)]).toEqual([true, false]);
  expect(await oracles.stopped()).toEqual([{ ...stop, address: address.toLowerCase() }]);
  expect(await Promise.all([1, 2, 3, 4].map(reasonOf))).toEqual(['oracle_stopped', 'by hand', null, null]);

  await markets.sync([listed(4), listed(5, lowerHex(address)), listed(6, other)], sampleNowMs + 6_000);
  expect(await Promise.all([4, 5, 6].map(reasonOf))).toEqual(['oracle_stopped', 'oracle_stopped', null]);

  expect([await oracles.resume(address, sampleNowMs + 9_000), await oracles.resume(address, sampleNowMs)]).toEqual([
    true,
    false,
  ]);
  expect(await Promise.all([1, 2, 4, 5].map(reasonOf))).toEqual([null, 'by hand', null, null]);
  expect(await oracles.stopped()).toEqual([]);

  const records = await settledEvents(outbox, before);
  const changes = records.filter(({ type, marketId }) => type === 'market.updated' && marketId !== own?.id);
  expect(
    changes
      .map(({ payload }) => Reflect.get(Object(payload), 'ticker'))
      .toSorted((a, b) => String(a).localeCompare(String(b))),
  ).toEqual(['market-1', 'market-1', 'market-4', 'market-5']);
});

test('a concurrent listing and stop leave no market enabled', async () => {
  const { markets, oracles } = testStore.store;
  const numbers = Array.from({ length: 12 }, (_, index) => 100 + index);
  const racer = '0x2222222222222222222222222222222222222222';
  await Promise.all([
    ...numbers.map((number) => untilDone(() => markets.sync([listed(number, racer)], sampleNowMs))),
    untilDone(() => oracles.stop({ address: racer, reason: 'a race', stoppedAtMs: sampleNowMs })),
  ]);
  expect(new Set(await Promise.all(numbers.map(reasonOf)))).toEqual(new Set(['oracle_stopped']));
});
