import type { LocalAccount } from '@core/contracts/local';
import { policyDefaults } from '@core/policy';
import type { Position, PositionUnwind } from '@core/position';
import { isZero, leverageBps, raw, usdPips } from '@core/pricing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { expectShown } from '../testing/expectShown.ts';
import { likelyPlace } from '../testing/likelyPlace.ts';
import { roundsOf } from '../testing/severalRounds.ts';
import { likelyWhereNear } from '../testing/standStill.ts';
import { type Rest, startRest } from '../testing/startRest.ts';
import { type HeldPosition, isHourly, startTestStack, type TestStack } from '../testing/startTestStack.ts';
import { namedTypesOf } from '../testing/writtenEvents.ts';

let stack: TestStack;
let keeper: Keeper;
let rest: Rest;
const usd = (whole: number) => usdPips(BigInt(whole) * 10_000n);

beforeAll(async () => {
  stack = await startTestStack({ isListed: isHourly, startPriceOf: likelyWhereNear });
  keeper = await stack.startKeeper({ policy: policyDefaults });
  rest = await startRest(stack);
});
afterAll(async () => {
  await Promise.all([keeper.close(), rest.close()]);
  await stack.close();
});

async function openCovered(user: LocalAccount): Promise<HeldPosition> {
  const place = await likelyPlace(stack);
  const position = await stack.open({ user, ...place, leverageBps: leverageBps(30_000n), notionalUsdPips: usd(300) });
  await stack.reaches(position, 'open');
  // The watch has to have seen the cover hold before it can say what broke it: every debt is in it, and every book.
  await stack.until('every debt to be watched in a fresh book', async () => {
    const activeRecords = await stack.store.positions.inStatuses(['open', 'unwinding', 'closing', 'settling']);
    const owing = activeRecords.filter(({ principalUsdcUnits }) => !isZero(principalUsdcUnits));
    const metrics = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
    const isWatched = metrics.includes(`\nkeeper_followed_debts ${owing.length}\n`);
    return isWatched && metrics.includes('\nkeeper_stale_markets 0\n') ? true : undefined;
  });
  expect(await stack.store.positions.unwinds(position.positionKey)).toEqual([]);
  return { ...place, position };
}

/** A fall that breaks the cover and stays above the price of a liquidation. */
async function fallUnderCover({ market, side, position }: HeldPosition): Promise<void> {
  const to = (Number(await stack.liquidationPriceOf(position)) + 250) / 10_000;
  await stack.scenario('crash', market, { side, to: to.toFixed(4), hold_seconds: 600 });
}

const debtOf = ({ position }: HeldPosition): Promise<bigint> => stack.debtOf(position);

/** Waits for the debt to be gone from the record. */
async function unwound({ position }: HeldPosition): Promise<Position> {
  return stack.until(`${position.positionKey} to be unwound`, async () => {
    const record = await stack.store.positions.byKey(position.positionKey);
    return record !== null && record.status === 'open' && isZero(record.principalUsdcUnits) ? record : undefined;
  });
}

/** The whole debt was repaid by sales, and what is left is the user's. */
async function expectUnwound(held: HeldPosition): Promise<readonly PositionUnwind[]> {
  const record = await unwound(held);
  expect(await debtOf(held)).toBe(0n);
  expect(raw(record.tokenUnits)).toBeGreaterThan(0n);
  expect(record).toMatchObject({ structuralLeverageBps: 10_000n, badDebtUsdcUnits: 0n, livePurpose: null });
  return expectOneAccount(held);
}

/** The next part of a sale follows two seconds after the one before: six rounds, with pauses of a third of a second. */
const roundsBetweenParts = 10;

/**
 * Record, rows, events and chain agree about a position's unwinds. A thin book is sold in parts, each with an order of
 * its own: the account is taken when every order of the position has ended and its index has caught up.
 */
