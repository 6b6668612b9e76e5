import { hashOf, sampleNowMs, samplePosition } from '@core/position/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, sampleMarket, type TestStore } from '../../testing/index.ts';

let database: TestStore;
beforeAll(async () => {
  database = await openTestStore();
});
afterAll(() => database.close());

const limits = { authorize_open: 2, finalize_open: 1 };

test('inputs of a step: equal to separate reads of record, market and intents', async () => {
  const { positions, markets, intents, steps } = database.store;
  await markets.sync([sampleMarket(1)], sampleNowMs);
  const market = await markets.byTicker(sampleMarket(1).ticker);
  const listed = samplePosition(1, { marketId: market?.id ?? '' });
  const unlisted = samplePosition(2, { marketId: null });
  for (const position of [listed, unlisted]) {
    await positions.put({ position, transactions: [], unwinds: [], partialCloses: [], ledger: [] });
  }
  const { positionKey: subject } = listed;
  for (const attempt of [1, 2, 3]) {
    const nowMs = sampleNowMs + attempt;
    const lock = { lockName: 'lock', fenceToken: 100n };
    const { intent } = await intents.prepare({
      ...lock,
      subject,
      operation: 'authorize_open',
      attempt,
      plan: { salt: 5n },
      nowMs,
    });
    await intents.change({ id: intent.id, from: ['prepared'], to: 'dropped', nowMs, outcome: { revert: 'late' } });
  }
  const inputs = await steps.inputs(subject.toUpperCase().replace('0X', '0x'), limits);
  expect(inputs).toEqual({
    record: await positions.byKey(subject),
    market: await markets.byId(market?.id ?? ''),
    intents: await intents.recent(subject, limits),
  });
  expect(inputs?.intents.map(({ attempt }) => attempt)).toEqual([2, 3]);
  expect(await steps.inputs(unlisted.positionKey, limits)).toEqual({
    record: await positions.byKey(unlisted.positionKey),
    market: null,
    intents: [],
  });
  expect(await steps.inputs(hashOf(3), limits)).toBeNull();
});
