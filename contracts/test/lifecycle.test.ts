import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  lifetimeFeeOf,
  liquidationPriceOf,
  openingSplitOf,
  rateBps,
  raw,
  tokenUnits,
  usdcUnits,
  waterfallOf,
} from '@core/pricing';
import {
  decodeVaultLog,
  liquidityPoolAbi,
  OrderSide,
  PositionState,
  Purpose,
  positionSeedOf,
  vaultAbi,
} from '@core/vault';
import { type Address, encodeFunctionData, erc20Abi } from 'viem';
import { deployLocal, LocalDesk, type LocalMarket, type LocalPosition, startLocalChain } from '../local/index.ts';

// 50 USDC of collateral at 2x buy 200 YES tokens at 0.50; the venue's fee of 3.5 USDC leaves 0.5 of its budget.
const collateral = 50_000_000n;
const notional = 100_000_000n;
const lent = 50_000_000n;
const feeBudget = 4_000_000n;
const feeTaken = 3_500_000n;
const origination = 750_000n;
const tokens = 200_000_000n;

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let desk: LocalDesk;
let market: LocalMarket;
let snapshot: `0x${string}`;
let startingBalances: Balances;

interface Balances {
  readonly alice: bigint;
  readonly account: bigint;
  readonly pool: bigint;
  readonly maker: bigint;
  readonly venueFees: bigint;
  readonly treasury: bigint;
  readonly conditionalTokens: bigint;
  readonly vault: bigint;
}

