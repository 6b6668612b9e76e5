import { leverageBps, raw } from '@core/pricing';
import { vaultAbi } from '@core/vault';
import { encodeFunctionData } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { severalRounds } from '../testing/severalRounds.ts';
import {
  addPriceSigner,
  askToClose,
  callVault,
  exitByRepaying,
  firstOrderOf,
  openLeveraged,
  ordersOf,
  patientPolicy,
  removePriceSigner,
  reportOf,
  untilReported,
} from '../testing/signerSteps.ts';
import { type HeldPosition, isLastingCrypto, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ isListed: isLastingCrypto });
});
afterAll(() => stack.close());

/** Nothing is authorised while a keeper has the time for it. */
async function expectNoOrders(keeper: Keeper, orderCount: () => Promise<number>): Promise<void> {
  await severalRounds(stack, keeper);
  expect(await orderCount()).toBe(0);
}

const signerCountOf = async (held: HeldPosition): Promise<number> =>
  (await firstOrderOf(stack, held, 'close')).signers.length;

test('one signer killed: nothing opens or sells, users get out by themselves; restored: all continues by itself', async () => {
  const keeper: Keeper = await stack.startKeeper({ policy: patientPolicy });
  const { alice, bob, carol, dave } = stack.deployment.roles;
  const closing = await openLeveraged(stack, alice);
  const leaving = await openLeveraged(stack, bob);
  const ended = await openLeveraged(stack, dave);
  await untilReported(stack, 'both to answer', ({ isPriceSignerAnswering }) => isPriceSignerAnswering);

  const [first, second] = stack.signers;
  await second.close();
  await untilReported(stack, 'the loss to be seen', ({ isPriceSignerAnswering }) => !isPriceSignerAnswering);
  const report = await reportOf(stack);
  expect(report?.requiredSignatures).toBe(2);
  const answering = report?.priceSigners.map(({ address, isAnswering }) => [address, isAnswering]);
  expect(answering).toEqual([
    [first.address, true],
    [second.address, false],
  ]);
  const metrics = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
  expect(metrics).toContain(`keeper_price_signer_answering{signer="${new URL(second.url).host}"} 0`);
  expect(metrics).toContain(`keeper_price_signer_answering{signer="${new URL(first.url).host}"} 1`);

  await askToClose(stack, alice, closing);
  const opening = await stack.open({ user: carol, market: await stack.tradableMarket() });
  await stack.reaches(opening, 'pending');
  await expectNoOrders(keeper, async () => {
    const orders = [await ordersOf(stack, closing, 'close'), await ordersOf(stack, { position: opening }, 'open')];
    return orders.flat().length;
  });
  await exitByRepaying(stack, bob, leaving);
  await stack.scenario('resolve', ended.market, { outcome: ended.side });
  await stack.reaches(ended.position, 'settled');

  const { port } = new URL(second.url);
  stack.signers[1] = await stack.startPriceSigner(stack.deployment.roles.secondPriceSigner.privateKey, Number(port));
  await stack.reaches(closing.position, 'closed');
  expect(await signerCountOf(closing)).toBe(2);
  const openRecord = await stack.reaches(opening, 'open', 'cancelled');
  expect(openRecord.status).toBe('open');
  await untilReported(stack, 'both to answer again', ({ isPriceSignerAnswering }) => isPriceSignerAnswering);
  await keeper.close();
});

