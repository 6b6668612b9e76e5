import type { LocalAccount, LocalPosition } from '@core/contracts/local';
import type { MarketRecord } from '@core/market';
import { type Position } from '@core/position';
import { leverageBps, raw } from '@core/pricing';
import { exchangeEventTopics, venueExchangeAbi } from '@core/vault';
import { decodeEventLog, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { everyIntentToEnd, expectOneFill } from '../testing/crashes.ts';
import { expectPaidOut } from '../testing/expectPaidOut.ts';
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

/** A market whose makers quote one token only: orders on it match directly, orders on the other through pairs. */
async function marketQuoting(token: 'yes' | 'no'): Promise<MarketRecord> {
  const market = await stack.tradableMarket();
  await stack.scenario('quote_token', market, { token });
  return market;
}

/** Return the exchange's fills of an account's orders, oldest first, without fees. */
async function fillsOf(position: LocalPosition) {
  const { contracts, deploymentBlock } = stack.deployment;
  const logs = await stack.driver.rpc.client.request({
    method: 'eth_getLogs',
    params: [
      {
        address: contracts.exchange,
        topics: [exchangeEventTopics.OrderFilled, null, `0x${position.account.slice(2).padStart(64, '0')}` as Hex],
        fromBlock: `0x${deploymentBlock.toString(16)}`,
        toBlock: 'latest',
      },
    ],
  });
  return logs.map(
    (log) =>
      decodeEventLog({ abi: venueExchangeAbi, eventName: 'OrderFilled', topics: log.topics, data: log.data }).args,
  );
}

/** The record says what the chain says. */
async function expectAgreement(record: Position, position: LocalPosition): Promise<void> {
  const onChain = await stack.driver.positionOf(position);
  expect(raw(record.tokenUnits)).toBe(onChain.tokenUnits);
  expect(raw(record.principalUsdcUnits)).toBe(onChain.principalUsdcUnits);
  expect(raw(record.pendingLifetimeFeeUsdcUnits)).toBe(onChain.pendingFeeUsdcUnits);
  expect(raw(record.badDebtUsdcUnits)).toBe(onChain.badDebtUsdcUnits);
}

/** Everything that left the user and came back is in the record, to the unit, and nothing is left in the account. */
async function expectAccounted(
  record: Position,
  of: {
    readonly user: LocalAccount;
    readonly before: bigint;
    readonly position: LocalPosition;
    readonly isGross?: boolean;
  },
): Promise<void> {
  const { user, before, position, isGross = false } = of;
  await expectAgreement(record, position);
  await expectPaidOut(stack, record, { user, before, position });
  const fees = (await fillsOf(position)).map(({ side, fee }) => ({ side, fee }));
  const feesOf = (wanted: number) => fees.filter(({ side }) => side === wanted).reduce((sum, { fee }) => sum + fee, 0n);
  // A mint that was taken gross counts as trade what its status says, as far as it is gone: the fee at most.
  const openFee = raw(record.totalOpenVenueFeeUsdcUnits);
  expect(openFee).toBeLessThanOrEqual(feesOf(0));
  expect(isGross ? feesOf(0) : openFee).toBe(feesOf(0));
  expect(raw(record.totalSaleVenueFeeUsdcUnits)).toBe(feesOf(1));
}

describe.concurrent('a position whose orders settle', () => {
  test('directly: its orders move by what they cost, and the ledger agrees', async () => {
    const { alice } = stack.deployment.roles;
    const market = await marketQuoting('yes');
    await stack.scenario('maker_fees', market);
    const before = await stack.driver.usdcOf(alice.address);
    const position = await stack.open({ user: alice, market, side: 'yes' });
    const openRecord = await stack.reaches(position, 'open');
    await expectAgreement(openRecord, position);
    const fills = await fillsOf(position);
    const moved = fills.reduce((sum, { makerAmountFilled }) => sum + makerAmountFilled, 0n);
    expect(raw(openRecord.spentUsdcUnits ?? openRecord.principalUsdcUnits)).toBe(moved);
    await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(openRecord.tokenUnits) });
    await expectAccounted(await stack.reaches(position, 'closed'), { user: alice, before, position });
  });

  test('through a mint and a merge, with fees on both sides', async () => {
    const { bob } = stack.deployment.roles;
    const market = await marketQuoting('no');
    await stack.scenario('maker_fees', market);
    const before = await stack.driver.usdcOf(bob.address);
    const position = await stack.open({ user: bob, market, side: 'yes', leverageBps: leverageBps(20_000n) });
    const openRecord = await stack.reaches(position, 'open');
    await expectAgreement(openRecord, position);
    await stack.driver.requestClose({ position, sender: bob, tokenUnits: raw(openRecord.tokenUnits) });
    const closedRecord = await stack.reaches(position, 'closed');
    await expectAccounted(closedRecord, { user: bob, before, position });
    expect(raw(closedRecord.totalOpenVenueFeeUsdcUnits)).toBeGreaterThan(0n);
    expect(raw(closedRecord.totalSaleVenueFeeUsdcUnits)).toBeGreaterThan(0n);
  });

  test('gross through a mint: what came back is the user’s, and no loan grows for it', async () => {
    const { carol } = stack.deployment.roles;
    const market = await marketQuoting('no');
    await stack.scenario('gross_fill', market);
    const before = await stack.driver.usdcOf(carol.address);
    const position = await stack.open({ user: carol, market, side: 'yes', leverageBps: leverageBps(20_000n) });
    const openRecord = await stack.reaches(position, 'open');
    await expectAgreement(openRecord, position);
    const [fill] = await fillsOf(position);
    const spent = raw(openRecord.spentUsdcUnits ?? openRecord.principalUsdcUnits);
    // The exchange counts what it took at first; the vault what is gone, and at most that.
    expect(spent).toBeLessThanOrEqual(fill?.makerAmountFilled ?? 0n);
    expect(raw(openRecord.principalUsdcUnits) * 2n).toBeLessThanOrEqual(spent + 2n);
    await stack.driver.requestClose({ position, sender: carol, tokenUnits: raw(openRecord.tokenUnits) });
    await expectAccounted(await stack.reaches(position, 'closed'), { user: carol, before, position, isGross: true });
  });

  test('gross and in parts: the second order asks for no more than the vault has left', async () => {
    const { dave } = stack.deployment.roles;
    const market = await marketQuoting('no');
    await stack.scenario('gross_fill', market);
    await stack.scenario('partial_match', market, { count: 1, fill_pct: 60 });
    const before = await stack.driver.usdcOf(dave.address);
    const position = await stack.open({ user: dave, market, side: 'yes', minFillBps: 5_000 });
    const openRecord = await stack.reaches(position, 'open');
    const spent = raw(openRecord.spentUsdcUnits ?? openRecord.principalUsdcUnits);
    expect(spent).toBeLessThanOrEqual(raw(openRecord.quotedNotionalUsdcUnits));
    await stack.driver.requestClose({ position, sender: dave, tokenUnits: raw(openRecord.tokenUnits) });
    await expectAccounted(await stack.reaches(position, 'closed'), { user: dave, before, position, isGross: true });
  });
});

