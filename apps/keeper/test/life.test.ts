import { raw } from '@core/pricing';
import type { PositionRecord } from '@core/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
let keeper: Keeper;

beforeAll(async () => {
  stack = await startTestStack();
  keeper = await stack.startKeeper();
}, 60_000);
afterAll(async () => {
  await keeper.close();
  await stack.close();
});

const eventTypesOf = async ({ id }: PositionRecord): Promise<readonly string[]> =>
  (await stack.store.outbox.readAfter({ after: 0n, limit: 1_000 }))
    .filter(({ positionId }) => positionId === id)
    .map(({ type }) => type);

describe('a position', () => {
  test('opens by a real match, closes by request, and the ledger agrees with the chain', async () => {
    const market = await stack.tradableMarket();
    const { alice } = stack.deployment.roles;
    const before = await stack.desk.usdcOf(alice.address);
    const position = await stack.open({ user: alice, market });
    const opened = await stack.reaches(position, 'open');
    const onChain = await stack.desk.positionOf(position);
    expect(raw(opened.tokenUnits)).toBe(onChain.tokenUnits);
    expect(raw(opened.principalUsdcUnits)).toBe(onChain.principalUsdcUnits);
    expect(opened.partnerId).toBe(stack.partnerId);

    await stack.desk.requestClose({ position, sender: alice, tokenUnits: onChain.tokenUnits });
    const closed = await stack.reaches(position, 'closed');
    const after = await stack.desk.usdcOf(alice.address);
    // Everything that left and came back is in the record, to the unit.
    const paid =
      raw(closed.quotedCollateralUsdcUnits) +
      raw(closed.quotedOriginationFeeUsdcUnits) +
      raw(closed.quotedVenueFeeUsdcUnits);
    expect(after - before).toBe(raw(closed.proceedsUsdcUnits) + raw(closed.refundedUsdcUnits) - paid);
    expect(closed).toMatchObject({ closeReason: 'closed', chainState: 'closed' });
    expect(raw(closed.totalOpenVenueFeeUsdcUnits)).toBeGreaterThan(0n);
    expect(raw(closed.totalSaleVenueFeeUsdcUnits)).toBeGreaterThan(0n);
    expect(await eventTypesOf(closed)).toEqual([
      'position.created',
      'position.opening',
      'position.opened',
      'position.close_requested',
      'position.closed',
    ]);
    const transactions = await stack.store.positions.transactions(position.positionKey);
    expect(transactions.map(({ group }) => group)).toEqual(['open', 'open', 'open', 'close', 'close', 'close']);
    expect(transactions.filter(({ exchangeTransactionHashes }) => exchangeTransactionHashes.length === 1).length).toBe(
      2,
    );
    const usage = await stack.store.usage.reservation(position.positionKey);
    expect(usage).toMatchObject({ state: 'used', activeNotionalUsdPips: 0n, lentBorrowUsdcUnits: 0n });
  }, 90_000);
});