test('the process of one signer is killed while a debt is due: nothing is sold, and once it runs again all of it is', async () => {
  const { alice, secondPriceSigner } = stack.deployment.roles;
  const [, inProcess] = stack.signers;
  await inProcess.close();
  const port = Number(new URL(inProcess.url).port);
  const apart = await stack.startPriceSignerApart(secondPriceSigner, port);
  stack.signers[1] = apart;
  const keeper = await stack.startKeeper();
  const due = await openLeveraged(stack, alice, { leverage: leverageBps(50_000n) });
  const owed = await stack.debtOf(due.position);
  expect(owed).toBeGreaterThan(0n);

  await apart.kill();
  await stack.fallUnderLiquidation(due);
  await untilReported(stack, 'the loss to be seen', ({ isPriceSignerAnswering }) => !isPriceSignerAnswering);
  await stack.until('the debt to be due', async () => {
    const metrics = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
    return /^keeper_due_debts\{reason="liquidation"\} 1$/m.test(metrics) ? true : undefined;
  });
  await expectNoOrders(keeper, async () => (await ordersOf(stack, due, 'liquidate')).length);
  expect(await stack.debtOf(due.position)).toBeGreaterThanOrEqual(owed);

  stack.signers[1] = await stack.startPriceSignerApart(secondPriceSigner, port);
  const sold = await stack.reaches(due.position, 'liquidated');
  expect(raw(sold.badDebtUsdcUnits)).toBe(0n);
  expect(await stack.debtOf(due.position)).toBe(0n);
  expect((await firstOrderOf(stack, due, 'liquidate')).signers).toHaveLength(2);
  expect(await ordersOf(stack, due, 'liquidate')).toHaveLength(1);
  await keeper.close();
});

test('an alarm: with two of four away nothing is sold until one returns, or is removed; exits never notice', async () => {
  const { alice, bob, carol, dave, erin, guardian, treasury } = stack.deployment.roles;
  await addPriceSigner(stack, erin.address);
  // A fourth key, whose host never starts.
  await addPriceSigner(stack, treasury.address);
  const third = await stack.startPriceSigner(erin.privateKey);
  const { port } = new URL(third.url);
  const priceSigners = [...stack.keeperConfig().priceSigners, stack.askedAt(third)];
  const keeper = await stack.startKeeper({ priceSigners });
  const closing = await openLeveraged(stack, alice);
  const leaving = await openLeveraged(stack, bob);
  const ended = await openLeveraged(stack, carol);
  const last = await openLeveraged(stack, dave);
  await untilReported(stack, 'three to answer', (seen) => seen.priceSigners.every(({ isAppointed }) => isAppointed));
  expect((await reportOf(stack))?.requiredSignatures).toBe(2);

  await third.close();
  await callVault(stack, guardian, encodeFunctionData({ abi: vaultAbi, functionName: 'raiseAlarm' }));
  await untilReported(stack, 'all but one to be required', ({ requiredSignatures }) => requiredSignatures === 3);
  await untilReported(stack, 'the third to be missed', ({ isPriceSignerAnswering }) => !isPriceSignerAnswering);
  await askToClose(stack, alice, closing);
  await expectNoOrders(keeper, async () => (await ordersOf(stack, closing, 'close')).length);
  await exitByRepaying(stack, bob, leaving);
  // Who cannot be paid at the settlement is owed, and claims it.
  await stack.setBlacklisted(carol.address, true);
  await stack.scenario('resolve', ended.market, { outcome: ended.side });
  const settledRecord = await stack.reaches(ended.position, 'settled');
  expect(raw(settledRecord.deferredUsdcUnits)).toBeGreaterThan(0n);
  await stack.setBlacklisted(carol.address, false);
  const before = await stack.driver.usdcOf(carol.address);
  await stack.driver.claim(ended.position, carol);
  expect((await stack.driver.usdcOf(carol.address)) - before).toBe(raw(settledRecord.deferredUsdcUnits));

  const again = await stack.startPriceSigner(erin.privateKey, Number(port));
  await stack.reaches(closing.position, 'closed');
  expect(await signerCountOf(closing)).toBe(3);

  // A key that is lost for good: the guardian takes it off, and fewer are required.
  await again.close();
  await untilReported(stack, 'the third to be missed again', ({ isPriceSignerAnswering }) => !isPriceSignerAnswering);
  await askToClose(stack, dave, last);
  await expectNoOrders(keeper, async () => (await ordersOf(stack, last, 'close')).length);
  await removePriceSigner(stack, erin.address);
  await stack.reaches(last.position, 'closed');
  expect(await signerCountOf(last)).toBe(2);
  await untilReported(stack, 'the third to be off', (seen) => seen.priceSigners[2]?.isAppointed === false);
  expect((await reportOf(stack))?.priceSigners.map(({ isAppointed }) => isAppointed)).toEqual([true, true, false]);
  await keeper.close();
});
