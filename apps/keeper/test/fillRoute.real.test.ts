import { leverageBps, raw } from '@core/pricing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { intentsOfSubject } from '../src/transactions/intents.ts';
import { calmPlace, expectAccounted, expectFillsShown, patientFillPolicy } from '../testing/fillAccount.ts';
import { type GrantFiller, startGrantFiller } from '../testing/grantFiller.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';
import { namedTypesOf } from '../testing/writtenEvents.ts';

let stack: TestStack;
let keeper: Keeper;
let filler: GrantFiller;

beforeAll(async () => {
  stack = await startTestStack();
  keeper = await stack.startKeeper({ route: 'fill', policy: patientFillPolicy });
  filler = await startGrantFiller(stack, stack.deployment.roles.erin);
});
afterAll(async () => {
  await filler.close();
  await keeper.close();
  await stack.close();
});

describe('a position on the route Fill', () => {
  test('opens by a grant, closes in part and wholly, and every unit is accounted for', async () => {
    const { alice } = stack.deployment.roles;
    const { market, side } = await calmPlace(stack);
    const before = await stack.driver.usdcOf(alice.address);
    const position = await stack.open({ user: alice, market, side, leverageBps: leverageBps(20_000n) });
    const openRecord = await stack.reaches(position, 'open');
    const part = raw(openRecord.tokenUnits) / 2n;
    await stack.driver.requestClose({ position, sender: alice, tokenUnits: part });
    const reduced = await stack.until('a part to be closed', async () => {
      const record = await stack.store.positions.byKey(position.positionKey);
      const isReduced = record !== null && raw(record.tokenUnits) < raw(openRecord.tokenUnits);
      return isReduced && record.status === 'open' && record.closeRequestedTokenUnits === null ? record : undefined;
    });
    await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(reduced.tokenUnits) });
    const closedRecord = await stack.reaches(position, 'closed');
    await expectAccounted(stack, closedRecord, { user: alice, before, position });
    await expectFillsShown({ stack, filler }, position);
    // A grant that ran out on a slow machine is announced, and the next one opens the position.
    const types = (await namedTypesOf(stack.store, closedRecord.id)).filter((type) => type !== 'notification');
    expect(types).toEqual([
      'position.created',
      'position.opening',
      'position.opened',
      'position.partial_close_requested',
      'position.partial_close_initiated',
      'position.partial_closed',
      'position.close_requested',
      'position.closed',
    ]);
    const intents = await intentsOfSubject(stack.store.intents, position.positionKey);
    expect(intents.filter(({ operation }) => operation.startsWith('post_'))).toEqual([]);
  });

  test('is liquidated by a grant, and the pool has its money and its fee', async () => {
    const { bob } = stack.deployment.roles;
    const { market, side } = await calmPlace(stack);
    const before = await stack.driver.usdcOf(bob.address);
    const position = await stack.open({ user: bob, market, side, leverageBps: leverageBps(50_000n) });
    await stack.reaches(position, 'open');
    await stack.fallUnderLiquidation({ market, side, position });
    const ended = await stack.reaches(position, 'liquidated');
    await expectAccounted(stack, ended, { user: bob, before, position });
    await expectFillsShown({ stack, filler }, position);
    expect(raw(ended.collectedLiquidationFeeUsdcUnits)).toBeGreaterThan(0n);
    expect(await namedTypesOf(stack.store, ended.id)).toContain('position.liquidated');
  });

  test('settles by the payouts of its market, won, lost and void', async () => {
    const { carol } = stack.deployment.roles;
    for (const [result, halves] of [
      ['won', 2n],
      ['lost', 0n],
      ['void', 1n],
    ] as const) {
      const { market, side } = await calmPlace(stack);
      const before = await stack.driver.usdcOf(carol.address);
      const position = await stack.open({ user: carol, market, side });
      const openRecord = await stack.reaches(position, 'open');
      const outcome = (result === 'won') === (side === 'yes') ? 'yes' : 'no';
      await (result === 'void' ? stack.scenario('void', market) : stack.scenario('resolve', market, { outcome }));
      const settledRecord = await stack.reaches(position, 'settled');
      const payout = (raw(openRecord.tokenUnits) * halves) / 2n;
      const debt = raw(openRecord.principalUsdcUnits) + raw(settledRecord.collectedLifetimeFeeUsdcUnits);
      expect(raw(settledRecord.proceedsUsdcUnits)).toBe(payout > debt ? payout - debt : 0n);
      await expectAccounted(stack, settledRecord, { user: carol, before, position });
      await expectFillsShown({ stack, filler }, position);
    }
  });
});
