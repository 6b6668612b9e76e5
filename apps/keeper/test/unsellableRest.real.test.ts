import { policyDefaults } from '@core/policy';
import { leverageBps, raw, usdcUnits } from '@core/pricing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { intentsOfSubject } from '../src/transactions/intents.ts';
import { calmPlace, expectAccounted, patientFillPolicy } from '../testing/fillAccount.ts';
import { type GrantFiller, startGrantFiller } from '../testing/grantFiller.ts';
import { isGranted } from '../testing/grants.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
let keeper: Keeper;
let filler: GrantFiller;
/** A fill costs a quarter of what five tokens bring here. At the default cost that takes a price of a few cents. */
const grant = {
  ...policyDefaults.grant,
  maxOpenAttempts: 1_000,
  fillerCost: { ...policyDefaults.grant.fillerCost, gasUsdcUnits: usdcUnits(500_000n) },
};

beforeAll(async () => {
  stack = await startTestStack({ signerPolicy: { ...policyDefaults, grant } });
  keeper = await stack.startKeeper({ route: 'fill', policy: { ...patientFillPolicy, grant } });
  filler = await startGrantFiller(stack, stack.deployment.roles.erin);
});
afterAll(async () => {
  await filler.close();
  await keeper.close();
  await stack.close();
});

test('a liquidation that leaves five tokens worth less than a fill makes no more grants: settlement ends it', async () => {
  const { dave } = stack.deployment.roles;
  const { market, side } = await calmPlace(stack);
  const before = await stack.driver.usdcOf(dave.address);
  const position = await stack.open({ user: dave, market, side, leverageBps: leverageBps(30_000n) });
  const { tokenUnits } = await stack.reaches(position, 'open');
  filler.setFilling(false);
  const openCount = filler.fillsOf(position).length;
  await stack.fallUnderLiquidation({ market, side, position }, 800n);
  const rest = await stack.until('all but five tokens to be sold', async () => {
    if (filler.fillsOf(position).length === openCount) await filler.fillPart(position, raw(tokenUnits) - 5_000_000n);
    const record = await stack.store.positions.byKey(position.positionKey);
    return record !== null && raw(record.tokenUnits) === 5_000_000n ? record : undefined;
  });
  await stack.until('the rest to be counted', async () => {
    const metrics = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
    return /^keeper_unsellable_debts 1$/m.test(metrics) ? true : undefined;
  });
  expect([await isGranted(stack, position), raw(rest.badDebtUsdcUnits)]).toEqual([false, 0n]);
  await stack.scenario('resolve', market, { outcome: side === 'yes' ? 'no' : 'yes' });
  const settledRecord = await stack.reaches(position, 'settled');
  // The loss of the pool is what the rest still owed, booked when nothing can repay it any more.
  expect(raw(settledRecord.badDebtUsdcUnits)).toBe(raw(rest.principalUsdcUnits));
  expect(raw(settledRecord.badDebtUsdcUnits)).toBeGreaterThan(0n);
  const intents = await intentsOfSubject(stack.store.intents, position.positionKey);
  expect(intents.filter(({ operation }) => operation === 'authorize_liquidate')).toHaveLength(1);
  await expectAccounted(stack, settledRecord, { user: dave, before, position });
});
