import { leverageBps } from '@core/pricing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failpointMoments } from '../src/transactions/failpoint.ts';
import {
  dieAt,
  expectOneFill,
  expectOneTransactionPerIntent,
  patienceMs,
  recover,
  registeredMarket,
} from '../testing/crashes.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

test.each(failpointMoments)(
  'F14: killed %s of every effect of a liquidation, it sells once',
  async (point) => {
    const { carol: user } = stack.deployment.roles;
    const market = await registeredMarket(stack);
    const side = await stack.likelierSide(market);
    const position = await stack.open({ user, market, side, leverageBps: leverageBps(50_000n) });
    await recover(stack, { position, status: 'open' });
    await stack.fallUnderLiquidation({ market, side, position }, 200n);
    for (const effect of ['authorize', 'post', 'finalize']) await dieAt(stack, `${effect}_liquidate:${point}`);
    await recover(stack, { position, status: 'liquidated' });
    await expectOneTransactionPerIntent(stack);
    await expectOneFill(stack, { position, purpose: 'liquidate' });
    expect(await stack.driver.usdcOf(position.account)).toBe(0n);
  },
  patienceMs,
);
