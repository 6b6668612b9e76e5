import { raw } from '@core/pricing';
import { vaultAbi } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareLockOf } from '../src/runner/task.ts';
import { failpointMoments } from '../src/transactions/failpoint.ts';
import {
  dieAt,
  expectOneFill,
  expectOneTransactionPerIntent,
  patienceMs,
  recover,
  registeredMarket,
} from '../testing/crashes.ts';
import { marketHeldBy, untilShared } from '../testing/keeperShares.ts';
import { exitOf, startTestStack, type TestStack } from '../testing/startTestStack.ts';
import { namedTypesOf } from '../testing/writtenEvents.ts';

let stack: TestStack;
/** The newest fencing token of a share that was seen. */
let held = 0n;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

test.each(['authorize', 'post', 'finalize'])(
  'F14: killed at every named point of %s, it opens and closes once and loses nothing',
  async (effect) => {
    const { alice, keeper: keeperAccount } = stack.deployment.roles;
    const market = await registeredMarket(stack);
    for (const point of failpointMoments) {
      const before = await stack.driver.usdcOf(alice.address);
      const position = await stack.open({ user: alice, market });
      await dieAt(stack, `${effect}_open:${point}`);
      const opened = await recover(stack, { position, status: 'open' });
      await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(opened.tokenUnits) });
      await dieAt(stack, `${effect}_close:${point}`);
      const closed = await recover(stack, { position, status: 'closed' });
      const paid =
        raw(closed.quotedCollateralUsdcUnits) +
        raw(closed.quotedOriginationFeeUsdcUnits) +
        raw(closed.quotedVenueFeeUsdcUnits);
      const received = raw(closed.proceedsUsdcUnits) + raw(closed.refundedUsdcUnits);
      expect((await stack.driver.usdcOf(alice.address)) - before).toBe(received - paid);
      expect(await stack.driver.usdcOf(position.account)).toBe(0n);
      expect(await stack.driver.usdcOf(keeperAccount.address)).toBe(0n);
      expect(await namedTypesOf(stack.store, closed.id)).toEqual([
        'position.created',
        'position.opening',
        'position.opened',
        'position.close_requested',
        'position.closed',
      ]);
      for (const purpose of ['open', 'close'] as const) await expectOneFill(stack, { position, purpose });
    }
    await expectOneTransactionPerIntent(stack);
  },
  patienceMs,
);

test('F13: with two keepers everything happens once, also when the working one is killed', async () => {
  const { bob, keeper, keeperStandby } = stack.deployment.roles;
  held = await stack.store.locks.fenceToken(shareLockOf(0));
  for (const failpoint of ['authorize_open:after_broadcast', 'post_open:after_broadcast', 'finalize_open:after_sign']) {
    const working = stack.spawnKeeper(failpoint);
    await stack.until('the first keeper to hold the shares', async () =>
      (await stack.store.locks.fenceToken(shareLockOf(0))) > held ? true : undefined,
    );
    const standby = await stack.startKeeper({ privateKey: keeperStandby.privateKey });
    await untilShared(stack, [keeper.address, keeperStandby.address]);
    const market = await marketHeldBy(stack, keeper.address);
    const before = await stack.driver.usdcOf(bob.address);
    const position = await stack.open({ user: bob, market });
    expect(`${failpoint} ${await exitOf(working)}`).toBe(`${failpoint} SIGKILL`);
    const opened = await stack.reaches(position, 'open');
    const paid =
      raw(opened.quotedCollateralUsdcUnits) +
      raw(opened.quotedOriginationFeeUsdcUnits) +
      raw(opened.quotedVenueFeeUsdcUnits);
    expect((await stack.driver.usdcOf(bob.address)) - before).toBe(raw(opened.refundedUsdcUnits) - paid);
    const openings = (
      await stack.driver.rpc.client.getContractEvents({
        address: stack.deployment.contracts.vault,
        abi: vaultAbi,
        eventName: 'PositionOpened',
        args: { positionKey: position.positionKey },
        fromBlock: 0n,
      })
    ).length;
    expect(openings).toBe(1);
    const filled = await stack.store.intents.ofSubject(position.positionKey, ['post_open']);
    expect(filled.filter(({ state }) => state === 'final').length).toBe(1);
    await standby.close();
    held = await stack.store.locks.fenceToken(shareLockOf(0));
  }
});
