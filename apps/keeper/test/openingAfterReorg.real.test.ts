import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
let keeper: Keeper;
beforeAll(async () => {
  stack = await startTestStack({ isApart: true });
  keeper = await stack.startKeeper();
});
afterAll(async () => {
  await keeper.close();
  await stack.close();
});

const rpc = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
  stack.driver.rpc.client.request({ method: method as never, params: params as never });

test('opening: a reorganisation took an earlier one and the calls for it → it opens', async () => {
  const { alice, bob, keeper: signer } = stack.deployment.roles;
  const { client } = stack.driver.rpc;
  const market = await stack.tradableMarket();
  const head = await client.getBlockNumber();
  const undone = await stack.open({ user: alice, market });
  await stack.until('the authorisation to be final', async () => {
    const intents = await stack.store.intents.ofSubject(undone.positionKey, ['authorize_open']);
    return intents.some(({ state }) => state === 'final') ? true : undefined;
  });
  // Nothing is mined between the reading of the head, the reorganisation and the reading of what it took.
  const nonce = await stack.holdStill(async () => {
    const before = await client.getTransactionCount({ address: signer.address });
    await rpc('anvil_reorg', [Number((await client.getBlockNumber()) - head), []]);
    expect(await client.getTransactionCount({ address: signer.address })).toBeLessThan(before);
    return before;
  });

  await stack.until('the lost calls to be mined again', async () =>
    (await client.getTransactionCount({ address: signer.address })) >= nonce ? true : undefined,
  );
  const position = await stack.open({ user: bob, market: await stack.tradableMarket() });
  await stack.reaches(position, 'open');
  expect(await stack.store.positions.byKey(undone.positionKey)).toBeNull();
});
