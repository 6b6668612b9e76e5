import { keeperHeartbeatOf, keeperReportOf } from '@core/runtime';
import { vaultConstants } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
let keeper: Keeper;

beforeAll(async () => {
  stack = await startTestStack();
  keeper = await stack.startKeeper();
});
afterAll(async () => {
  await keeper.close();
  await stack.close();
});

const plentyWei = 10n ** 22n;

/** Set the native coin of the keeper's account. */
async function setBalance(wei: bigint): Promise<void> {
  const params = [keeper.address, `0x${wei.toString(16)}`];
  await stack.driver.rpc.client.request({ method: 'hardhat_setBalance' as never, params: params as never });
}

/** State of the keeper's chain, as its last heartbeat reports it. */
const reportedChain = async () =>
  keeperReportOf((await stack.store.heartbeats.byName(keeperHeartbeatOf(keeper.address)))?.detail)?.chain;

const untilReported = (what: string, isReported: (chain: Awaited<ReturnType<typeof reportedChain>>) => boolean) =>
  stack.until(what, async () => {
    const chain = await reportedChain();
    return isReported(chain) ? chain : undefined;
  });

test('a keeper without native coin says so before it sends, names the refusal of the node, and recovers by itself', async () => {
  const market = await stack.tradableMarket();
  await untilReported('a keeper that can pay', (chain) => chain?.problems.length === 0 && chain.coin !== null);

  await setBalance(0n);
  await untilReported('the empty account', (chain) => chain?.problems.includes('balance_too_low') === true);
  const { alice } = stack.deployment.roles;
  const position = await stack.open({ user: alice, market });
  const stuck = await untilReported('the refusal', (chain) => chain?.problems.includes('sends_refused') === true);
  expect(stuck.refusal).toMatch(/funds/);
  const readiness = await fetch(`${keeper.metricsUrl}/readyz`);
  expect([readiness.status, await readiness.json()]).toMatchObject([503, { chain: { refusal: stuck.refusal } }]);

  // The refusal may be that of another transaction, and an opening without an attempt would have another reason.
  await stack.until('an attempt of the opening', async () => {
    const attempts = await stack.store.intents.ofSubject(position.positionKey, ['authorize_open']);
    return attempts.length > 0 || undefined;
  });
  await stack.advance(vaultConstants.openWindowSeconds);
  await setBalance(plentyWei);
  const refunded = await stack.reaches(position, 'cancelled');
  expect(refunded).toMatchObject({ closeReason: 'reverted', failureReason: 'transaction_not_mined' });
  await untilReported('recovery', (chain) => chain?.problems.length === 0 && chain.refusal === null);
});
