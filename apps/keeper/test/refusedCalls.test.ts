import { afterAll, beforeAll, expect, test } from 'vitest';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { openLeveraged } from '../testing/signerSteps.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

test('a booking that is refused is tried again in its row with growing pauses, and succeeds when the cause is gone', async () => {
  const keeper = await stack.startKeeper();
  const { alice } = stack.deployment.roles;
  const { position } = await openLeveraged(stack, alice);
  const { pool } = stack.deployment.contracts;
  await stack.setBlacklisted(pool, true);
  const { tokenUnits } = await stack.driver.positionOf(position);
  await stack.driver.requestClose({ position, sender: alice, tokenUnits });
  const bookings = async () =>
    ofOperation(await intentsOfSubject(stack.store.intents, position.positionKey), 'finalize_close');
  const last = await stack.until('the fourth refusal', async () =>
    (await bookings()).find(({ outcome }) => (outcome?.count ?? 0) >= 4),
  );
  // Four attempts take three pauses: 0.3, 0.6 and 1.2 s.
  expect(last.updatedAtMs - last.createdAtMs).toBeGreaterThanOrEqual(2_000);
  await stack.setBlacklisted(pool, false);
  await stack.reaches(position, 'closed');
  expect((await bookings()).map(({ id, attempt }) => [id, attempt])).toEqual([[last.id, 1]]);
  await keeper.close();
});
