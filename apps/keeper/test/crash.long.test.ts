import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failpointMoments } from '../src/transactions/failpoint.ts';
import { liquidateThroughCrashes, liveThroughCrashes, orderEffects } from '../testing/crashes.ts';
import { isLastingCrypto, startTestStack, type TestStack } from '../testing/startTestStack.ts';

// A stack for each moment: what the crashes of one leave behind does not reach the next.
describe.each(failpointMoments)('F14: a keeper killed %s', (moment) => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await startTestStack({ isApart: true, isListed: isLastingCrypto });
  });
  afterAll(() => stack.close());

  test.each(orderEffects)('of %s → opens and closes once', async (effect) => {
    expect(await liveThroughCrashes(stack, { effect, moment })).toMatchObject({ closeReason: 'closed' });
  });

  test('of every effect of a liquidation → sells once', async () => {
    expect(await liquidateThroughCrashes(stack, moment)).toMatchObject({ closeReason: 'liquidated' });
  });
});