before(async () => {
  chain = await startLocalChain({ blockIntervalMs: 0 });
  desk = new LocalDesk({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
  market = await desk.openMarket('Will the second market resolve to yes?');
  await desk.mintTokens(maker(), market, 1_000_000_000n);
  startingBalances = await balances(null);
  snapshot = await desk.rpc.snapshot();
});

beforeEach(async () => {
  await desk.rpc.revertTo(snapshot);
  snapshot = await desk.rpc.snapshot();
});

after(() => chain.close());

function maker() {
  const [first] = desk.deployment.roles.makers;
  if (first === undefined) throw new Error('the deployment has no maker');
  return first;
}

async function balances(account: Address | null): Promise<Balances> {
  const { contracts, roles } = desk.deployment;
  return {
    alice: await desk.usdcOf(roles.alice.address),
    account: account === null ? 0n : await desk.usdcOf(account),
    pool: await desk.usdcOf(contracts.pool),
    maker: await desk.usdcOf(maker().address),
    venueFees: await desk.usdcOf(roles.venueFeeRecipient.address),
    treasury: await desk.usdcOf(roles.treasury.address),
    conditionalTokens: await desk.usdcOf(contracts.conditionalTokens),
    vault: await desk.usdcOf(contracts.vault),
  };
}

/** Every balance against the start, to the unit; nothing appears from nowhere and the vault holds nothing. */
async function assertMoved(account: Address, moved: Partial<Balances>): Promise<void> {
  const now = await balances(account);
  const names = Object.keys(now) as (keyof Balances)[];
  const found = Object.fromEntries(
    names.map((name) => [name, now[name] - startingBalances[name]]).filter(([, difference]) => difference !== 0n),
  );
  assert.deepEqual(found, Object.fromEntries(Object.entries(moved).filter(([, difference]) => difference !== 0n)));
  assert.equal(
    Object.values(found).reduce((sum: bigint, part) => sum + BigInt(String(part)), 0n),
    0n,
  );
}

async function bookOf() {
  return desk.rpc.client.readContract({
    address: desk.deployment.contracts.pool,
    abi: liquidityPoolAbi,
    functionName: 'bookOf',
  });
}

async function create(): Promise<LocalPosition> {
  const { alice } = desk.deployment.roles;
  const fields = await desk.quoteFields({
    user: alice,
    token: market.yes,
    positionSeed: positionSeedOf('0x0a0b0c0d0e0f101112131415', 0),
    collateralUsdcUnits: collateral,
    leverageBps: 20_000n,
  });
  const limits = { venueFeeUsdcUnits: feeBudget, minPositionTokenUnits: tokens };
  return desk.createPosition({ sender: alice, fields, signature: desk.signQuote(fields), limits });
}

interface OrderTerms {
  readonly units: bigint;
  /** Pips; also mark and limit of the attestation. */
  readonly price: bigint;
  readonly triggerPips?: bigint;
}

/** Authorises an order of the position at one price. */
async function authorize(position: LocalPosition, purpose: Purpose, terms: OrderTerms) {
  const { units, price, triggerPips = 0n } = terms;
  const order = desk.orderOf({
    maker: position.account,
    token: market.yes,
    side: purpose === Purpose.Open ? OrderSide.Buy : OrderSide.Sell,
    tokenUnits: units,
    usdcUnits: (units * price) / 10_000n,
    isContract: true,
  });
  const prices = { token: market.yes, purpose, markPips: price, limitPips: price, triggerPips, venueFeeBps: 350n };
  await desk.authorizeOrder({ position, order, attestation: await desk.attestation(prices) });
  return order;
}

/** A position that is Open with 200 tokens and 50 USDC of principal. */
async function open(): Promise<LocalPosition> {
  const position = await create();
  const order = await authorize(position, Purpose.Open, { units: tokens, price: 5_000n });
  await desk.matchWithMaker(order, maker(), feeTaken);
  await desk.finalize(position);
  return position;
}

/** The lifetime fee the chain has charged when the principal last changed at `from`. */
async function lifetimeFeeSince(from: number, principal = lent): Promise<bigint> {
  const elapsedSeconds = Number(await desk.rpc.nowSeconds()) - from;
  return raw(
    lifetimeFeeOf({ principalUsdcUnits: usdcUnits(principal), lifetimeFeeAprBps: rateBps(1_000n), elapsedSeconds }),
  );
}

/** What of a lifetime fee the treasury is owed: a fifth, rounded down. */
const protocolCutOf = (fee: bigint) => (fee * 2_000n) / 10_000n;

describe('opening', () => {
  it('takes collateral, origination and fee budget, then lends, buys, and returns what was not used', async () => {
    const position = await create();
    const paid = collateral + origination + feeBudget;
    await assertMoved(position.account, { alice: -paid, account: paid });

    const order = await authorize(position, Purpose.Open, { units: tokens, price: 5_000n });
    await assertMoved(position.account, { alice: -paid, account: paid + lent, pool: -lent });

    await desk.matchWithMaker(order, maker(), feeTaken);
    const left = paid + lent - notional - feeTaken;
    await assertMoved(position.account, {
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

    await desk.finalize(position);
    await assertMoved(position.account, {
      alice: -paid + feeBudget - feeTaken,
      pool: -lent + origination,
      maker: notional,
      venueFees: feeTaken,
    });
    const stored = await desk.positionOf(position);
    assert.equal(stored.state, PositionState.Open);
    assert.equal(stored.tokenUnits, tokens);
    assert.equal(stored.principalUsdcUnits, raw(split.principalUsdcUnits));
    assert.equal(await desk.tokensOf(position.account, market.yes), tokens);
    // The reserve stands at its target of 5 % already, so the whole fee is the treasury's.
    assert.deepEqual(await bookOf(), {
      idleUsdcUnits: 499_950_000_000n,
      lentUsdcUnits: lent,
      reserveUsdcUnits: 25_000_000_000n,
      treasuryOwedUsdcUnits: origination,
    });
  });

  it('returns everything when the order was never filled', async () => {
    const position = await create();
    await authorize(position, Purpose.Open, { units: tokens, price: 5_000n });
    await desk.finalize(position);
    assert.equal((await desk.positionOf(position)).state, PositionState.Reverted);
    await assertMoved(position.account, {});
  });

  it('returns everything when the user cancels before an order lives', async () => {
    const position = await create();
    await desk.cancelPosition(position, desk.deployment.roles.alice);
    assert.equal((await desk.positionOf(position)).state, PositionState.Cancelled);
    await assertMoved(position.account, {});
  });
});

describe('closing', () => {
  it('sells all at a gain: principal, lifetime fee, and the rest to the user', async () => {
    const { alice } = desk.deployment.roles;
    const position = await open();
    const openedAt = (await desk.positionOf(position)).since;
    await desk.rpc.advance(86_400);
    await desk.requestClose({ position, sender: alice, tokenUnits: tokens, minPricePips: 5_900n });
    const order = await authorize(position, Purpose.Close, { units: tokens, price: 6_000n });
    await desk.matchWithMaker(order, maker(), 3_360_000n);
    await desk.finalize(position);

    const fee = await lifetimeFeeSince(openedAt);
    assert.ok(fee > 13_600n);
    const proceeds = 120_000_000n - 3_360_000n;
    const division = waterfallOf({
      proceedsUsdcUnits: usdcUnits(proceeds),
      principalDueUsdcUnits: usdcUnits(lent),
      lifetimeFeeDueUsdcUnits: usdcUnits(fee),
      liquidationFeeBps: rateBps(0n),
    });
    assert.equal(raw(division.userPaidUsdcUnits), proceeds - lent - fee);
    await assertMoved(position.account, {
      alice: -collateral - origination - feeTaken + raw(division.userPaidUsdcUnits),
      pool: origination + fee,
      maker: notional - 120_000_000n,
      venueFees: feeTaken + 3_360_000n,
    });
    const stored = await desk.positionOf(position);
    assert.equal(stored.state, PositionState.Closed);
    assert.equal(stored.tokenUnits, 0n);
    assert.deepEqual(await bookOf(), {
      idleUsdcUnits: 500_000_000_000n + fee - protocolCutOf(fee),
      lentUsdcUnits: 0n,
      reserveUsdcUnits: 25_000_000_000n,
      treasuryOwedUsdcUnits: origination + protocolCutOf(fee),
    });
  });

  it('sells a part: its share of principal and fees is paid, each rounded up', async () => {
    const { alice } = desk.deployment.roles;
    const position = await open();
    const openedAt = (await desk.positionOf(position)).since;
    await desk.rpc.advance(3_600);
    const sold = 66_660_000n;
    await desk.requestClose({ position, sender: alice, tokenUnits: sold });
    const order = await authorize(position, Purpose.Close, { units: sold, price: 5_500n });
    await desk.matchWithMaker(order, maker());
    await desk.finalize(position);

    const accrued = await lifetimeFeeSince(openedAt);
    const ceilShare = (whole: bigint) => (whole * sold + tokens - 1n) / tokens;
    const principalPaid = ceilShare(lent);
    const feePaid = ceilShare(accrued);
    const proceeds = (sold * 5_500n) / 10_000n;
    await assertMoved(position.account, {
      alice: -collateral - origination - feeTaken + proceeds - principalPaid - feePaid,
      pool: origination - lent + principalPaid + feePaid,
      maker: notional - proceeds,
      venueFees: feeTaken,
    });
    const stored = await desk.positionOf(position);
    assert.equal(stored.state, PositionState.Open);
    assert.equal(stored.tokenUnits, tokens - sold);
    assert.equal(stored.principalUsdcUnits, lent - principalPaid);
    assert.equal(stored.pendingFeeUsdcUnits, accrued - feePaid);
    assert.equal(stored.closeTokenUnits, 0n);
  });
});

describe('settling', () => {
  it('YES: a stranger settles, the user receives a dollar per token less debt', async () => {
    const position = await open();
    const openedAt = (await desk.positionOf(position)).since;
    await desk.rpc.advance(7_200);
    await desk.reportPayouts(market, [1n, 0n]);
    await desk.settle(position, desk.deployment.roles.bob);

    const fee = await lifetimeFeeSince(openedAt);
    await assertMoved(position.account, {
      alice: -collateral - origination - feeTaken + tokens - lent - fee,
      pool: origination + fee,
      maker: notional,
      venueFees: feeTaken,
      conditionalTokens: -tokens,
    });
    assert.equal((await desk.positionOf(position)).state, PositionState.Settled);
    assert.equal(await desk.tokensOf(position.account, market.yes), 0n);
  });

  it('void: half a dollar per token', async () => {
    const position = await open();
    const openedAt = (await desk.positionOf(position)).since;
    await desk.reportPayouts(market, [1n, 1n]);
    await desk.settle(position);

    const fee = await lifetimeFeeSince(openedAt);
    await assertMoved(position.account, {
      alice: -collateral - origination - feeTaken + tokens / 2n - lent - fee,
      pool: origination + fee,
      maker: notional,
      venueFees: feeTaken,
      conditionalTokens: -tokens / 2n,
    });
  });

  it('NO: the principal is bad debt, the reserve bears it; late money repays it before the user', async () => {
    const { alice, bob } = desk.deployment.roles;
    const position = await open();
    await desk.reportPayouts(market, [0n, 1n]);
    await desk.settle(position);
    await assertMoved(position.account, {
      alice: -collateral - origination - feeTaken,
      pool: -lent + origination,
      maker: notional,
      venueFees: feeTaken,
    });
    assert.equal((await desk.positionOf(position)).badDebtUsdcUnits, lent);
    assert.deepEqual(await bookOf(), {
      idleUsdcUnits: 500_000_000_000n,
      lentUsdcUnits: 0n,
      reserveUsdcUnits: 24_950_000_000n,
      treasuryOwedUsdcUnits: origination,
    });

    const late = lent + 1_234n;
    await desk.rpc.send(bob, {
      to: desk.deployment.contracts.usdc,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [position.account, late] }),
    });
    const before = await desk.usdcOf(alice.address);
    await desk.claim(position, bob);
    assert.equal((await desk.usdcOf(alice.address)) - before, 1_234n);
    assert.equal((await desk.positionOf(position)).badDebtUsdcUnits, 0n);
    assert.equal((await bookOf()).reserveUsdcUnits, 25_000_000_000n);
    assert.equal(await desk.usdcOf(position.account), 0n);
  });

  it('claim hands late money of a finished position to its owner', async () => {
    const { alice, bob } = desk.deployment.roles;
    const position = await open();
    await desk.reportPayouts(market, [1n, 0n]);
    await desk.settle(position);
    await desk.rpc.send(bob, {
      to: desk.deployment.contracts.usdc,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [position.account, 77n] }),
    });
    const before = await desk.usdcOf(alice.address);
    await desk.claim(position, bob);
    assert.equal((await desk.usdcOf(alice.address)) - before, 77n);
  });
});

