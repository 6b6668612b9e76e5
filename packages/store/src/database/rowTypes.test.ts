import { hashOf, sampleNowMs } from '@core/position/testing';
import { expect, test } from 'vitest';
import { execute, openTestStore } from '../../testing/index.ts';

test('a numeric column that holds no whole number: its value is NaN, the other rows are read', async () => {
  const { store, database, close } = await openTestStore();
  const { intents } = store;
  const effect = { subject: hashOf(1), operation: 'settle', attempt: 0, plan: {} };
  const lock = { lockName: 'lock', fenceToken: 1n, nowMs: sampleNowMs };
  const { intent } = await intents.prepare({ ...effect, ...lock });
  for (const number of [1, 2]) {
    await intents.addTransaction({
      intentId: intent.id,
      hash: hashOf(number),
      rawTransaction: '0x',
      maxFeePerGasWei: BigInt(number),
      maxPriorityFeeWei: 1n,
      createdAtMs: sampleNowMs,
    });
  }
  const statement = `UPDATE intent_transactions SET max_fee_per_gas_wei = 'NaN' WHERE hash = '${hashOf(1)}'`;
  await execute(database.databaseUrl, statement);
  const fees = (await intents.transactions(intent.id)).map(({ maxFeePerGasWei }) => maxFeePerGasWei);
  expect(fees).toEqual([2n, Number.NaN]);
  await close();
});
