import type { LocalAccount } from '@core/contracts/local';
import { leverageBps, raw } from '@core/pricing';
import { keeperReportOf } from '@core/runtime';
import { Role, vaultAbi } from '@core/vault';
import { decodeFunctionData, encodeFunctionData, type Hex, size } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { ofOperation } from '../src/transactions/intents.ts';
import { type HeldPosition, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

async function openLeveraged(user: LocalAccount): Promise<HeldPosition> {
  const market = await stack.tradableMarket();
  const side = await stack.likelierSide(market);
  const position = await stack.open({ user, market, side, leverageBps: leverageBps(30_000n) });
  await stack.reaches(position, 'open');
  return { market, side, position };
}

async function callVault(sender: LocalAccount, data: Hex): Promise<void> {
  await stack.driver.rpc.send(sender, { to: stack.deployment.contracts.vault, data });
}

const setPriceSigner = (sender: LocalAccount, signer: Hex, isMember: boolean) =>
  callVault(
    sender,
    encodeFunctionData({ abi: vaultAbi, functionName: 'setRole', args: [Role.PriceSigner, signer, isMember] }),
  );

/** The user's own way out: repays the loan and takes the tokens. */
async function exitByRepaying(user: LocalAccount, { position }: HeldPosition): Promise<void> {
  const { positionKey } = position;
  await stack.driver.approveUsdc(user, stack.deployment.contracts.vault);
  const args = [positionKey, user.address] as const;
  await callVault(user, encodeFunctionData({ abi: vaultAbi, functionName: 'exitByRepaying', args }));
  await stack.reaches(position, 'closed');
}

async function askToClose(user: LocalAccount, { position }: HeldPosition): Promise<void> {
  const { tokenUnits } = await stack.driver.positionOf(position);
  await stack.driver.requestClose({ position, sender: user, tokenUnits });
}

const ordersOf = async (
  { position }: Pick<HeldPosition, 'position'>,
  operation: 'authorize_open' | 'authorize_close',
) => ofOperation(await stack.intents.ofSubject(position.positionKey), operation);

/** How many signatures the order of a close carried. */
async function signatureCountOf(held: HeldPosition): Promise<number> {
  const [order] = await ordersOf(held, 'authorize_close');
  if (order?.plan.kind !== 'transaction') throw new Error('nothing was authorised');
  const { args } = decodeFunctionData({ abi: vaultAbi, data: order.plan.data });
  return size(args?.[5] as Hex) / 65;
}

async function report() {
  const heartbeat = (await stack.store.heartbeats.all()).find(({ name }) => name === 'keeper');
  return keeperReportOf(heartbeat?.detail ?? null);
}

const untilReported = (what: string, isSo: (seen: NonNullable<Awaited<ReturnType<typeof report>>>) => boolean) =>
  stack.until(what, async () => {
    const seen = await report();
    return seen !== null && isSo(seen) ? true : undefined;
  });

/** Nothing is authorised for as long as a keeper that could do it would need several times over. */
async function expectNoOrders(looks: () => Promise<number>): Promise<void> {
  const endSeconds = (await stack.driver.rpc.nowSeconds()) + 8n;
  await stack.until('eight seconds to pass', async () =>
    (await stack.driver.rpc.nowSeconds()) >= endSeconds ? true : undefined,
  );
  expect(await looks()).toBe(0);
}

test('one signer killed: nothing opens or sells, users get out by themselves; restored: all goes on by itself', async () => {
  const keeper: Keeper = await stack.startKeeper();
  const { alice, bob, carol, dave } = stack.deployment.roles;
  const closing = await openLeveraged(alice);
  const leaving = await openLeveraged(bob);
  const ended = await openLeveraged(dave);
  await untilReported('both to answer', ({ isPriceSignerAnswering }) => isPriceSignerAnswering);

  const [first, second] = stack.signers;
  await second.close();
  await untilReported('the loss to be seen', ({ isPriceSignerAnswering }) => !isPriceSignerAnswering);
  const seen = await report();
  expect(seen?.requiredSignatures).toBe(2);
  const answering = seen?.priceSigners.map(({ address, isAnswering }) => [address, isAnswering]);
  expect(answering).toEqual([
    [first.address, true],
    [second.address, false],
  ]);
  const metrics = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
  expect(metrics).toContain(`keeper_price_signer_answering{signer="${new URL(second.url).host}"} 0`);
  expect(metrics).toContain(`keeper_price_signer_answering{signer="${new URL(first.url).host}"} 1`);

  await askToClose(alice, closing);
  const opening = await stack.open({ user: carol, market: await stack.tradableMarket() });
  await stack.reaches(opening, 'pending');
  await expectNoOrders(async () => {
    const orders = [
      await ordersOf(closing, 'authorize_close'),
      await ordersOf({ position: opening }, 'authorize_open'),
    ];
    return orders.flat().length;
  });
  await exitByRepaying(bob, leaving);
  await stack.scenario('resolve', ended.market, { outcome: ended.side });
  await stack.reaches(ended.position, 'settled');

  const { port } = new URL(second.url);
  stack.signers[1] = await stack.startPriceSigner(stack.deployment.roles.secondPriceSigner.privateKey, Number(port));
  await stack.reaches(closing.position, 'closed');
  expect(await signatureCountOf(closing)).toBe(2);
  const opened = await stack.reaches(opening, 'open', 'cancelled');
  expect(opened.status).toBe('open');
  await untilReported('both to answer again', ({ isPriceSignerAnswering }) => isPriceSignerAnswering);
  await keeper.close();
});

test('an alarm: with one of three away nothing is sold until it signs too, or its key is removed; exits never notice', async () => {
  const { alice, bob, carol, dave, erin, owner, guardian } = stack.deployment.roles;
  await setPriceSigner(owner, erin.address, true);
  const third = await stack.startPriceSigner(erin.privateKey);
  const { port } = new URL(third.url);
  const priceSigners = [...stack.keeperConfig().priceSigners, stack.askedAt(third)];
  const keeper = await stack.startKeeper({ priceSigners });
  const closing = await openLeveraged(alice);
  const leaving = await openLeveraged(bob);
  const ended = await openLeveraged(carol);
  const last = await openLeveraged(dave);
  await untilReported('three to answer', (seen) => seen.priceSigners.every(({ isAppointed }) => isAppointed));
  expect((await report())?.requiredSignatures).toBe(2);

  await third.close();
  await callVault(guardian, encodeFunctionData({ abi: vaultAbi, functionName: 'raiseAlarm' }));
  await untilReported('all to be required', ({ requiredSignatures }) => requiredSignatures === 3);
  await untilReported('the third to be missed', ({ isPriceSignerAnswering }) => !isPriceSignerAnswering);
  await askToClose(alice, closing);
  await expectNoOrders(async () => (await ordersOf(closing, 'authorize_close')).length);
  await exitByRepaying(bob, leaving);
  // Who cannot be paid at the settlement is owed, and claims it.
  await stack.setBlacklisted(carol.address, true);
  await stack.scenario('resolve', ended.market, { outcome: ended.side });
  const settled = await stack.reaches(ended.position, 'settled');
  expect(raw(settled.deferredUsdcUnits)).toBeGreaterThan(0n);
  await stack.setBlacklisted(carol.address, false);
  const before = await stack.driver.usdcOf(carol.address);
  await stack.driver.claim(ended.position, carol);
  expect((await stack.driver.usdcOf(carol.address)) - before).toBe(raw(settled.deferredUsdcUnits));

  const again = await stack.startPriceSigner(erin.privateKey, Number(port));
  await stack.reaches(closing.position, 'closed');
  expect(await signatureCountOf(closing)).toBe(3);

  // A key that is lost for good: the guardian takes it off, and the others are all.
  await again.close();
  await untilReported('the third to be missed again', ({ isPriceSignerAnswering }) => !isPriceSignerAnswering);
  await askToClose(dave, last);
  await expectNoOrders(async () => (await ordersOf(last, 'authorize_close')).length);
  await setPriceSigner(guardian, erin.address, false);
  await stack.reaches(last.position, 'closed');
  expect(await signatureCountOf(last)).toBe(2);
  expect((await report())?.priceSigners.map(({ isAppointed }) => isAppointed)).toEqual([true, true, false]);
  await keeper.close();
});
