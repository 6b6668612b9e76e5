import { afterAll, beforeAll, expect, test } from 'vitest';
import { liquidateThroughCrashes, liveThroughCrashes, orderEffects } from '../testing/crashes.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const moment = 'after_broadcast';

test.each(orderEffects)(
  'F14: a keeper killed after sending and before recording %s → opens and closes once',
  async (effect) => {
    expect(await liveThroughCrashes(stack, { effect, moment })).toMatchObject({ closeReason: 'closed' });
  },
);

test('F14: a keeper killed after sending and before recording each effect of a liquidation → sells once', async () => {
  expect(await liquidateThroughCrashes(stack, moment)).toMatchObject({ closeReason: 'liquidated' });
});
