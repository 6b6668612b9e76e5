import { policyDefaults } from '@core/policy';
import { isZero, leverageBps, raw } from '@core/pricing';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
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

/** For twelve seconds the market stands three cents above the liquidation price, and bids no more than is owed. */
async function bidTheDebt({ position, market, side }: HeldPosition): Promise<void> {
  const { principalUsdcUnits, tokenUnits } = await stack.driver.positionOf(position);
  const mark = Number(await stack.liquidationPriceOf(position)) / 10_000 + 0.03;
  const debt = Number(principalUsdcUnits) / Number(tokenUnits);
  await stack.scenario('spread_blow_out', market, { cents: 2 * 100 * (mark - debt), seconds: 12 });
  await stack.scenario('crash', market, { side, to: mark.toFixed(4), hold_seconds: 12, fade_seconds: 1 });
}

describe.concurrent('a close', () => {
  test('of everything waits while its price is below the debt, and is sold once it is back', async () => {
    const { alice } = stack.deployment.roles;
    const market = await stack.tradableMarket();
    const side = await stack.likelierSide(market);
    const position = await stack.open({ user: alice, market, side, leverageBps: leverageBps(50_000n) });
    const opened = await stack.reaches(position, 'open');
    await bidTheDebt({ position, market, side });
    await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(opened.tokenUnits) });
    const closing = await stack.reaches(position, 'closing');
    await stack.until('two looks at the book', async () =>
      (await stack.driver.rpc.nowSeconds()) * 1_000n > (closing.closeRequestedAtMs ?? 0) + 7_000 ? true : undefined,
    );
    expect(await stack.store.intents.ofSubject(position.positionKey, ['authorize_close'])).toEqual([]);
    const closed = await stack.reaches(position, 'closed');
    expect(raw(closed.proceedsUsdcUnits)).toBeGreaterThan(0n);
    expect(raw(closed.badDebtUsdcUnits)).toBe(0n);
  });

  test('of a user who cannot receive is paid as soon as possible, and is counted once', async () => {
    const { carol } = stack.deployment.roles;
    const market = await stack.tradableMarket();
    const before = await stack.driver.usdcOf(carol.address);
    const position = await stack.open({ user: carol, market });
    await stack.setBlacklisted(carol.address, true);
    const opened = await stack.reaches(position, 'open');
    // What the opening did not use waits in the account beside the tokens.
    expect(opened.deferredUsdcUnits).toBe(opened.refundedUsdcUnits);
    expect(raw(opened.refundedUsdcUnits)).toBeGreaterThan(0n);
    await stack.driver.requestClose({ position, sender: carol, tokenUnits: raw(opened.tokenUnits) });
    const closed = await stack.reaches(position, 'closed');
    const account = stack.driver.accountOf(position.positionKey);
    expect(raw(closed.deferredUsdcUnits)).toBe(await stack.driver.usdcOf(account));
    expect(raw(closed.deferredUsdcUnits)).toBe(raw(closed.refundedUsdcUnits) + raw(closed.proceedsUsdcUnits));

    // A claim that is refused again emits an event, and changes nothing.
    await stack.driver.claim(position);
    await stack.setBlacklisted(carol.address, false);
    await stack.driver.claim(position);
    const paid = await stack.until('the payment to be claimed', async () => {
      const record = await stack.store.positions.byKey(position.positionKey);
      return record !== null && isZero(record.deferredUsdcUnits) ? record : undefined;
    });
    expect(paid).toMatchObject({ proceedsUsdcUnits: closed.proceedsUsdcUnits, repaidMarginUsdcUnits: 0n });
    const spent =
      raw(paid.quotedCollateralUsdcUnits) + raw(paid.quotedOriginationFeeUsdcUnits) + raw(paid.quotedVenueFeeUsdcUnits);
    const received = raw(paid.proceedsUsdcUnits) + raw(paid.refundedUsdcUnits);
    expect((await stack.driver.usdcOf(carol.address)) - before).toBe(received - spent);
  });

  test('whose orders bring nothing is tried again after five, then after ten seconds', async () => {
    const { bob } = stack.deployment.roles;
    const market = await stack.tradableMarket();
    const position = await stack.open({ user: bob, market });
    const opened = await stack.reaches(position, 'open');
    await stack.scenario('ghost_fill', market, { count: 2, retries: 0 });
    await stack.driver.requestClose({ position, sender: bob, tokenUnits: raw(opened.tokenUnits) });
    await stack.reaches(position, 'closed');
    const attempts = ofOperation(await intentsOfSubject(stack.store.intents, position.positionKey), 'authorize_close');
    const [first, second, third, ...more] = attempts.map(({ plan }) => plan.details.decidedAtMs);
    expect(more).toEqual([]);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(5_000);
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(10_000);
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
  const opened = await stack.reaches(position, 'open');
  await stack.until('the unwind to be refused', async () =>
    lines.some((line) => line.includes(position.positionKey) && line.includes('"reason":"not_due"')) ? true : undefined,
  );
  await stack.driver.requestClose({ position, sender: dave, tokenUnits: raw(opened.tokenUnits) });
  const closed = await stack.reaches(position, 'closed');
  expect(raw(closed.proceedsUsdcUnits)).toBeGreaterThan(0n);
  expect(await stack.store.intents.ofSubject(position.positionKey, ['authorize_unwind'])).toEqual([]);
});
