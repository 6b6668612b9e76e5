import { raw } from '@core/pricing';
import { shareLockOf } from '@core/store';
import { SigningKey, vaultAbi } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { marketHeldBy, untilShared } from '../testing/keeperShares.ts';
import { exitOf, isLastingCrypto, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ isListed: isLastingCrypto });
});
afterAll(() => stack.close());

test.each(['authorize_open:after_broadcast', 'post_open:after_broadcast', 'finalize_open:after_sign'])(
  'F13: with two keepers everything happens once, also when the working one is killed at %s',
  async (failpoint) => {
    const { bob, keeper, keeperStandby } = stack.deployment.roles;
    const fenceToken = await stack.store.locks.fenceToken(shareLockOf({ share: 0, shareCount: 64 }));
    const working = stack.spawnKeeper(failpoint);
    await stack.until('the first keeper to hold the shares', async () =>
      (await stack.store.locks.fenceToken(shareLockOf({ share: 0, shareCount: 64 }))) > fenceToken ? true : undefined,
    );
    const standby = await stack.startKeeper({ signer: new SigningKey(keeperStandby.privateKey) });
    await untilShared(stack, [keeper.address, keeperStandby.address]);
    const market = await marketHeldBy(stack, keeper.address);
    const before = await stack.driver.usdcOf(bob.address);
    const position = await stack.open({ user: bob, market });
    expect(`${failpoint} ${await exitOf(working)}`).toBe(`${failpoint} SIGKILL`);
    const openRecord = await stack.reaches(position, 'open');
    const paid =
      raw(openRecord.quotedCollateralUsdcUnits) +
      raw(openRecord.quotedOriginationFeeUsdcUnits) +
      raw(openRecord.quotedVenueFeeUsdcUnits);
    expect((await stack.driver.usdcOf(bob.address)) - before).toBe(raw(openRecord.refundedUsdcUnits) - paid);
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
    const posts = await stack.store.intents.ofSubject(position.positionKey, ['post_open']);
    expect(posts.filter(({ state }) => state === 'final').length).toBe(1);
    await standby.close();
  },
);
