import { leverageBps } from '@core/pricing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

test('keeper: prices from the venue’s socket and two exchanges, markets from the keyset list → it opens and liquidates', async () => {
  const { wsUrl } = stack.venue;
  const sockets = {
    liveData: `${wsUrl}/ws/live-data`,
    sports: `${wsUrl}/ws/sports`,
    coinbase: `${wsUrl}/ws/coinbase`,
    kraken: `${wsUrl}/ws/kraken`,
  };
  const keeper = await stack.startKeeper({ reference: { kind: 'sockets', sockets }, catalogueList: 'keyset' });
  const market = await stack.tradableMarket();
  const side = await stack.likelierSide(market);
  const { alice } = stack.deployment.roles;
  const position = await stack.open({ user: alice, market, side, leverageBps: leverageBps(50_000n) });
  await stack.reaches(position, 'open');
  await stack.fallUnderLiquidation({ market, side, position });
  expect(await stack.reaches(position, 'liquidated')).toMatchObject({ closeReason: 'liquidated' });
  await keeper.close();
});
