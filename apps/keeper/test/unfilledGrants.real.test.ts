import { policyDefaults } from '@core/policy';
import { isZero, leverageBps, usdPips } from '@core/pricing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { calmPlace, expectAccounted, expectFillsShown, patientFillPolicy } from '../testing/fillAccount.ts';
import { type GrantFiller, startGrantFiller } from '../testing/grantFiller.ts';
import { endGrant, isGranted } from '../testing/grants.ts';
import { likelyPlace } from '../testing/likelyPlace.ts';
import { likelyWhereNear } from '../testing/standStill.ts';
import { isLastingCrypto, stackPolicy, startTestStack, type TestStack } from '../testing/startTestStack.ts';
import { namedTypesOf } from '../testing/writtenEvents.ts';

let stack: TestStack;
let keeper: Keeper;
let filler: GrantFiller;
const usd = (whole: number) => usdPips(BigInt(whole) * 10_000n);

beforeAll(async () => {
  stack = await startTestStack({ isListed: isLastingCrypto, startPriceOf: likelyWhereNear });
  keeper = await stack.startKeeper({ route: 'fill', policy: { ...patientFillPolicy, grant: stackPolicy.grant } });
  filler = await startGrantFiller(stack, stack.deployment.roles.erin);
});
afterAll(async () => {
  await filler.close();
  await keeper.close();
  await stack.close();
});

test('an opening without a fill is refunded after its grants, to the unit', async () => {
  filler.setFilling(false);
  const { dave } = stack.deployment.roles;
  const { market, side } = await calmPlace(stack);
  const before = await stack.driver.usdcOf(dave.address);
  const position = await stack.open({ user: dave, market, side });
  // A price signer ends the first grant: one that runs out before a slow keeper looks ends the opening as well. The
  // second one runs out.
  const ends = [() => endGrant(stack, position), () => stack.advance(policyDefaults.grant.validForSeconds.open)];
  const reverted = await stack.until('the opening to be refunded', async () => {
    const record = await stack.store.positions.byKey(position.positionKey);
    if (record?.status === 'cancelled') return record;
    if (await isGranted(stack, position)) await ends.shift()?.();
    return undefined;
  });
  expect(ends).toEqual([]);
  expect(reverted).toMatchObject({ closeReason: 'reverted', failureReason: 'order_not_filled' });
  expect(await stack.driver.usdcOf(dave.address)).toBe(before);
  const intents = await intentsOfSubject(stack.store.intents, position.positionKey);
  expect(ofOperation(intents, 'authorize_open').length).toBe(2);
});

test('a debt that is not covered is repaid by a grant, after one without a fill', async () => {
  filler.setFilling(true);
  await keeper.close();
  const policy = { ...policyDefaults, grant: patientFillPolicy.grant, execution: patientFillPolicy.execution };
  keeper = await stack.startKeeper({ route: 'fill', policy });
  const { dave } = stack.deployment.roles;
  const { market, side } = await likelyPlace(stack);
  const before = await stack.driver.usdcOf(dave.address);
  const position = await stack.open({
    user: dave,
    market,
    side,
    leverageBps: leverageBps(20_000n),
    notionalUsdPips: usd(300),
  });
  await stack.reaches(position, 'open');
  filler.setFilling(false);
  const to = (Number(await stack.liquidationPriceOf(position)) + 250) / 10_000;
  await stack.scenario('crash', market, { side, to: to.toFixed(4), hold_seconds: 600 });
  await stack.until('a second grant', async () => {
    const intents = await intentsOfSubject(stack.store.intents, position.positionKey);
    return ofOperation(intents, 'authorize_unwind').length >= 2 ? true : undefined;
  });
  const debtAgeSeconds = async () => {
    const text = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
    return Number(/^keeper_oldest_sale_seconds\{kind="debt"\} (\S+)$/m.exec(text)?.[1]);
  };
  await expect.poll(debtAgeSeconds, { timeout: 10_000 }).toBeGreaterThan(0);
  filler.setFilling(true);
  const unwound = await stack.until('the debt to be repaid', async () => {
    const record = await stack.store.positions.byKey(position.positionKey);
    const isRepaid = record !== null && record.livePurpose === null && isZero(record.principalUsdcUnits);
    return isRepaid ? record : undefined;
  });
  await expect.poll(debtAgeSeconds, { timeout: 10_000 }).toBe(0);
  const rows = await stack.store.positions.unwinds(position.positionKey);
  expect(rows.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^(price_drop_|crypto_move)/)]);
  expect(await namedTypesOf(stack.store, unwound.id)).toContain('position.force_unwound');
  await expectAccounted(stack, unwound, { user: dave, before, position });
  await expectFillsShown({ stack, filler }, position);
});
