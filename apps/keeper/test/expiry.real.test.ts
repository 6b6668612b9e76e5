import type { LocalPosition } from '@core/contracts/local';
import type { MarketRecord } from '@core/market';
import { raw } from '@core/pricing';
import { conditionalTokensAbi, PositionState } from '@core/vault';
import { type Address, erc20Abi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitOf, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
let market: MarketRecord;
beforeAll(async () => {
  stack = await startTestStack();
  const first = await stack.startKeeper();
  market = await stack.tradableMarket();
  await first.close();
});
afterAll(() => stack.close());

/** Return the exchange's allowance of a position's account. */
async function allowancesOf(account: Address): Promise<{ readonly usdcUnits: bigint; readonly tokens: boolean }> {
  const { client } = stack.driver.rpc;
  const { usdc, conditionalTokens, exchange } = stack.deployment.contracts;
  const [usdcUnits, tokens] = await Promise.all([
    client.readContract({ address: usdc, abi: erc20Abi, functionName: 'allowance', args: [account, exchange] }),
    client.readContract({
      address: conditionalTokens,
      abi: conditionalTokensAbi,
      functionName: 'isApprovedForAll',
      args: [account, exchange],
    }),
  ]);
  return { usdcUnits, tokens };
}

/** A keeper authorises an order and dies before the venue hears of it; no keeper comes back while it lives. */
async function dieWithLiveOrder(operation: 'authorize_open' | 'authorize_close'): Promise<void> {
  const child = stack.spawnKeeper(`${operation}:after_receipt`);
  expect(await exitOf(child)).toBe('SIGKILL');
  await stack.advance(70);
}

async function operationsOf(position: LocalPosition): Promise<readonly string[]> {
  const intents = await stack.store.intents.ofSubject(position.positionKey);
  return intents.map(({ operation }) => operation);
}

test('a keeper that comes back late ends the expired order of an opening and gives everything back', async () => {
  const { alice } = stack.deployment.roles;
  const before = await stack.driver.usdcOf(alice.address);
  const position = await stack.open({ user: alice, market });
  await dieWithLiveOrder('authorize_open');
  const account = stack.driver.accountOf(position.positionKey);
  expect((await allowancesOf(account)).usdcUnits).toBeGreaterThan(0n);

  const keeper = await stack.startKeeper();
  const cancelled = await stack.reaches(position, 'cancelled');
  expect(cancelled).toMatchObject({ closeReason: 'reverted', failureReason: 'order_not_filled' });
  expect(await allowancesOf(account)).toEqual({ usdcUnits: 0n, tokens: false });
  expect(await stack.driver.usdcOf(alice.address)).toBe(before);
  expect(await operationsOf(position)).toEqual(['authorize_open', 'refund']);
  await keeper.close();
});

test('a keeper that comes back late ends the expired order of a close, also of a withdrawn request', async () => {
  const { bob } = stack.deployment.roles;
  const first = await stack.startKeeper();
  const position = await stack.open({ user: bob, market });
  const { tokenUnits } = await stack.reaches(position, 'open');
  await first.close();
  await stack.driver.requestClose({ position, sender: bob, tokenUnits: raw(tokenUnits) });
  await dieWithLiveOrder('authorize_close');
  await stack.driver.requestClose({ position, sender: bob, tokenUnits: 0n });
  const account = stack.driver.accountOf(position.positionKey);
  expect((await allowancesOf(account)).tokens).toBe(true);

  const keeper = await stack.startKeeper();
  await stack.until('the order to be ended', async () => {
    const operations = await operationsOf(position);
    return operations.includes('finalize_close') ? true : undefined;
  });
  await stack.reaches(position, 'open');
  expect(await allowancesOf(account)).toEqual({ usdcUnits: 0n, tokens: false });
  expect(await stack.driver.positionOf(position)).toMatchObject({ state: PositionState.Open, tokenUnits });
  expect(await operationsOf(position)).not.toContain('post_close');
  await keeper.close();
});
