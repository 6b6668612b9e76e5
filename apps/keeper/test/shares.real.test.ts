import { raw } from '@core/pricing';
import { defaultMarketShareCount } from '@core/runtime';
import { startHttpFaultProxy } from '@core/testkit';
import { SigningKey } from '@core/vault';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { intentsOfSubject } from '../src/transactions/intents.ts';
import { everyIntentToEnd, expectOneFill } from '../testing/crashes.ts';
import { heldShares, marketHeldBy, untilShared } from '../testing/keeperShares.ts';
import { exitOf, isLastingCrypto, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ isListed: isLastingCrypto });
});
afterEach(async () => {
  // The last first: a proxy outlives the keeper behind it.
  for (const end of cleanups.splice(0).toReversed()) await end();
});
afterAll(() => stack.close());

/** Cleanup of the keepers of a test, run even if it failed. */
const cleanups: (() => Promise<unknown>)[] = [];

async function startKeeper(changes: Parameters<TestStack['startKeeper']>[0] = {}): Promise<void> {
  const keeper = await stack.startKeeper(changes);
  cleanups.push(() => keeper.close());
}

/** The keys that signed the transactions for a position. */
async function signersOf(positionKey: string): Promise<readonly (string | null)[]> {
  const intents = await intentsOfSubject(stack.store.intents, positionKey);
  return [
    ...new Set(intents.filter(({ plan }) => plan.kind === 'transaction').map(({ signerAddress }) => signerAddress)),
  ];
}

const holdsAll = (address: string) =>
  stack.until(`${address} to hold every share`, async () =>
    (await heldShares(stack.store, address)).length === defaultMarketShareCount ? true : undefined,
  );

test('two keepers share the markets, each works in its own, and one that is killed is followed by the other', async () => {
  const { keeper, keeperStandby, alice, bob } = stack.deployment.roles;
  const first = stack.spawnKeeper();
  cleanups.push(() => (first.kill('SIGKILL') ? exitOf(first) : Promise.resolve(null)));
  await holdsAll(keeper.address);
  await startKeeper({ signer: new SigningKey(keeperStandby.privateKey) });
  await untilShared(stack, [keeper.address, keeperStandby.address]);

  const ofFirst = await stack.open({ user: alice, market: await marketHeldBy(stack, keeper.address) });
  const ofSecond = await stack.open({ user: bob, market: await marketHeldBy(stack, keeperStandby.address) });
  const openRecord = await stack.reaches(ofFirst, 'open');
  await stack.reaches(ofSecond, 'open');
  expect(await signersOf(ofFirst.positionKey)).toEqual([keeper.address.toLowerCase()]);
  expect(await signersOf(ofSecond.positionKey)).toEqual([keeperStandby.address.toLowerCase()]);

  first.kill('SIGKILL');
  await exitOf(first);
  await stack.driver.requestClose({ position: ofFirst, sender: alice, tokenUnits: raw(openRecord.tokenUnits) });
  await stack.reaches(ofFirst, 'closed');
  expect(await signersOf(ofFirst.positionKey)).toEqual([
    keeper.address.toLowerCase(),
    keeperStandby.address.toLowerCase(),
  ]);
  await everyIntentToEnd(stack);
  for (const purpose of ['open', 'close'] as const) await expectOneFill(stack, { position: ofFirst, purpose });
  await holdsAll(keeperStandby.address);
});

test('shares: one of two keepers cannot reach its chain → it gives them back, and gets some again when it can', async () => {
  const { keeper, keeperStandby, carol } = stack.deployment.roles;
  const proxy = await startHttpFaultProxy(stack.rpcUrl);
  cleanups.push(() => proxy.close());
  await startKeeper({ rpcUrl: proxy.url });
  await holdsAll(keeper.address);
  await startKeeper({ signer: new SigningKey(keeperStandby.privateKey) });
  await untilShared(stack, [keeper.address, keeperStandby.address]);
  const market = await marketHeldBy(stack, keeper.address);

  proxy.addRule({ matches: () => true, fault: { kind: 'hang' }, times: Number.MAX_SAFE_INTEGER });
  const position = await stack.open({ user: carol, market });
  await stack.reaches(position, 'open');
  expect((await signersOf(position.positionKey)).at(-1)).toBe(keeperStandby.address.toLowerCase());
  await holdsAll(keeperStandby.address);
  await everyIntentToEnd(stack);
  await expectOneFill(stack, { position, purpose: 'open' });

  proxy.clearRules();
  await untilShared(stack, [keeper.address, keeperStandby.address]);
});

test('share count: changed while two keepers work → both divide the new shares, and every effect happens once', async () => {
  const { keeper, keeperStandby, alice } = stack.deployment.roles;
  cleanups.push(() => stack.store.sharing.setShareCount(defaultMarketShareCount, 0));
  await startKeeper();
  await startKeeper({ signer: new SigningKey(keeperStandby.privateKey) });
  await untilShared(stack, [keeper.address, keeperStandby.address]);
  const position = await stack.open({ user: alice, market: await marketHeldBy(stack, keeper.address) });
  for (const shareCount of [4, 256]) {
    await stack.store.sharing.setShareCount(shareCount, 0);
    await untilShared(stack, [keeper.address, keeperStandby.address]);
  }
  const { tokenUnits } = await stack.reaches(position, 'open');
  expect((await heldShares(stack.store, keeper.address)).length).toBe(128);
  await stack.store.sharing.setShareCount(16, 0);
  await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(tokenUnits) });
  await stack.reaches(position, 'closed');
  await everyIntentToEnd(stack);
  for (const purpose of ['open', 'close'] as const) await expectOneFill(stack, { position, purpose });
});
