import { usdcUnits } from '@core/pricing';
import { jsonRpcMethod, startHttpFaultProxy } from '@core/testkit';
import { PositionState, Purpose, vaultAbi, venueExchangeAbi } from '@core/vault';
import { type Address, encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FillerStack, type GrantMarket, startFillerStack } from '../testing/fillerStack.ts';
import {
  fillsOf,
  grantToStopped,
  liveThroughCrashTogether,
  openPositions,
  requestCloses,
  type Sale,
  stop,
} from '../testing/together.ts';

let stack: FillerStack;
let market: GrantMarket;
beforeAll(async () => {
  stack = await startFillerStack();
  market = await stack.market();
});
afterAll(() => stack?.close());

const keysOf = (entries: readonly { readonly positionKey: string }[]) =>
  new Set(entries.map(({ positionKey }) => positionKey));
const soldKeysOf = (sales: readonly Sale[]) => keysOf(sales.map(({ position }) => position));

/** Return the orders that sold a token for an account at the venue. */
async function ordersOf(maker: Address, tokenId: bigint): Promise<ReadonlySet<Hex>> {
  const events = await stack.driver.rpc.client.getContractEvents({
    address: stack.deployment.contracts.exchange,
    abi: venueExchangeAbi,
    eventName: 'OrderFilled',
    args: { maker },
    fromBlock: 0n,
    strict: true,
  });
  return new Set(events.filter(({ args }) => args.tokenId === tokenId).map(({ args }) => args.orderHash));
}

test.each([2, 5])('%i grants at once → one transaction fills all, and one order sells the tokens', async (count) => {
  const [account] = stack.fillers;
  const positions = await openPositions(stack, market, count);
  const sales = await requestCloses(stack, positions, 8);
  await stop(stack, account);
  const filler = await stack.startFiller(account);
  const { fillCount: before } = await stack.reconciled(account, market);
  const ordersBefore = await ordersOf(account.address, market.yesTokenId);
  await grantToStopped(stack, account, sales);
  const fills = await fillsOf(stack, sales, count);
  expect([fills.length, keysOf(fills)]).toEqual([count, soldKeysOf(sales)]);
  const [hash = '0x', ...others] = new Set(fills.map(({ transactionHash }) => transactionHash));
  expect(others).toEqual([]);
  const { client } = stack.driver.rpc;
  const [{ gasUsed }, { gas }] = await Promise.all([
    client.getTransactionReceipt({ hash }),
    client.getTransaction({ hash }),
  ]);
  expect(gasUsed * 3n < gas * 2n).toBe(true);
  const { fillCount, profitUsdcUnits } = await stack.reconciled(account, market);
  await filler.close();
  const orders = await ordersOf(account.address, market.yesTokenId);
  expect([fillCount - before, orders.size - ordersBefore.size]).toEqual([count, 1]);
  expect(profitUsdcUnits).toBeGreaterThan(0n);
  for (const position of positions) expect(await stack.stateOf(position)).toBe(PositionState.Closed);
});

test('another filler takes one of three before the transaction is mined → the others are filled', async () => {
  const [account, rival] = stack.fillers;
  const positions = await openPositions(stack, market, 3);
  const sales = await requestCloses(stack, positions, 14);
  const proxy = await startHttpFaultProxy(stack.rpcUrl);
  await stop(stack, account);
  const filler = await stack.startFiller(account, { rpcUrl: proxy.url });
  const { fillCount: before } = await stack.reconciled(account, market);
  const isSent = jsonRpcMethod('eth_sendRawTransaction');
  proxy.addRule({ matches: isSent, fault: { kind: 'drop' }, times: Number.POSITIVE_INFINITY });
  await grantToStopped(stack, account, sales);
  await stack.until('the signed transaction', async () => proxy.requests().some(isSent) || undefined);
  const [, taken] = sales;
  if (taken === undefined) throw new Error('there is no second sale');
  const args = [taken.position.positionKey, taken.tokenUnits / 2n, taken.tokenUnits, '0x'] as const;
  const data = encodeFunctionData({ abi: vaultAbi, functionName: 'fill', args });
  await stack.driver.rpc.send(rival, { to: stack.deployment.contracts.vault, data });
  proxy.clearRules();
  const fills = await fillsOf(stack, sales, 3);
  const own = fills.filter(({ filler: by }) => by === account.address);
  expect(keysOf(own)).toEqual(soldKeysOf(sales.filter((sale) => sale !== taken)));
  expect([own.length, new Set(own.map(({ transactionHash }) => transactionHash)).size]).toEqual([2, 1]);
  const { fillCount } = await stack.reconciled(account, market);
  await filler.close();
  await proxy.close();
  expect(fillCount - before).toBe(2);
});

test('a float for one of two grants → the more urgent one is filled first, alone', async () => {
  const [account] = stack.fillers;
  const [first, second] = await openPositions(stack, market, 2);
  if (first === undefined || second === undefined) throw new Error('there are no two positions');
  const closes = await requestCloses(stack, [first], 8);
  const unwind = { position: second, purpose: Purpose.Unwind, tokenUnits: 110_000_000n, validFor: 8 } as const;
  await stop(stack, account);
  // 53 USD for the unwind leave less than a fifth of the close needs.
  const filler = await stack.startFiller(account, { floatUsdcUnits: usdcUnits(60_000_000n) });
  await stack.reconciled(account, market);
  const sales = [...closes, unwind];
  await grantToStopped(stack, account, sales);
  const fills = await fillsOf(stack, sales, 1);
  expect(keysOf(fills)).toEqual(soldKeysOf([unwind]));
  await stack.reconciled(account, market);
  await filler.close();
});

test('a filler dies after it sent several fills and starts again → each is filled and booked once', async () => {
  const { fills, sales, bookedCount, accounts } = await liveThroughCrashTogether(stack, market, 'fill:after_send');
  expect([fills.length, keysOf(fills), bookedCount]).toEqual([3, soldKeysOf(sales), 3]);
  expect(accounts.balanceUsdcUnits).toBe(accounts.openingUsdcUnits + accounts.profitUsdcUnits);
});
