import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { liquidationPriceOf, rateBps, raw, tokenUnits, usdcUnits } from '@core/pricing';
import { decodeVaultLog, PositionState, Purpose, vaultAbi } from '@core/vault';
import { encodeFunctionData, erc20Abi } from 'viem';
import { OpenedMarket } from '../../testing/openedMarket.ts';
import { collateral, feeTaken, lent, notional, origination, PositionLife, tokens } from '../../testing/positionLife.ts';

let opened: OpenedMarket;
let life: PositionLife;

before(async () => {
  opened = await OpenedMarket.start('Will the second market resolve to yes?');
  life = await PositionLife.on(opened);
});

beforeEach(() => opened.reset());

after(() => opened.close());

describe('settling', () => {
  it('YES: a stranger settles, the user receives a dollar per token less debt', async () => {
    const position = await life.open();
    const openedAt = (await life.driver.positionOf(position)).since;
    await life.driver.rpc.advance(7_200);
    await life.driver.reportPayouts(life.market, [1n, 0n]);
    await life.driver.settle(position, life.driver.deployment.roles.bob);

    const fee = await life.lifetimeFeeSince(openedAt);
    await life.assertMoved(position.account, {
      alice: -collateral - origination - feeTaken + tokens - lent - fee,
      pool: origination + fee,
      maker: notional,
      venueFees: feeTaken,
      conditionalTokens: -tokens,
    });
    assert.equal((await life.driver.positionOf(position)).state, PositionState.Settled);
    assert.equal(await life.driver.tokensOf(position.account, life.market.yes), 0n);
  });

  it('void: half a dollar per token', async () => {
    const position = await life.open();
    const openedAt = (await life.driver.positionOf(position)).since;
    await life.driver.reportPayouts(life.market, [1n, 1n]);
    await life.driver.settle(position);

    const fee = await life.lifetimeFeeSince(openedAt);
    await life.assertMoved(position.account, {
      alice: -collateral - origination - feeTaken + tokens / 2n - lent - fee,
      pool: origination + fee,
      maker: notional,
      venueFees: feeTaken,
      conditionalTokens: -tokens / 2n,
    });
  });

  it('NO: the principal is bad debt, the reserve bears it; late money repays it before the user', async () => {
    const { alice, bob } = life.driver.deployment.roles;
    const position = await life.open();
    await life.driver.reportPayouts(life.market, [0n, 1n]);
    await life.driver.settle(position);
    await life.assertMoved(position.account, {
      alice: -collateral - origination - feeTaken,
      pool: -lent + origination,
      maker: notional,
      venueFees: feeTaken,
    });
    assert.equal((await life.driver.positionOf(position)).badDebtUsdcUnits, lent);
    assert.deepEqual(await life.bookOf(), {
      idleUsdcUnits: 500_000_000_000n,
      lentUsdcUnits: 0n,
      impairedUsdcUnits: 0n,
      unreleasedUsdcUnits: 0n,
      reserveUsdcUnits: 24_950_000_000n,
      treasuryOwedUsdcUnits: origination,
    });

    const late = lent + 1_234n;
    await life.driver.rpc.send(bob, {
      to: life.driver.deployment.contracts.usdc,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [position.account, late] }),
    });
    const before = await life.driver.usdcOf(alice.address);
    await life.driver.claim(position, bob);
    assert.equal((await life.driver.usdcOf(alice.address)) - before, 1_234n);
    assert.equal((await life.driver.positionOf(position)).badDebtUsdcUnits, 0n);
    assert.equal((await life.bookOf()).reserveUsdcUnits, 25_000_000_000n);
    assert.equal(await life.driver.usdcOf(position.account), 0n);
  });

  it('claim pays late money of a finished position to its owner', async () => {
    const { alice, bob } = life.driver.deployment.roles;
    const position = await life.open();
    await life.driver.reportPayouts(life.market, [1n, 0n]);
    await life.driver.settle(position);
    await life.driver.rpc.send(bob, {
      to: life.driver.deployment.contracts.usdc,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [position.account, 77n] }),
    });
    const before = await life.driver.usdcOf(alice.address);
    await life.driver.claim(position, bob);
    assert.equal((await life.driver.usdcOf(alice.address)) - before, 77n);
  });
});

