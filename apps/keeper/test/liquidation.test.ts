import type { LocalAccount, LocalPosition } from '@core/contracts/local';
import { isZero, leverageBps, raw } from '@core/pricing';
import type { PositionRecord } from '@core/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerLiquidationPriceOf } from '../src/debt/debtWatch.ts';
import type { Keeper } from '../src/index.ts';
import { decidedAtMsOf } from '../src/position/observePosition.ts';
import { type HeldPosition, startTestStack, type TestStack } from '../testing/startTestStack.ts';

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
  /** What the user had before. */
  readonly hadUsdcUnits: bigint;
}

/** The likelier side at 5x: a fall of an eighth is enough, and so high a price keeps fee and spread of the sale small. */
async function openLeveraged(user: LocalAccount): Promise<Opened> {
  const market = await stack.tradableMarket();
  const side = await stack.likelierSide(market);
  const hadUsdcUnits = await stack.desk.usdcOf(user.address);
  const position = await stack.open({ user, market, side, leverageBps: leverageBps(50_000n) });
  await stack.reaches(position, 'open');
  return { user, market, side, position, hadUsdcUnits };
}

/** The user has what is left once the pool has its money and its fee, and the account nothing. */
async function expectFairEnd({ user, position, hadUsdcUnits }: Opened, ended: PositionRecord): Promise<void> {
  expect(ended).toMatchObject({ status: 'liquidated', closeReason: 'liquidated' });
  expect(isZero(ended.badDebtUsdcUnits) || isZero(ended.proceedsUsdcUnits)).toBe(true);
  expect(await stack.desk.usdcOf(position.account)).toBe(0n);
  const paid =
    raw(ended.quotedCollateralUsdcUnits) +
    raw(ended.quotedOriginationFeeUsdcUnits) +
    raw(ended.quotedVenueFeeUsdcUnits);
  const received = raw(ended.proceedsUsdcUnits) + raw(ended.refundedUsdcUnits);
  expect((await stack.desk.usdcOf(user.address)) - hadUsdcUnits).toBe(received - paid);
}

/** The index and the vault agree on the price at which the position is due. */
async function expectOnePrice(position: LocalPosition): Promise<void> {
  const record = await stack.reaches(position, 'open');
  const nowMs = Number(await stack.desk.rpc.nowSeconds()) * 1_000;
  expect(raw(ledgerLiquidationPriceOf(record, nowMs))).toBe(await stack.liquidationPriceOf(position));
}

const attemptsOf = ({ position }: Opened) => stack.store.intents.ofSubject(position.positionKey, 'authorize_liquidate');

describe.concurrent('a position whose market falls to its liquidation price', () => {
  test('is sold, the pool is repaid with its fee, and the rest is the user’s', async () => {
    const opened = await openLeveraged(stack.deployment.roles.alice);
    await expectOnePrice(opened.position);
    await stack.fallUnderLiquidation(opened);
    const ended = await stack.reaches(opened.position, 'liquidated');
    await expectFairEnd(opened, ended);
    expect(ended).toMatchObject({ badDebtUsdcUnits: 0n });
    expect(raw(ended.collectedLiquidationFeeUsdcUnits)).toBeGreaterThan(0n);
    const transactions = await stack.store.positions.transactions(opened.position.positionKey);
    const own = transactions.filter(({ group }) => group === 'liquidation');
    expect(own.map(({ exchangeTransactionHashes }) => exchangeTransactionHashes.length)).toEqual([1, 0]);
    const types = (await stack.store.outbox.readAfter({ after: 0n, limit: 1_000 }))
      .filter(({ positionId }) => positionId === ended.id)
      .map(({ type }) => type);
    expect(types).toEqual(['position.created', 'position.opening', 'position.opened', 'position.liquidated']);
  });

  test('is sold in several orders when the venue takes a part', async () => {
    const opened = await openLeveraged(stack.deployment.roles.bob);
    await stack.scenario('partial_match', opened.market, { count: 1, fill_pct: 40 });
    await stack.fallUnderLiquidation(opened, 200n);
    const ended = await stack.reaches(opened.position, 'liquidated');
    await expectFairEnd(opened, ended);
    const [first, second, ...more] = (await attemptsOf(opened)).map(decidedAtMsOf);
    expect(more).toEqual([]);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2_000);
  });

  test('is not sold while nobody bids, and is as soon as somebody does', async () => {
    const opened = await openLeveraged(stack.deployment.roles.carol);
    await stack.scenario('depth_drain', opened.market, { remaining_pct: 0, book_side: 'bids', seconds: 6 });
    await stack.fallUnderLiquidation(opened);
    const startMs = Number(await stack.desk.rpc.nowSeconds()) * 1_000;
    await stack.until('five seconds to pass', async () =>
      Number(await stack.desk.rpc.nowSeconds()) * 1_000 >= startMs + 5_000 ? true : undefined,
    );
    expect(await attemptsOf(opened)).toEqual([]);
    await expectFairEnd(opened, await stack.reaches(opened.position, 'liquidated'));
  });
});

test('a keeper that starts after the fall finds it', async () => {
  const opened = await openLeveraged(stack.deployment.roles.alice);
  await keeper.close();
  await stack.fallUnderLiquidation(opened);
  keeper = await stack.startKeeper();
  const ended = await stack.reaches(opened.position, 'liquidated');
  await expectFairEnd(opened, ended);
  expect(ended).toMatchObject({ badDebtUsdcUnits: 0n });
});