async function expectOneAccount({ position }: HeldPosition): Promise<readonly PositionUnwind[]> {
  const { positionKey } = position;
  let still = { tokenUnits: -1n, untilRound: 0 };
  const { record, onChain } = await stack.until('every order to have ended', async () => {
    const posts = ofOperation(await intentsOfSubject(stack.store.intents, positionKey), 'post_unwind');
    const hasEnded = posts.length > 0 && posts.every(({ state }) => state === 'final' || state === 'dropped');
    const record = await stack.store.positions.byKey(positionKey);
    const isIdle = record !== null && record.livePurpose === null;
    const chainPosition = await stack.driver.positionOf(position);
    const isAtOneSale = hasEnded && isIdle && raw(record.tokenUnits) === chainPosition.tokenUnits;
    if (!isAtOneSale) return undefined;
    const round = Math.min(...(await roundsOf(keeper.metricsUrl, ['advancePositions', 'advanceDue'])));
    const { tokenUnits } = chainPosition;
    if (tokenUnits !== still.tokenUnits) still = { tokenUnits, untilRound: round + roundsBetweenParts };
    return round >= still.untilRound ? { record: record, onChain: chainPosition } : undefined;
  });
  expect(raw(record.principalUsdcUnits)).toBe(onChain.principalUsdcUnits);
  const unwinds = await stack.store.positions.unwinds(position.positionKey);
  let before = raw(record.leverageBps);
  for (const row of unwinds) {
    expect(raw(row.beforeLeverageBps)).toBe(before);
    expect(raw(row.afterLeverageBps)).toBeLessThan(before);
    before = raw(row.afterLeverageBps);
  }
  expect(before).toBe(raw(record.structuralLeverageBps));
  const types = await namedTypesOf(stack.store, record.id);
  expect(types.filter((type) => type === 'position.force_unwound').length).toBe(unwinds.length);
  const groups = (await stack.store.positions.transactions(position.positionKey)).map(({ group }) => group);
  expect(groups.filter((group) => group === 'force_unwind').length).toBeGreaterThanOrEqual(2 * unwinds.length);
  await expectShown({ stack, rest }, position);
  return unwinds;
}

describe.concurrent('a debt that is no longer covered', () => {
  test('is repaid whole when the price crashes, and the rest stays the user’s', async () => {
    const openPosition = await openCovered(stack.deployment.roles.alice);
    await fallUnderCover(openPosition);
    const rows = await expectUnwound(openPosition);
    // A fall that is large for its time raises the variance as well.
    expect(rows.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^(price_drop_|crypto_move)/)]);
  });

  test('is repaid into a drained book as far as that takes it, until it covers the rest', async () => {
    const openPosition = await openCovered(stack.deployment.roles.bob);
    const owed = await debtOf(openPosition);
    await stack.drainBids(openPosition, 40, 300);
    await stack.until('a part to be repaid', async () => {
      const record = await stack.store.positions.byKey(openPosition.position.positionKey);
      const isLower = record !== null && raw(record.structuralLeverageBps) < raw(record.leverageBps);
      return isLower && record.status === 'open' ? record : undefined;
    });
    expect(await debtOf(openPosition)).toBeLessThan(owed);
    const rows = await expectOneAccount(openPosition);
    // A drain and the sales into it lower the best bid as well, and with it the mid: never a fall of the price.
    const reasons = rows.map(({ reason }) => reason);
    expect(reasons[0]).toMatch(/^depth_/);
    expect(reasons).toEqual(rows.map(() => expect.stringMatching(/^(depth|spread)_/)));
  });

  test('is repaid on bids alone', async () => {
    const openPosition = await openCovered(stack.deployment.roles.carol);
    const ownAsks = openPosition.side === 'yes' ? 'asks' : 'bids';
    await stack.scenario('depth_drain', openPosition.market, { remaining_pct: 0, book_side: ownAsks, seconds: 600 });
    await fallUnderCover(openPosition);
    const rows = await expectUnwound(openPosition);
    expect(rows.map(({ reason }) => reason)).toEqual(
      rows.map(() => expect.stringMatching(/^(price_drop_|crypto_move)/)),
    );
  });
});

test('a covered debt is left alone until the hard exit, and is repaid then', async () => {
  const openPosition = await openCovered(stack.deployment.roles.dave);
  const openMs = Number(await stack.driver.rpc.nowSeconds()) * 1_000;
  const leftMs = (openPosition.market.closeTimeMs ?? 0) - openMs;
  expect(leftMs).toBeGreaterThan(400_000);
  expect(await debtOf(openPosition)).toBeGreaterThan(0n);
  const metrics = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
  expect(metrics).toMatch(/^keeper_exit_seconds_count\{category="crypto"\} [1-9]/m);
  await keeper.close();
  await stack.advance(Math.floor(leftMs / 1_000) - 295);
  // An hour decides most of the outcome; the side is to win. Where it stands higher already the scenario is refused.
  await stack.scenario('pump', openPosition.market, { side: openPosition.side, to: '0.95' }).catch(() => undefined);
  keeper = await stack.startKeeper({ policy: policyDefaults });
  const rows = await expectUnwound(openPosition);
  expect(rows.map(({ reason }) => reason)).toEqual(['stale_refresh']);
});
