import type { LocalPosition } from '@core/contracts/local';
import type { Position, PositionStatus } from '@core/position';
import { leverageBps, raw } from '@core/pricing';
import type { MarketRecord } from '@core/store';
import { vaultAbi } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failpointMoments } from '../src/transactions/failpoint.ts';
import { ofOperation } from '../src/transactions/intents.ts';
import { exitOf, startTestStack, type TestStack } from '../testing/startTestStack.ts';
import { namedTypesOf } from '../testing/writtenEvents.ts';

let stack: TestStack;
/** Dozens of processes start one after the other, each with all of its modules. */
const patienceMs = 1_800_000;
/** The newest fencing token of the effects that was seen. */
let held = 0n;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

/** Lets a keeper of its own process kill itself at a named point. */
async function dieAt(failpoint: string): Promise<void> {
  const child = stack.spawnKeeper(failpoint);
  const timer = setTimeout(() => child.kill('SIGTERM'), 300_000);
  expect(`${failpoint} ${await exitOf(child)}`).toBe(`${failpoint} SIGKILL`);
  clearTimeout(timer);
}

/** Starts a keeper over the remains, which works until the position has a status and nothing is left to do. */
async function recover(position: LocalPosition, status: PositionStatus): Promise<Position> {
  const keeper = await stack.startKeeper();
  const record = await stack.reaches(position, status);
  await everyIntentToEnd();
  await keeper.close();
  return record;
}

/** A market that an earlier keeper registered or that one registers now. */
async function registeredMarket(): Promise<MarketRecord> {
  const keeper = await stack.startKeeper();
  const market = await stack.tradableMarket();
  await keeper.close();
  return market;
}

/** Everything the keeper ever sent: one mined transaction per intent that was carried out, and no nonce without one. */
async function expectOneTransactionPerIntent(): Promise<void> {
  const { store, driver, deployment } = stack;
  const client = driver.rpc.client;
  const sent = (await store.intents.inStates(['included', 'final', 'reverted'])).filter(({ nonce }) => nonce !== null);
  const nonces = sent.map(({ nonce }) => nonce).toSorted((left, right) => Number(left) - Number(right));
  const chainNonce = await client.getTransactionCount({ address: deployment.roles.keeper.address });
  expect(nonces).toEqual(Array.from({ length: chainNonce }, (_, index) => index));
  for (const intent of sent) {
    const hashes = (await store.intents.transactions(intent.id)).map(({ hash }) => hash as `0x${string}`);
    const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash }).catch(() => null)));
    expect(receipts.filter((receipt) => receipt !== null).length).toBe(1);
  }
}

/** The position was sold by one order of that purpose; one that ran out while no keeper was there sold nothing. */
async function expectOneFill(position: LocalPosition, purpose: 'open' | 'close' | 'liquidate'): Promise<void> {
  const intents = await stack.intents.ofSubject(position.positionKey);
  const posts = ofOperation(intents, `post_${purpose}`);
  expect(posts.filter(({ outcome }) => (outcome?.trades.length ?? 0) > 0).length).toBe(1);
  const authorised = ofOperation(intents, `authorize_${purpose}`).filter(({ state }) => state === 'final');
  const finalised = ofOperation(intents, `finalize_${purpose}`).filter(({ state }) => state === 'final');
  // Each sale that the vault allowed was ended, none twice; an opening takes the place of one that ran out.
  expect(finalised.length).toBe(purpose === 'open' ? 1 : authorised.length);
}

async function everyIntentToEnd(): Promise<void> {
  await stack.until('every intent to be final', async () => {
    const unfinished = await stack.store.intents.inStates(['prepared', 'signed', 'broadcast', 'included', 'reorged']);
    return unfinished.length === 0 ? true : undefined;
  });
}

test.each(['authorize', 'post', 'finalize'])(
  'F14: killed at every named point of %s, it opens and closes once and loses nothing',
  async (effect) => {
    const { alice, keeper: keeperAccount } = stack.deployment.roles;
    const market = await registeredMarket();
    for (const point of failpointMoments) {
      const before = await stack.driver.usdcOf(alice.address);
      const position = await stack.open({ user: alice, market });
      await dieAt(`${effect}_open:${point}`);
      const opened = await recover(position, 'open');
      await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(opened.tokenUnits) });
      await dieAt(`${effect}_close:${point}`);
      const closed = await recover(position, 'closed');
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
      for (const purpose of ['open', 'close'] as const) await expectOneFill(position, purpose);
    }
    await expectOneTransactionPerIntent();
  },
  patienceMs,
);

test.each(failpointMoments)(
  'F14: killed %s of every effect of a liquidation, it sells once',
  async (point) => {
    const { carol: user } = stack.deployment.roles;
    const market = await registeredMarket();
    const side = await stack.likelierSide(market);
    const position = await stack.open({ user, market, side, leverageBps: leverageBps(50_000n) });
    await recover(position, 'open');
    await stack.fallUnderLiquidation({ market, side, position }, 200n);
    for (const effect of ['authorize', 'post', 'finalize']) await dieAt(`${effect}_liquidate:${point}`);
    await recover(position, 'liquidated');
    await expectOneTransactionPerIntent();
    await expectOneFill(position, 'liquidate');
    expect(await stack.driver.usdcOf(position.account)).toBe(0n);
  },
  patienceMs,
);

test('F13: with two keepers everything happens once, also when the working one is killed', async () => {
  const { bob, keeperStandby } = stack.deployment.roles;
  const market = await registeredMarket();
  held = await stack.store.locks.fenceToken('keeper:effects');
  for (const failpoint of ['authorize_open:after_broadcast', 'post_open:after_broadcast', 'finalize_open:after_sign']) {
    const working = stack.spawnKeeper(failpoint);
    await stack.until('the first keeper to hold the effects', async () =>
      (await stack.store.locks.fenceToken('keeper:effects')) > held ? true : undefined,
    );
    const standby = await stack.startKeeper({ privateKey: keeperStandby.privateKey });
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
    const filled = await stack.store.intents.ofSubject(position.positionKey, 'post_open');
    expect(filled.filter(({ state }) => state === 'final').length).toBe(1);
    await standby.close();
    held = await stack.store.locks.fenceToken('keeper:effects');
  }
});
