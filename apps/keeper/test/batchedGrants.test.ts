import { grantPath } from '@core/attestation';
import { policyDefaults } from '@core/policy';
import { isZero, leverageBps, usdPips } from '@core/pricing';
import { type HttpFaultProxy, startHttpFaultProxy } from '@core/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { intentsOfSubject } from '../src/transactions/intents.ts';
import { expectAccounted, patientFillPolicy } from '../testing/fillAccount.ts';
import { type GrantFiller, startGrantFiller } from '../testing/grantFiller.ts';
import { likelyPlace } from '../testing/likelyPlace.ts';
import { likelyWhereNear } from '../testing/standStill.ts';
import { isHourly, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
let keeper: Keeper;
let filler: GrantFiller;
/** Stands before one of the two price signers that each consent needs. */
let slow: HttpFaultProxy;
beforeAll(async () => {
  stack = await startTestStack({ isListed: isHourly, startPriceOf: likelyWhereNear });
  const [first, second] = stack.signers;
  slow = await startHttpFaultProxy(first.url);
  keeper = await stack.startKeeper({
    route: 'fill',
    policy: { ...policyDefaults, grant: patientFillPolicy.grant },
    priceSigners: [stack.askedAt({ ...first, url: slow.url }), stack.askedAt(second)],
  });
  filler = await startGrantFiller(stack, stack.deployment.roles.erin);
});
afterAll(async () => {
  await filler.close();
  await keeper.close();
  await slow.close();
  await stack.close();
});

/** One position of each of four users, in one market. */
async function openTogether() {
  const { alice, bob, carol, dave } = stack.deployment.roles;
  const place = await likelyPlace(stack);
  const request = { ...place, leverageBps: leverageBps(30_000n), notionalUsdPips: usdPips(3_000_000n) };
  const holders = await Promise.all(
    [alice, bob, carol, dave].map(async (user) => {
      const before = await stack.driver.usdcOf(user.address);
      const position = await stack.open({ user, ...request });
      await stack.reaches(position, 'open');
      return { user, before, position };
    }),
  );
  const prices = await Promise.all(holders.map(({ position }) => stack.liquidationPriceOf(position)));
  const lowestPips = prices.reduce((left, right) => (left < right ? left : right));
  return { place, holders, lowestPips };
}

describe('debts of one market that are due together', () => {
  test.each([
    ['authorize_unwind', 250n],
    ['authorize_liquidate', -60n],
  ] as const)('are repaid under one consent, and each is accounted for: %s', async (operation, distancePips) => {
    const { place, holders, lowestPips } = await openTogether();
    // The first consent is late, so that the other debts are due before it is there, however busy the machine is.
    const isGrant = ({ path }: { readonly path: string }) => path === grantPath;
    slow.addRule({ matches: isGrant, fault: { kind: 'delay', delayMs: 3_000 }, times: 1 });
    await stack.fallTo(place, lowestPips + distancePips);
    const kinds: string[] = [];
    for (const { user, before, position } of holders) {
      const record = await stack.until('the debt to be repaid', async () => {
        const current = await stack.store.positions.byKey(position.positionKey);
        return current !== null && isZero(current.principalUsdcUnits) && current.livePurpose === null
          ? current
          : undefined;
      });
      await expectAccounted(stack, record, { user, before, position });
      const intents = await intentsOfSubject(stack.store.intents, position.positionKey, [operation]);
      expect(intents.map(({ state }) => state).filter((state) => state !== 'included' && state !== 'final')).toEqual(
        [],
      );
      kinds.push(...intents.map(({ plan }) => plan.kind));
    }
    expect(kinds.filter((kind) => kind === 'member').length).toBeGreaterThanOrEqual(2);
  });
});
