import { raw } from '@core/pricing';
import { marketShareCount } from '@core/runtime';
import { startHttpFaultProxy } from '@core/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { intentsOfSubject } from '../src/transactions/intents.ts';
import { expectOneFill } from '../testing/crashes.ts';
import { heldShares, marketHeldBy, untilShared } from '../testing/keeperShares.ts';
import { exitOf, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

/** The keys that signed the transactions for a position. */
async function signersOf(positionKey: string): Promise<readonly (string | null)[]> {
  const intents = await intentsOfSubject(stack.store.intents, positionKey);
  return [
    ...new Set(intents.filter(({ plan }) => plan.kind === 'transaction').map(({ signerAddress }) => signerAddress)),
  ];
}

const holdsAll = (address: string) =>
  stack.until(`${address} to hold every share`, async () =>
    (await heldShares(stack.store, address)).length === marketShareCount ? true : undefined,
  );

test('two keepers share the markets, each works in its own, and one that is killed is followed by the other', async () => {
  const { keeper, keeperStandby, alice, bob } = stack.deployment.roles;
  const first = stack.spawnKeeper();
  await holdsAll(keeper.address);
  const second = await stack.startKeeper({ privateKey: keeperStandby.privateKey });
  await untilShared(stack, [keeper.address, keeperStandby.address]);

  const ofFirst = await stack.open({ user: alice, market: await marketHeldBy(stack, keeper.address) });
  const ofSecond = await stack.open({ user: bob, market: await marketHeldBy(stack, keeperStandby.address) });
  const opened = await stack.reaches(ofFirst, 'open');
  await stack.reaches(ofSecond, 'open');
  expect(await signersOf(ofFirst.positionKey)).toEqual([keeper.address.toLowerCase()]);
  expect(await signersOf(ofSecond.positionKey)).toEqual([keeperStandby.address.toLowerCase()]);

  first.kill('SIGKILL');
  await exitOf(first);
  await stack.driver.requestClose({ position: ofFirst, sender: alice, tokenUnits: raw(opened.tokenUnits) });
  await stack.reaches(ofFirst, 'closed');
  expect(await signersOf(ofFirst.positionKey)).toEqual([
    keeper.address.toLowerCase(),
    keeperStandby.address.toLowerCase(),
  ]);
  for (const purpose of ['open', 'close'] as const) await expectOneFill(stack, { position: ofFirst, purpose });
  await holdsAll(keeperStandby.address);
  await second.close();
});

test('a keeper that cannot reach its chain gives its shares back, and gets some again when it can', async () => {
  const { keeper, keeperStandby, carol } = stack.deployment.roles;
  const proxy = await startHttpFaultProxy(stack.rpcUrl);
  const first = await stack.startKeeper({ rpcUrl: proxy.url });
  await holdsAll(keeper.address);
  const second = await stack.startKeeper({ privateKey: keeperStandby.privateKey });
  await untilShared(stack, [keeper.address, keeperStandby.address]);
  const market = await marketHeldBy(stack, keeper.address);

  proxy.addRule({ matches: () => true, fault: { kind: 'hang' }, times: Number.MAX_SAFE_INTEGER });
  const position = await stack.open({ user: carol, market });
  await stack.reaches(position, 'open');
  expect((await signersOf(position.positionKey)).at(-1)).toBe(keeperStandby.address.toLowerCase());
  await holdsAll(keeperStandby.address);
  await expectOneFill(stack, { position, purpose: 'open' });

  proxy.clearRules();
  await untilShared(stack, [keeper.address, keeperStandby.address]);
  await second.close();
  await first.close();
  await proxy.close();
});
