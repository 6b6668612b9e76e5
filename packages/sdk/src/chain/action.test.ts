import { expect, test } from 'vitest';
import { offlineUser, openPosition, recordingWallet } from '../../testing/offlineService.ts';
import type { Position, Step } from '../index.ts';

const addition = () => {
  const wallet = recordingWallet();
  return { wallet, action: offlineUser().positions.addMargin(openPosition, { wallet, amountUsd: '2.5' }) };
};

test('an action: awaited three times, concurrently and later → sent once, one result', async () => {
  const { wallet, action } = addition();
  const [first, second] = await Promise.all([action, action]);
  expect(await action).toBe(first);
  expect(second).toBe(first);
  // Allowance and call.
  expect(wallet.sent).toHaveLength(2);
});

test('an action: iterated and awaited → every reader gets every step, sent once', async () => {
  const { wallet, action } = addition();
  const stepsOf = (): Promise<readonly Step<Position>[]> => Array.fromAsync(action);
  const [steps, others, result] = await Promise.all([stepsOf(), stepsOf(), action]);
  expect(others).toEqual(steps);
  expect(await stepsOf()).toEqual(steps);
  expect(steps.map(({ step }) => step)).toEqual(['approve', 'send', 'sign', 'send', 'wait', 'done']);
  expect(steps.at(-1)).toEqual({ step: 'done', result, block: null });
  expect(wallet.sent).toHaveLength(2);
});

test('an action: abandoned before the wallet signs, then awaited → continues, sent once', async () => {
  const { wallet, action } = addition();
  for await (const { step } of action) if (step === 'sign') break;
  expect(wallet.sent).toHaveLength(1);
  await action;
  expect(wallet.sent).toHaveLength(2);
});

test('an action: failed → every reader gets the same error, nothing is sent again', async () => {
  const failure = Object.assign(new Error('execution reverted'), { code: 3, data: '0x0dd7d6b2' });
  const wallet = recordingWallet({
    eth_estimateGas: () => {
      throw failure;
    },
  });
  const action = offlineUser().positions.claim(openPosition, { wallet });
  const outcomes = await Promise.allSettled([action, Array.fromAsync(action), action]);
  const [first, ...others] = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : null));
  expect(first).toMatchObject({ code: 'transaction_reverted' });
  expect(others).toEqual([first, first]);
  expect(wallet.methods.filter((method) => method === 'eth_estimateGas')).toHaveLength(1);
});
