import type { LocalPosition } from '@core/contracts/local';
import { leverageBps, raw } from '@core/pricing';
import { vaultAbi } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crashPoints } from '../src/index.ts';
import { exitOf, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
/** The newest fencing token of the effects that was seen. */
let held = 0n;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

/** Lets a keeper of its own process kill itself at each point in turn, and starts the next one over the remains. */
async function dieAtEvery(operations: readonly string[]): Promise<void> {
  for (const operation of operations) {
    for (const point of crashPoints) {
      const child = stack.spawnKeeper(`${operation}:${point}`);
      const timer = setTimeout(() => child.kill('SIGTERM'), 120_000);
      expect(`${operation}:${point} ${await exitOf(child)}`).toBe(`${operation}:${point} SIGKILL`);
      clearTimeout(timer);
    }
  }
}

/**
 * Everything the keeper ever sent: one mined transaction per intent that was carried out, and no nonce without one. The
 * position has an opening and one sale of that purpose.
 */
async function expectOneTransactionPerIntent(position: LocalPosition, sale: 'close' | 'liquidate'): Promise<void> {
  const { store, desk, deployment } = stack;
  const client = desk.rpc.client;
  const sent = (await store.intents.inStates(['included', 'final', 'reverted'])).filter(({ nonce }) => nonce !== null);
  const nonces = sent.map(({ nonce }) => nonce).toSorted((left, right) => Number(left) - Number(right));
  const chainNonce = await client.getTransactionCount({ address: deployment.roles.keeper.address });
  expect(nonces).toEqual(Array.from({ length: chainNonce }, (_, index) => index));
  for (const intent of sent) {
    const hashes = (await store.intents.transactions(intent.id)).map(({ hash }) => hash as `0x${string}`);
    const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash }).catch(() => null)));
    expect(receipts.filter((receipt) => receipt !== null).length).toBe(1);
  }
  const own = await store.intents.ofSubject(position.positionKey);
  const counted = own.map(({ operation, state }) => `${operation} ${state}`).toSorted();
  expect(counted).toEqual(
    [
      `authorize_${sale} final`,
      'authorize_open final',
      `finalize_${sale} final`,
      'finalize_open final',
      `post_${sale} final`,
      'post_open final',
    ].toSorted(),
  );
}

async function everyIntentToEnd(): Promise<void> {
  await stack.until('every intent to be final', async () => {
    const unfinished = await stack.store.intents.inStates(['prepared', 'signed', 'broadcast', 'included', 'reorged']);
    return unfinished.length === 0 ? true : undefined;
  });
}

test('killed at every named point of opening and closing, it loses nothing and does nothing twice', async () => {
  const { alice, keeper: keeperAccount } = stack.deployment.roles;
  const first = await stack.startKeeper();
  const market = await stack.tradableMarket();
  await first.close();

  const before = await stack.desk.usdcOf(alice.address);
  const position = await stack.open({ user: alice, market });
  await dieAtEvery(['authorize_open', 'post_open', 'finalize_open']);
  const last = stack.spawnKeeper();
  const opened = await stack.reaches(position, 'open');
  last.kill('SIGTERM');
  expect(await exitOf(last)).toBeNull();

  await stack.desk.requestClose({ position, sender: alice, tokenUnits: raw(opened.tokenUnits) });
  await dieAtEvery(['authorize_close', 'post_close', 'finalize_close']);
  const final = await stack.startKeeper();
  const closed = await stack.reaches(position, 'closed');
  await everyIntentToEnd();
  await expectOneTransactionPerIntent(position, 'close');
  const paid =
    raw(closed.quotedCollateralUsdcUnits) +
    raw(closed.quotedOriginationFeeUsdcUnits) +
    raw(closed.quotedVenueFeeUsdcUnits);
  const received = raw(closed.proceedsUsdcUnits) + raw(closed.refundedUsdcUnits);
  expect((await stack.desk.usdcOf(alice.address)) - before).toBe(received - paid);
  expect(await stack.desk.usdcOf(position.account)).toBe(0n);
  expect(await stack.desk.usdcOf(keeperAccount.address)).toBe(0n);
  const types = (await stack.store.outbox.readAfter({ after: 0n, limit: 1_000 }))
    .filter(({ positionId }) => positionId === closed.id)
    .map(({ type }) => type);
  expect(types).toEqual([
    'position.created',
    'position.opening',
    'position.opened',
    'position.close_requested',
    'position.closed',
  ]);
  await final.close();
});

test('killed at every named point of a liquidation, it sells once', async () => {
  const { carol: user } = stack.deployment.roles;
  const first = await stack.startKeeper();
  const market = await stack.tradableMarket();
  const side = await stack.likelierSide(market);
  const position = await stack.open({ user, market, side, leverageBps: leverageBps(50_000n) });
  await stack.reaches(position, 'open');
  await first.close();

  await stack.fallUnderLiquidation({ market, side, position }, 200n);
  await dieAtEvery(['authorize_liquidate', 'post_liquidate', 'finalize_liquidate']);
  const last = await stack.startKeeper();
  await stack.reaches(position, 'liquidated');
  await everyIntentToEnd();
  await expectOneTransactionPerIntent(position, 'liquidate');
  expect(await stack.desk.usdcOf(position.account)).toBe(0n);
  await last.close();
});

test('with two keepers everything happens once, also when the working one is killed', async () => {
  const { bob, keeperStandby } = stack.deployment.roles;
  const market = await stack.until('another market', async () => {
    const keeper = await stack.startKeeper();
    const found = await stack.tradableMarket();
    await keeper.close();
    return found;
  });
  held = await stack.store.locks.fenceToken('keeper:effects');
  for (const crashPoint of [
    'authorize_open:after_broadcast',
    'post_open:after_broadcast',
    'finalize_open:after_sign',
  ]) {
    const working = stack.spawnKeeper(crashPoint);
    await stack.until('the first keeper to hold the effects', async () =>
      (await stack.store.locks.fenceToken('keeper:effects')) > held ? true : undefined,
    );
    const standby = await stack.startKeeper({ privateKey: keeperStandby.privateKey });
    const before = await stack.desk.usdcOf(bob.address);
    const position = await stack.open({ user: bob, market });
    expect(`${crashPoint} ${await exitOf(working)}`).toBe(`${crashPoint} SIGKILL`);
    const opened = await stack.reaches(position, 'open');
    const paid =
      raw(opened.quotedCollateralUsdcUnits) +
      raw(opened.quotedOriginationFeeUsdcUnits) +
      raw(opened.quotedVenueFeeUsdcUnits);
    expect((await stack.desk.usdcOf(bob.address)) - before).toBe(raw(opened.refundedUsdcUnits) - paid);
    const openings = (
      await stack.desk.rpc.client.getContractEvents({
        address: stack.deployment.contracts.vault,
        abi: vaultAbi,
        eventName: 'PositionOpened',
        args: { positionKey: position.positionKey },
        fromBlock: 0n,
      })
    ).length;
    expect(openings).toBe(1);
    const filled = await stack.store.intents.ofSubject(position.positionKey, 'post_open');
    expect(filled.filter(({ state }) => state === 'final').length).toBe(1);
    await standby.close();
    held = await stack.store.locks.fenceToken('keeper:effects');
  }
});