describe('forced sales', () => {
  it('liquidates at the liquidation price, not a pip above it, and pays the fee to the pool', async () => {
    const position = await life.open();
    const openedAt = (await life.driver.positionOf(position)).since;
    await life.driver.rpc.advance(3_600);
    const price = await life.driver.rpc.client.readContract({
      address: life.driver.deployment.contracts.vault,
      abi: vaultAbi,
      functionName: 'liquidationPriceOf',
      args: [position.positionKey],
    });
    const owed = {
      principalUsdcUnits: usdcUnits(lent),
      feesUsdcUnits: usdcUnits(await life.lifetimeFeeSince(openedAt)),
      liquidationFeeBps: rateBps(100n),
      exitBufferBps: rateBps(800n),
    };
    assert.equal(price, raw(liquidationPriceOf({ ...owed, tokenUnits: tokenUnits(tokens) })));
    await assert.rejects(life.authorize(position, Purpose.Liquidate, { units: tokens, price: price + 1n }), {
      errorName: 'NotLiquidatable',
    });
    const order = await life.authorize(position, Purpose.Liquidate, { units: tokens, price });
    await life.driver.matchWithMaker(order, life.maker);
    await life.driver.finalize(position);

    const fee = await life.lifetimeFeeSince(openedAt);
    const proceeds = (tokens * price) / 10_000n;
    const liquidationFee = lent / 100n;
    await life.assertMoved(position.account, {
      alice: -collateral - origination - feeTaken + proceeds - lent - fee - liquidationFee,
      pool: origination + fee + liquidationFee,
      maker: notional - proceeds,
      venueFees: feeTaken,
    });
    assert.equal((await life.driver.positionOf(position)).state, PositionState.Liquidated);
  });

  it('unwinds only above the trigger, and every unit of the sale lowers the debt', async () => {
    const position = await life.open();
    const openedAt = (await life.driver.positionOf(position)).since;
    await life.driver.rpc.advance(60);
    // Debt per token is 2,500 pips and a little: a trigger of 2,501 protects the position, one of 2,500 does not.
    const units = 40_000_000n;
    const terms = { units, price: 4_500n };
    await assert.rejects(life.authorize(position, Purpose.Unwind, { ...terms, triggerPips: 2_501n }), {
      errorName: 'NotTriggered',
    });
    const order = await life.authorize(position, Purpose.Unwind, { ...terms, triggerPips: 2_500n });
    await life.driver.matchWithMaker(order, life.maker);
    await life.driver.finalize(position);

    const fee = await life.lifetimeFeeSince(openedAt);
    const proceeds = (units * 4_500n) / 10_000n;
    const stored = await life.driver.positionOf(position);
    assert.equal(stored.state, PositionState.Open);
    assert.equal(stored.tokenUnits, tokens - units);
    assert.equal(stored.principalUsdcUnits, lent - proceeds);
    assert.equal(stored.pendingFeeUsdcUnits, fee);
    await life.assertMoved(position.account, {
      alice: -collateral - origination - feeTaken,
      pool: -lent + origination + proceeds,
      maker: notional - proceeds,
      venueFees: feeTaken,
    });
  });
});

describe('the ledger of events', () => {
  it('decodes every log of vault and pool of a whole life', async () => {
    const { contracts } = life.driver.deployment;
    const position = await life.open();
    await life.driver.requestClose({ position, sender: life.driver.deployment.roles.alice, tokenUnits: tokens });
    const order = await life.authorize(position, Purpose.Close, { units: tokens, price: 6_000n });
    await life.driver.matchWithMaker(order, life.maker);
    await life.driver.finalize(position);

    const logs = await life.driver.rpc.client.getLogs({ address: contracts.vault, fromBlock: 0n });
    const poolLogs = await life.driver.rpc.client.getLogs({ address: contracts.pool, fromBlock: 0n });
    const names = [...logs, ...poolLogs].flatMap((log) => decodeVaultLog(log, contracts)?.name ?? []);
    for (const name of [
      'OutcomeRegistered',
      'PositionCreated',
      'OrderAuthorized',
      'OrderEnded',
      'PositionOpened',
      'CloseRequested',
      'PositionReduced',
      'Lent',
      'Booked',
      'ReserveFunded',
    ]) {
      assert.ok(
        names.some((found) => found === name),
        `no ${name} among ${names.join(' ')}`,
      );
    }
  });
});