describe('a position at a venue with loose direct fills', () => {
  test('is closed and accounted for when the sale of a quarter sells all', async () => {
    const { erin } = stack.deployment.roles;
    const market = await marketQuoting('yes');
    await stack.scenario('loose_fills', market);
    const before = await stack.driver.usdcOf(erin.address);
    const position = await stack.open({ user: erin, market, side: 'yes', leverageBps: leverageBps(20_000n) });
    const openRecord = await stack.reaches(position, 'open');
    await expectAgreement(openRecord, position);
    // The exchange said that the whole order was used; the vault counted what was gone.
    const [fill] = await fillsOf(position);
    expect(raw(openRecord.spentUsdcUnits ?? openRecord.principalUsdcUnits)).toBeLessThanOrEqual(
      fill?.makerAmountFilled ?? 0n,
    );

    const heldTokenUnits = raw(openRecord.tokenUnits);
    const makersTake = `${heldTokenUnits / 1_000_000n}.${(heldTokenUnits % 1_000_000n).toString().padStart(6, '0')}`;
    await stack.scenario('loose_fills', market, { makers_take_tokens: makersTake });
    await stack.driver.requestClose({ position, sender: erin, tokenUnits: heldTokenUnits / 4n });
    await expectAccounted(await stack.reaches(position, 'closed'), { user: erin, before, position, isGross: true });
  });
});

test('after the delay of takers: each order is waited for, and filled once', async () => {
  const { alice } = stack.deployment.roles;
  const market = await stack.tradableMarket();
  await stack.scenario('taker_delay', market, { delay: 3 });
  const before = await stack.driver.usdcOf(alice.address);
  const position = await stack.open({ user: alice, market, side: 'yes' });
  const openRecord = await stack.reaches(position, 'open');
  await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(openRecord.tokenUnits) });
  const closedRecord = await stack.reaches(position, 'closed');
  expect(raw(closedRecord.tokenUnits)).toBe(0n);
  await expectAccounted(closedRecord, { user: alice, before, position });
  await everyIntentToEnd(stack);
  for (const purpose of ['open', 'close'] as const) await expectOneFill(stack, { position, purpose });
});
