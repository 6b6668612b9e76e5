import { hashOf, sampleNowMs, samplePosition, walletOf } from '@core/position/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../testing/index.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

const lateMs = sampleNowMs + 40 * 24 * 3_600_000;

test('ended intents: old ones of closed positions and of no position go, those of open positions and of folds stay', async () => {
  const { intents, positions } = testStore.store;
  for (const [number, status, closedAtMs] of [
    [1, 'closed', sampleNowMs],
    [2, 'open', null],
  ] as const) {
    const position = samplePosition(number, { positionKey: hashOf(number), status, closedAtMs });
    await positions.put({ position, transactions: [], unwinds: [], partialCloses: [], ledger: [] });
  }
  const ended = [
    [hashOf(1), 'finalize_close', true],
    [hashOf(1), 'refund', false],
    [hashOf(2), 'finalize_open', false],
    [hashOf(3), 'authorize_open', true],
    [`signer:${walletOf(1).toLowerCase()}`, 'fill_gap', true],
    [hashOf(4), 'register_outcome', false],
  ] as const;
  for (const [subject, operation] of ended) {
    const lock = { lockName: 'lock', fenceToken: 1n, nowMs: sampleNowMs };
    const { intent } = await intents.prepare({ subject, operation, attempt: 1, plan: {}, ...lock });
    await intents.change({ id: intent.id, from: ['prepared'], to: 'final', nowMs: sampleNowMs });
  }
  const underWay = { subject: hashOf(3), operation: 'refund', attempt: 1, plan: {}, lockName: 'lock', fenceToken: 1n };
  await intents.prepare({ ...underWay, nowMs: sampleNowMs });

  expect(await intents.removeEnded(sampleNowMs - 1, 100)).toBe(0);
  expect(await intents.removeEnded(lateMs, 100)).toBe(3);
  for (const [subject, operation, isGone] of ended) {
    expect([operation, (await intents.ofSubject(subject, [operation])).length]).toEqual([operation, isGone ? 0 : 1]);
  }
  expect((await intents.inStates(['prepared'])).length).toBe(1);
});
