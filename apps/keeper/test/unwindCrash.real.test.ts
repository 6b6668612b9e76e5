import { policyDefaults } from '@core/policy';
import { isZero, leverageBps, raw, usdPips } from '@core/pricing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dieAt, everyIntentToEnd, expectOneFill, expectOneTransactionPerIntent } from '../testing/crashes.ts';
import { likelyPlace } from '../testing/likelyPlace.ts';
import { likelyWhereNear } from '../testing/standStill.ts';
import { isHourly, startTestStack, type TestStack } from '../testing/startTestStack.ts';
import { namedTypesOf } from '../testing/writtenEvents.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ isListed: isHourly, startPriceOf: likelyWhereNear });
});
afterAll(() => stack.close());

/** One after the other. */
const failpoints = [
  'authorize_unwind:after_sign',
  'authorize_unwind:after_receipt',
  'post_unwind:after_intent',
  'post_unwind:after_broadcast',
  'finalize_unwind:after_broadcast',
  'finalize_unwind:before_record',
];

test('F14: killed twice at each effect of one unwind, it repays the debt once', async () => {
  const keeper = await stack.startKeeper({ policy: policyDefaults });
  const { market, side } = await likelyPlace(stack);
  const { dave: user } = stack.deployment.roles;
  const quoteRequest = { user, market, side, leverageBps: leverageBps(30_000n), notionalUsdPips: usdPips(1_500_000n) };
  const position = await stack.open(quoteRequest);
  const openRecord = await stack.reaches(position, 'open');
  await everyIntentToEnd(stack);
  await keeper.close();
  const { badDebtUsdcUnits } = openRecord;
  const cash = await stack.driver.usdcOf(position.account);

  const to = (Number(await stack.liquidationPriceOf(position)) + 250) / 10_000;
  await stack.scenario('crash', market, { side, to: to.toFixed(4), hold_seconds: 86_400 });
  for (const failpoint of failpoints) await dieAt(stack, failpoint);

  const last = await stack.startKeeper({ policy: policyDefaults });
  const record = await stack.until('the debt to be gone', async () => {
    const record = await stack.store.positions.byKey(position.positionKey);
    return record !== null && record.status === 'open' && isZero(record.principalUsdcUnits) ? record : undefined;
  });
  await everyIntentToEnd(stack);
  await last.close();
  expect(await stack.debtOf(position)).toBe(0n);
  expect(record.badDebtUsdcUnits).toBe(badDebtUsdcUnits);
  expect(raw(record.tokenUnits)).toBeGreaterThan(0n);
  expect(await stack.driver.usdcOf(position.account)).toBe(cash);
  expect(await stack.store.positions.unwinds(position.positionKey)).toHaveLength(1);
  const types = await namedTypesOf(stack.store, record.id);
  expect(types.filter((type) => type === 'position.force_unwound')).toHaveLength(1);
  await expectOneTransactionPerIntent(stack);
  await expectOneFill(stack, { position, purpose: 'unwind' });
});
