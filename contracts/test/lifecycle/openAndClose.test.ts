import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { openingSplitOf, waterfallOf } from '@core/position/testing';
import { rateBps, raw, tokenUnits, usdcUnits } from '@core/pricing';
import { PositionState, Purpose } from '@core/vault';
import { OpenedMarket } from '../../testing/openedMarket.ts';
import {
  collateral,
  feeBudget,
  feeTaken,
  lent,
  notional,
  origination,
  PositionLife,
  protocolCutOf,
  tokens,
} from '../../testing/positionLife.ts';

let opened: OpenedMarket;
let life: PositionLife;

before(async () => {
  opened = await OpenedMarket.start('Will the second market resolve to yes?');
  life = await PositionLife.on(opened);
});

beforeEach(() => opened.reset());

after(() => opened.close());

describe('opening', () => {
  it('takes collateral, origination and fee budget, then lends, buys, and returns what was not used', async () => {
    const position = await life.create();
    const paid = collateral + origination + feeBudget;
    await life.assertMoved(position.account, { alice: -paid, account: paid });

    const order = await life.authorize(position, Purpose.Open, { units: tokens, price: 5_000n });
    await life.assertMoved(position.account, { alice: -paid, account: paid + lent, pool: -lent });

    await life.driver.matchWithMaker(order, life.maker, feeTaken);
    const left = paid + lent - notional - feeTaken;
    await life.assertMoved(position.account, {
      alice: -paid,
      account: left,
      pool: -lent,
      maker: notional,
      venueFees: feeTaken,
    });
    const split = openingSplitOf({
      collateralUsdcUnits: usdcUnits(collateral),
      notionalUsdcUnits: usdcUnits(notional),
      lentUsdcUnits: usdcUnits(lent),
      venueFeeUsdcUnits: usdcUnits(feeBudget),
      originationFeeUsdcUnits: usdcUnits(origination),
      filledUsdcUnits: usdcUnits(notional),
      cashUsdcUnits: usdcUnits(left),
      tokenUnits: tokenUnits(tokens),
    });
    assert.equal(raw(split.userRefundUsdcUnits), feeBudget - feeTaken);

    await life.driver.finalize(position);
    await life.assertMoved(position.account, {
      alice: -paid + feeBudget - feeTaken,
      pool: -lent + origination,
      maker: notional,
      venueFees: feeTaken,
    });
    const stored = await life.driver.positionOf(position);
    assert.equal(stored.state, PositionState.Open);
    assert.equal(stored.tokenUnits, tokens);
    assert.equal(stored.principalUsdcUnits, raw(split.principalUsdcUnits));
    assert.equal(await life.driver.tokensOf(position.account, life.market.yes), tokens);
    // The reserve stands at its target of 5 % already, so the whole fee is the treasury's.
    assert.deepEqual(await life.bookOf(), {
      idleUsdcUnits: 499_950_000_000n,
      lentUsdcUnits: lent,
      impairedUsdcUnits: 0n,
      unreleasedUsdcUnits: 0n,
      reserveUsdcUnits: 25_000_000_000n,
      treasuryOwedUsdcUnits: origination,
    });
  });

  it('returns everything when the order was never filled', async () => {
    const position = await life.create();
    await life.authorize(position, Purpose.Open, { units: tokens, price: 5_000n });
    await life.driver.finalize(position);
    assert.equal((await life.driver.positionOf(position)).state, PositionState.Reverted);
    await life.assertMoved(position.account, {});
  });

  it('returns everything when the user cancels before an order lives', async () => {
    const position = await life.create();
    await life.driver.cancelPosition(position, life.driver.deployment.roles.alice);
    assert.equal((await life.driver.positionOf(position)).state, PositionState.Cancelled);
    await life.assertMoved(position.account, {});
  });
});

describe('closing', () => {
  it('sells all at a gain: principal, lifetime fee, and the rest to the user', async () => {
    const { alice } = life.driver.deployment.roles;
    const position = await life.open();
    const openedAt = (await life.driver.positionOf(position)).since;
    await life.driver.rpc.advance(86_400);
    await life.driver.requestClose({ position, sender: alice, tokenUnits: tokens, minPricePips: 5_900n });
    const order = await life.authorize(position, Purpose.Close, { units: tokens, price: 6_000n });
    await life.driver.matchWithMaker(order, life.maker, 3_360_000n);
    await life.driver.finalize(position);

    const fee = await life.lifetimeFeeSince(openedAt);
    assert.ok(fee > 13_600n);
    const proceeds = 120_000_000n - 3_360_000n;
    const distribution = waterfallOf({
      proceedsUsdcUnits: usdcUnits(proceeds),
      principalDueUsdcUnits: usdcUnits(lent),
      lifetimeFeeDueUsdcUnits: usdcUnits(fee),
      liquidationFeeBps: rateBps(0n),
    });
    assert.equal(raw(distribution.userPaidUsdcUnits), proceeds - lent - fee);
    await life.assertMoved(position.account, {
      alice: -collateral - origination - feeTaken + raw(distribution.userPaidUsdcUnits),
      pool: origination + fee,
      maker: notional - 120_000_000n,
      venueFees: feeTaken + 3_360_000n,
    });
    const stored = await life.driver.positionOf(position);
    assert.equal(stored.state, PositionState.Closed);
    assert.equal(stored.tokenUnits, 0n);
    assert.deepEqual(await life.bookOf(), {
      idleUsdcUnits: 500_000_000_000n + fee - protocolCutOf(fee),
      lentUsdcUnits: 0n,
      impairedUsdcUnits: 0n,
      // Income of so few units is rounded up to itself for the first minutes of its seven days.
      unreleasedUsdcUnits: fee - protocolCutOf(fee),
      reserveUsdcUnits: 25_000_000_000n,
      treasuryOwedUsdcUnits: origination + protocolCutOf(fee),
    });
  });

  it('sells a part: its share of principal and fees is paid, each rounded up', async () => {
    const { alice } = life.driver.deployment.roles;
    const position = await life.open();
    const openedAt = (await life.driver.positionOf(position)).since;
    await life.driver.rpc.advance(3_600);
    const sold = 66_660_000n;
    await life.driver.requestClose({ position, sender: alice, tokenUnits: sold });
    const order = await life.authorize(position, Purpose.Close, { units: sold, price: 5_500n });
    await life.driver.matchWithMaker(order, life.maker);
    await life.driver.finalize(position);

    const accrued = await life.lifetimeFeeSince(openedAt);
    const ceilShare = (whole: bigint) => (whole * sold + tokens - 1n) / tokens;
    const principalPaid = ceilShare(lent);
    const feePaid = ceilShare(accrued);
    const proceeds = (sold * 5_500n) / 10_000n;
    await life.assertMoved(position.account, {
      alice: -collateral - origination - feeTaken + proceeds - principalPaid - feePaid,
      pool: origination - lent + principalPaid + feePaid,
      maker: notional - proceeds,
      venueFees: feeTaken,
    });
    const stored = await life.driver.positionOf(position);
    assert.equal(stored.state, PositionState.Open);
    assert.equal(stored.tokenUnits, tokens - sold);
    assert.equal(stored.principalUsdcUnits, lent - principalPaid);
    assert.equal(stored.pendingFeeUsdcUnits, accrued - feePaid);
    assert.equal(stored.closeTokenUnits, 0n);
  });
});
