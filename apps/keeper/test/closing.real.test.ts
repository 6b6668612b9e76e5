import type { MarketRecord } from '@core/market';
import { policyDefaults } from '@core/policy';
import type { Position } from '@core/position';
import { isZero, leverageBps, raw } from '@core/pricing';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { netReceivedOf } from '../testing/expectPaidOut.ts';
import { severalRounds } from '../testing/severalRounds.ts';
import { stackPolicy, startTestStack, type TestStack } from '../testing/startTestStack.ts';

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

/** Bids three tenths below the price at which a position was opened: less than it owes, and than any sale may take. */
async function bidLittle({ openedMarkPricePips }: Position, market: MarketRecord): Promise<void> {
  const cents = (2 * 0.3 * Number(openedMarkPricePips)) / 100;
  await stack.scenario('spread_blow_out', market, { cents, seconds: 86_400 });
}

describe.concurrent('a close', () => {
  test('of everything waits while its bids are below the debt, and is sold once they are back', async () => {
    const { alice } = stack.deployment.roles;
    const market = await stack.tradableMarket();
    const side = await stack.likelierSide(market);
    const position = await stack.open({ user: alice, market, side, leverageBps: leverageBps(50_000n) });
    const openRecord = await stack.reaches(position, 'open');
    await bidLittle(openRecord, market);
    await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(openRecord.tokenUnits) });
    await stack.reaches(position, 'closing');
    await severalRounds(stack, keeper);
    const sales = ['authorize_close', 'authorize_unwind', 'authorize_liquidate'];
    expect(await stack.store.intents.ofSubject(position.positionKey, sales)).toEqual([]);
    await stack.scenario('spread_blow_out', market, { cents: 1, seconds: 86_400 });
    const closedRecord = await stack.reaches(position, 'closed');
    expect(await stack.store.intents.ofSubject(position.positionKey, sales.slice(1))).toEqual([]);
    expect(raw(closedRecord.proceedsUsdcUnits)).toBeGreaterThan(0n);
    expect(raw(closedRecord.badDebtUsdcUnits)).toBe(0n);
  });

  test('of a user who cannot receive is paid as soon as possible, and is counted once', async () => {
    const { carol } = stack.deployment.roles;
    const market = await stack.tradableMarket();
    const before = await stack.driver.usdcOf(carol.address);
    const position = await stack.open({ user: carol, market });
    await stack.setBlacklisted(carol.address, true);
    const openRecord = await stack.reaches(position, 'open');
    // What the opening did not use waits in the account beside the tokens.
    expect(openRecord.deferredUsdcUnits).toBe(openRecord.refundedUsdcUnits);
    expect(raw(openRecord.refundedUsdcUnits)).toBeGreaterThan(0n);
    await stack.driver.requestClose({ position, sender: carol, tokenUnits: raw(openRecord.tokenUnits) });
    const closedRecord = await stack.reaches(position, 'closed');
    const account = stack.driver.accountOf(position.positionKey);
    expect(raw(closedRecord.deferredUsdcUnits)).toBe(await stack.driver.usdcOf(account));
    expect(raw(closedRecord.deferredUsdcUnits)).toBe(
      raw(closedRecord.refundedUsdcUnits) + raw(closedRecord.proceedsUsdcUnits),
    );

    // A claim that is refused again emits an event, and changes nothing.
    await stack.driver.claim(position);
    await stack.setBlacklisted(carol.address, false);
    await stack.driver.claim(position);
    const paid = await stack.until('the payment to be claimed', async () => {
      const record = await stack.store.positions.byKey(position.positionKey);
      return record !== null && isZero(record.deferredUsdcUnits) ? record : undefined;
    });
    expect(paid).toMatchObject({ proceedsUsdcUnits: closedRecord.proceedsUsdcUnits, repaidMarginUsdcUnits: 0n });
    expect((await stack.driver.usdcOf(carol.address)) - before).toBe(netReceivedOf(paid));
  });

  test('whose orders bring nothing is tried again after the delay of the policy, then after twice as long', async () => {
    const { bob } = stack.deployment.roles;
    const market = await stack.tradableMarket();
    const position = await stack.open({ user: bob, market });
    const openRecord = await stack.reaches(position, 'open');
    await stack.scenario('ghost_fill', market, { count: 2, retries: 0 });
    await stack.driver.requestClose({ position, sender: bob, tokenUnits: raw(openRecord.tokenUnits) });
    await stack.reaches(position, 'closed');
    const attempts = ofOperation(await intentsOfSubject(stack.store.intents, position.positionKey), 'authorize_close');
    const { retryDelayMs } = stackPolicy.execution;
    // Where an order is refused beside the two that bring nothing there is a fourth.
    const [first = 0, second = 0, third = 0] = attempts.map(({ plan }) => plan.details.decidedAtMs);
    expect(attempts.length).toBeGreaterThanOrEqual(3);
    expect(second - first).toBeGreaterThanOrEqual(retryDelayMs);
    expect(third - second).toBeGreaterThanOrEqual(2 * retryDelayMs);
  });
});

test('a close is sold while the price signers refuse the unwind of its debt for good', async () => {
  await keeper.close();
  const lines: string[] = [];
  // Any debt is uncovered to this keeper, and covered to the signers.
  const anxious = { ...policyDefaults, model: { ...policyDefaults.model, shockMultiplierBps: 10_000_000n } };
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  keeper = await stack.startKeeper({ policy: anxious, logger });
  const { dave } = stack.deployment.roles;
  const market = await stack.tradableMarket();
  const position = await stack.open({ user: dave, market, side: await stack.likelierSide(market) });
  const openRecord = await stack.reaches(position, 'open');
  await stack.until('the unwind to be refused', async () =>
    lines.some((line) => line.includes(position.positionKey) && line.includes('"reason":"not_due"')) ? true : undefined,
  );
  await stack.driver.requestClose({ position, sender: dave, tokenUnits: raw(openRecord.tokenUnits) });
  const closedRecord = await stack.reaches(position, 'closed');
  expect(raw(closedRecord.proceedsUsdcUnits)).toBeGreaterThan(0n);
  expect(await stack.store.intents.ofSubject(position.positionKey, ['authorize_unwind'])).toEqual([]);
});
