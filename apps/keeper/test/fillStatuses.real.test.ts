import { fieldOf } from '@core/api/testing';
import type { LocalAccount } from '@core/contracts/local';
import { policyDefaults } from '@core/policy';
import { isZero, leverageBps, raw, usdPips } from '@core/pricing';
import { Purpose, vaultAbi } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { type GrantFiller, startGrantFiller } from '../testing/grantFiller.ts';
import { endGrant, isGranted } from '../testing/grants.ts';
import { likelyPlace } from '../testing/likelyPlace.ts';
import { likelyWhereNear } from '../testing/standStill.ts';
import { type Rest, startRest } from '../testing/startRest.ts';
import { type HeldPosition, isHourly, startTestStack, type TestStack } from '../testing/startTestStack.ts';
import { announcedStatusesOf, namedTypesOf, notifiedCodesOf } from '../testing/writtenEvents.ts';

const notionalUsdPips = usdPips(1_000_000n);
const grantsOf = (maxOpenAttempts: number) => ({ ...policyDefaults.grant, maxOpenAttempts });

let stack: TestStack;
let keeper: Keeper;
let filler: GrantFiller;
let rest: Rest;

beforeAll(async () => {
  stack = await startTestStack({ isListed: isHourly, startPriceOf: likelyWhereNear });
  // Grants of openings are tried as often as it takes: a slow machine may miss the twelve seconds of one.
  keeper = await stack.startKeeper({ route: 'fill', policy: { ...policyDefaults, grant: grantsOf(1_000) } });
  filler = await startGrantFiller(stack, stack.deployment.roles.erin);
  rest = await startRest(stack);
});
afterAll(async () => {
  await Promise.all([filler.close(), rest.close()]);
  await keeper.close();
  await stack.close();
});

async function ordered(user: LocalAccount, minFillBps?: number): Promise<HeldPosition> {
  const place = await likelyPlace(stack);
  const part = minFillBps === undefined ? {} : { minFillBps };
  const order = { user, ...place, leverageBps: leverageBps(30_000n), notionalUsdPips, ...part };
  return { ...place, position: await stack.open(order) };
}

const purposeOf = async ({ position }: HeldPosition): Promise<number> => {
  const call = { address: stack.deployment.contracts.vault, abi: vaultAbi, functionName: 'grantOf' } as const;
  return (await stack.driver.rpc.client.readContract({ ...call, args: [position.positionKey] })).purpose;
};

/** A fall that breaks the cover and stays above the price of a liquidation. */
async function fallUnderCover({ market, side, position }: HeldPosition): Promise<void> {
  const to = (Number(await stack.liquidationPriceOf(position)) + 250) / 10_000;
  await stack.scenario('crash', market, { side, to: to.toFixed(4), hold_seconds: 600 });
}

test('unwind: while its grant is live the API shows `unwinding` with its operation, and the events say both ends', async () => {
  filler.setFilling(true);
  const trade = await ordered(stack.deployment.roles.alice);
  const { id, walletAddress } = await stack.reaches(trade.position, 'open');
  filler.setFilling(false);
  await fallUnderCover(trade);
  const unwindPage = await stack.until('a page of the unwind while its grant is live', async () => {
    const page = await rest.positionOf({ id, walletAddress });
    const isLive = (await purposeOf(trade)) === Purpose.Unwind;
    return isLive && fieldOf(page, 'status') === 'unwinding' ? page : undefined;
  });
  const requested_at = expect.stringMatching(/^\d{4}-/);
  expect(fieldOf(unwindPage, 'pending_operation')).toEqual({ type: 'unwind', requested_at });
  filler.setFilling(true);
  await stack.until('the debt to be repaid', async () => {
    const record = await stack.store.positions.byKey(trade.position.positionKey);
    return record?.status === 'open' && isZero(record.principalUsdcUnits) ? record : undefined;
  });
  const page = await rest.positionOf({ id, walletAddress });
  expect([fieldOf(page, 'status'), fieldOf(page, 'pending_operation')]).toEqual(['open', null]);
  const statuses = await announcedStatusesOf(stack.store, id);
  expect(statuses.slice(0, 4)).toEqual(['pending', 'open', 'unwinding', 'open']);
  expect(await namedTypesOf(stack.store, id)).toContain('position.force_unwound');
});

test('partial opening: no part in two grants → refunded, and the missed floor is notified', async () => {
  await keeper.close();
  keeper = await stack.startKeeper({ route: 'fill', policy: { ...policyDefaults, grant: grantsOf(2) } });
  filler.setFilling(false);
  const trade = await ordered(stack.deployment.roles.bob, 2_000);
  const { id, walletAddress, failureReason } = await stack.until('the opening to be refunded', async () => {
    const record = await stack.store.positions.byKey(trade.position.positionKey);
    if (record?.status === 'cancelled') return record;
    if (await isGranted(stack, trade.position)) await endGrant(stack, trade.position);
    return undefined;
  });
  expect(failureReason).toBe('floor_missed');
  expect(await notifiedCodesOf(stack.store, id)).toEqual(['ORDER_FULFILLMENT_RETRYING', 'PARTIAL_OPEN_FLOOR_MISSED']);
  const page = await rest.positionOf({ id, walletAddress });
  expect(fieldOf(page, 'failure', 'reason')).toBe('floor_missed');
});

test('partial opening: a part above the floor, then the rest → progress is notified, and all of it opens', async () => {
  await keeper.close();
  keeper = await stack.startKeeper({ route: 'fill', policy: { ...policyDefaults, grant: grantsOf(1_000) } });
  filler.setFilling(false);
  const trade = await ordered(stack.deployment.roles.carol, 2_000);
  await stack.until('a part of a grant', async () => {
    if (await isGranted(stack, trade.position)) await filler.fillPart(trade.position, 60_000_000n);
    return filler.fillsOf(trade.position).length > 0 || undefined;
  });
  expect((await stack.store.positions.byKey(trade.position.positionKey))?.status).toBe('pending');
  await endGrant(stack, trade.position);
  filler.setFilling(true);
  const { id, tokenUnits } = await stack.reaches(trade.position, 'open');
  expect(await notifiedCodesOf(stack.store, id)).toContain('PARTIAL_OPEN_PROGRESS');
  expect(filler.fillsOf(trade.position).length).toBeGreaterThan(1);
  // At a price below a dollar all of 100 USD buys more tokens than that.
  expect(raw(tokenUnits)).toBeGreaterThan(100_000_000n);
});