describe('forced sales', () => {
  it('liquidates at the liquidation price, not a pip above it, and pays the fee to the pool', async () => {
    const position = await open();
    const openedAt = (await desk.positionOf(position)).since;
    await desk.rpc.advance(3_600);
    const price = await desk.rpc.client.readContract({
      address: desk.deployment.contracts.vault,
      abi: vaultAbi,
      functionName: 'liquidationPriceOf',
      args: [position.positionKey],
    });
    const owed = {
      principalUsdcUnits: usdcUnits(lent),
      feesUsdcUnits: usdcUnits(await lifetimeFeeSince(openedAt)),
      liquidationFeeBps: rateBps(100n),
      exitBufferBps: rateBps(800n),
    };
    assert.equal(price, raw(liquidationPriceOf({ ...owed, tokenUnits: tokenUnits(tokens) })));
    await assert.rejects(authorize(position, Purpose.Liquidate, { units: tokens, price: price + 1n }), {
      errorName: 'NotLiquidatable',
    });
    const order = await authorize(position, Purpose.Liquidate, { units: tokens, price });
    await desk.matchWithMaker(order, maker());
    await desk.finalize(position);

    const fee = await lifetimeFeeSince(openedAt);
    const proceeds = (tokens * price) / 10_000n;
    const liquidationFee = lent / 100n;
    await assertMoved(position.account, {
      alice: -collateral - origination - feeTaken + proceeds - lent - fee - liquidationFee,
      pool: origination + fee + liquidationFee,
      maker: notional - proceeds,
      venueFees: feeTaken,
    });
    assert.equal((await desk.positionOf(position)).state, PositionState.Liquidated);
  });

  it('unwinds only above the trigger, and every unit of the sale lowers the debt', async () => {
    const position = await open();
    const openedAt = (await desk.positionOf(position)).since;
    await desk.rpc.advance(60);
    // Debt per token is 2,500 pips and a little: a trigger of 2,501 protects the position, one of 2,500 does not.
    const units = 40_000_000n;
    const terms = { units, price: 4_500n };
    await assert.rejects(authorize(position, Purpose.Unwind, { ...terms, triggerPips: 2_501n }), {
      errorName: 'NotTriggered',
    });
    const order = await authorize(position, Purpose.Unwind, { ...terms, triggerPips: 2_500n });
    await desk.matchWithMaker(order, maker());
    await desk.finalize(position);

    const fee = await lifetimeFeeSince(openedAt);
    const proceeds = (units * 4_500n) / 10_000n;
    const stored = await desk.positionOf(position);
    assert.equal(stored.state, PositionState.Open);
    assert.equal(stored.tokenUnits, tokens - units);
    assert.equal(stored.principalUsdcUnits, lent - proceeds);
    assert.equal(stored.pendingFeeUsdcUnits, fee);
    await assertMoved(position.account, {
      alice: -collateral - origination - feeTaken,
      pool: -lent + origination + proceeds,
      maker: notional - proceeds,
      venueFees: feeTaken,
    });
  });
});

describe('the ledger of events', () => {
  it('decodes every log of vault and pool of a whole life', async () => {
    const { contracts } = desk.deployment;
    const position = await open();
    await desk.requestClose({ position, sender: desk.deployment.roles.alice, tokenUnits: tokens });
    const order = await authorize(position, Purpose.Close, { units: tokens, price: 6_000n });
    await desk.matchWithMaker(order, maker());
    await desk.finalize(position);

    const logs = await desk.rpc.client.getLogs({ address: contracts.vault, fromBlock: 0n });
    const poolLogs = await desk.rpc.client.getLogs({ address: contracts.pool, fromBlock: 0n });
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
