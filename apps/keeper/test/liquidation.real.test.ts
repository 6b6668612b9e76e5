import type { LocalAccount, LocalPosition } from '@core/contracts/local';
import { liquidationPriceAt, type Position } from '@core/position';
import { isZero, leverageBps, raw } from '@core/pricing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { expectPaidOut } from '../testing/expectPaidOut.ts';
import { severalRounds } from '../testing/severalRounds.ts';
import { type HeldPosition, stackPolicy, startTestStack, type TestStack } from '../testing/startTestStack.ts';
import { namedTypesOf } from '../testing/writtenEvents.ts';

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

interface Opened extends HeldPosition {
  readonly user: LocalAccount;
  /** Balance of the user before. */
  readonly hadUsdcUnits: bigint;
}

/**
 * The likelier side at 5x: a fall of an eighth is enough, and so high a price keeps fee and spread of the sale small.
 */
async function openLeveraged(user: LocalAccount): Promise<Opened> {
  const market = await stack.tradableMarket();
  const side = await stack.likelierSide(market);
  const hadUsdcUnits = await stack.driver.usdcOf(user.address);
  const position = await stack.open({ user, market, side, leverageBps: leverageBps(50_000n) });
  await stack.reaches(position, 'open');
  return { user, market, side, position, hadUsdcUnits };
}

/** The user has what is left once the pool has its money and its fee, and the account nothing. */
async function expectFairEnd({ user, position, hadUsdcUnits }: Opened, ended: Position): Promise<void> {
  expect(ended).toMatchObject({ status: 'liquidated', closeReason: 'liquidated' });
  expect(isZero(ended.badDebtUsdcUnits) || isZero(ended.proceedsUsdcUnits)).toBe(true);
  await expectPaidOut(stack, ended, { user, before: hadUsdcUnits, position });
}

/** The index and the vault agree on the price at which the position is due. */
async function expectOnePrice(position: LocalPosition): Promise<void> {
  const record = await stack.reaches(position, 'open');
  const nowMs = Number(await stack.driver.rpc.nowSeconds()) * 1_000;
  expect(raw(liquidationPriceAt(record, nowMs))).toBe(await stack.liquidationPriceOf(position));
}

const attemptsOf = async ({ position }: Opened) =>
  ofOperation(await intentsOfSubject(stack.store.intents, position.positionKey), 'authorize_liquidate');

describe.concurrent('a position whose market falls to its liquidation price', () => {
  test('is sold, the pool is repaid with its fee, and the rest is the user’s', async () => {
    const openPosition = await openLeveraged(stack.deployment.roles.alice);
    await expectOnePrice(openPosition.position);
    await stack.fallUnderLiquidation(openPosition);
    const ended = await stack.reaches(openPosition.position, 'liquidated');
    await expectFairEnd(openPosition, ended);
    expect(ended).toMatchObject({ badDebtUsdcUnits: 0n });
    expect(raw(ended.collectedLiquidationFeeUsdcUnits)).toBeGreaterThan(0n);
    const transactions = await stack.store.positions.transactions(openPosition.position.positionKey);
    const own = transactions.filter(({ group }) => group === 'liquidation');
    expect(own.map(({ exchangeTransactionHashes }) => exchangeTransactionHashes.length)).toEqual([1, 0]);
    const types = await namedTypesOf(stack.store, ended.id);
    expect(types).toEqual(['position.created', 'position.opening', 'position.opened', 'position.liquidated']);
  });

  test('is sold in several orders when the venue takes a part', async () => {
    const openPosition = await openLeveraged(stack.deployment.roles.bob);
    await stack.scenario('partial_match', openPosition.market, { count: 1, fill_pct: 40 });
    await stack.fallUnderLiquidation(openPosition, 200n);
    const ended = await stack.reaches(openPosition.position, 'liquidated');
    await expectFairEnd(openPosition, ended);
    const [first, second, ...more] = (await attemptsOf(openPosition)).map(({ plan }) => plan.details.decidedAtMs);
    expect(more).toEqual([]);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(stackPolicy.execution.liquidationRetryDelayMs);
  });

  test('is not sold while there are no bids, and is as soon as there are', async () => {
    const openPosition = await openLeveraged(stack.deployment.roles.carol);
    // The book is the first token's: bids of the second are its asks.
    const ownBids = { book_side: openPosition.side === 'yes' ? 'bids' : 'asks' };
    await stack.scenario('depth_drain', openPosition.market, { ...ownBids, remaining_pct: 0, seconds: 3_600 });
    await stack.fallUnderLiquidation(openPosition);
    await severalRounds(stack, keeper);
    expect(await attemptsOf(openPosition)).toEqual([]);
    await stack.scenario('depth_drain', openPosition.market, { ...ownBids, remaining_pct: 100, seconds: 1 });
    await expectFairEnd(openPosition, await stack.reaches(openPosition.position, 'liquidated'));
  });
});

test('a keeper that starts after the fall finds it', async () => {
  const openPosition = await openLeveraged(stack.deployment.roles.alice);
  await keeper.close();
  await stack.fallUnderLiquidation(openPosition);
  keeper = await stack.startKeeper();
  const ended = await stack.reaches(openPosition.position, 'liquidated');
  await expectFairEnd(openPosition, ended);
  expect(ended).toMatchObject({ badDebtUsdcUnits: 0n });
});
