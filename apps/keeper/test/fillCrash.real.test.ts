import { raw } from '@core/pricing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { dieAt, everyIntentToEnd, expectOneTransactionPerIntent } from '../testing/crashes.ts';
import { calmPlace, expectAccounted, expectFillsShown, patientFillPolicy } from '../testing/fillAccount.ts';
import { type GrantFiller, startGrantFiller } from '../testing/grantFiller.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
let filler: GrantFiller;
const onFill = { route: 'fill', policy: patientFillPolicy } as const;

beforeAll(async () => {
  stack = await startTestStack();
  filler = await startGrantFiller(stack, stack.deployment.roles.erin);
  const keeper = await stack.startKeeper(onFill);
  await calmPlace(stack);
  await keeper.close();
});
afterAll(async () => {
  await filler.close();
  await stack.close();
});

test.each(['after_intent', 'after_broadcast'])(
  'a keeper killed %s of a grant, of the opening and of the close: opens and closes once',
  async (moment) => {
    const { alice } = stack.deployment.roles;
    const { market, side } = await calmPlace(stack);
    const before = await stack.driver.usdcOf(alice.address);
    const position = await stack.open({ user: alice, market, side });
    await dieAt(stack, `authorize_open:${moment}`, 'fill');
    let keeper = await stack.startKeeper(onFill);
    const openRecord = await stack.reaches(position, 'open');
    await everyIntentToEnd(stack);
    await keeper.close();

    await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(openRecord.tokenUnits) });
    await dieAt(stack, `authorize_close:${moment}`, 'fill');
    keeper = await stack.startKeeper(onFill);
    const closedRecord = await stack.reaches(position, 'closed');
    await everyIntentToEnd(stack);
    await keeper.close();

    await expectAccounted(stack, closedRecord, { user: alice, before, position });
    await expectFillsShown({ stack, filler }, position);
    await expectOneTransactionPerIntent(stack);
    const intents = await intentsOfSubject(stack.store.intents, position.positionKey);
    expect(ofOperation(intents, 'post_open')).toEqual([]);
  },
);
