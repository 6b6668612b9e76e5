import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  conditionalTokensAbi,
  hashVenueOrder,
  OrderSide,
  PositionState,
  Purpose,
  positionSeedOf,
  toVenueOrderStruct,
  type VenueOrder,
  venueExchangeAbi,
} from '@core/vault';
import { type ContractFunctionArgs, type ContractFunctionName, encodeFunctionData, type Hex, zeroHash } from 'viem';
import { deployLocal } from '../local/deployLocal.ts';
import {
  type LocalAccount,
  type LocalChain,
  LocalDesk,
  type LocalMarket,
  type LocalPosition,
  LocalRevert,
  startLocalChain,
} from '../local/index.ts';

const tokenUnits = 600_000_000n;
const usdcUnits = 300_000_000n;

let chain: LocalChain;
let desk: LocalDesk;
let market: LocalMarket;
let maker: LocalAccount;
let taker: LocalAccount;
let snapshot: Hex;

before(async () => {
  chain = await startLocalChain({ blockIntervalMs: 0 });
  desk = new LocalDesk({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
  const { roles } = desk.deployment;
  [maker, taker] = [firstOf(roles.makers), firstOf(roles.takers)];
  market = await desk.openMarket('Will the exchange keep its traps?');
  for (const trader of [maker, taker]) await desk.mintTokens(trader, market, 10_000_000_000n);
  await call(roles.bob, 'registerMarket', [market.yes.conditionId]);
  snapshot = await desk.rpc.snapshot();
});

beforeEach(async () => {
  await desk.rpc.revertTo(snapshot);
  snapshot = await desk.rpc.snapshot();
});

after(() => chain.close());

function firstOf<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('the deployment lacks a trader');
  return first;
}

type Writing = ContractFunctionName<typeof venueExchangeAbi, 'nonpayable'>;

function call<const Name extends Writing>(
  from: LocalAccount,
  functionName: Name,
  args: ContractFunctionArgs<typeof venueExchangeAbi, 'nonpayable', Name>,
) {
  const data = encodeFunctionData({ abi: venueExchangeAbi, functionName, args } as never);
  return desk.rpc.send(from, { to: desk.deployment.contracts.exchange, data });
}

async function assertReverts(action: Promise<unknown>, errorName?: string): Promise<void> {
  await assert.rejects(action, (error: unknown) => {
    assert.ok(error instanceof LocalRevert);
    if (errorName !== undefined) assert.equal(error.errorName, errorName);
    return true;
  });
}

/** An order of a trader with a key: whole amounts on one of the two tokens. */
function orderOf(
  owner: LocalAccount,
  side: 'buy' | 'sell',
  terms: { readonly token?: 'yes' | 'no'; readonly tokenUnits?: bigint; readonly usdcUnits?: bigint } = {},
): VenueOrder {
  return desk.orderOf({
    maker: owner.address,
    token: market[terms.token ?? 'yes'],
    side: side === 'buy' ? OrderSide.Buy : OrderSide.Sell,
    tokenUnits: terms.tokenUnits ?? tokenUnits,
    usdcUnits: terms.usdcUnits ?? usdcUnits,
    isContract: false,
  });
}

interface Match {
  readonly taking: VenueOrder;
  readonly takingSignature?: Hex;
  readonly making?: VenueOrder;
  readonly makingSignature?: Hex;
  readonly gives?: bigint;
  readonly receives?: bigint;
  readonly fill?: bigint;
  readonly fee?: bigint;
  readonly makerFee?: bigint;
  readonly sender?: LocalAccount;
}

/** One match of a taker with one maker, whole and without fees unless said otherwise. */
function match(parameters: Match) {
  const { taking, making = orderOf(maker, taking.side === OrderSide.Buy ? 'sell' : 'buy') } = parameters;
  return call(parameters.sender ?? desk.deployment.roles.venueOperator, 'matchOrders', [
    toVenueOrderStruct(taking, parameters.takingSignature ?? desk.signOrder(taker, taking)),
    [toVenueOrderStruct(making, parameters.makingSignature ?? desk.signOrder(maker, making))],
    parameters.gives ?? taking.makerAmount,
    parameters.receives ?? taking.takerAmount,
    [parameters.fill ?? making.makerAmount],
    parameters.fee ?? 0n,
    [parameters.makerFee ?? 0n],
  ]);
}

function statusOf(order: VenueOrder): Promise<readonly [boolean, bigint]> {
  const { chainId, contracts, venueDomain } = desk.deployment;
  return desk.rpc.client.readContract({
    address: contracts.exchange,
    abi: venueExchangeAbi,
    functionName: 'getOrderStatus',
    args: [hashVenueOrder(order, { ...venueDomain, chainId, exchange: contracts.exchange })],
  });
}

/** A position whose opening order is authorised: 300 USDC of YES at 0.50, 15 USDC of fee budget. */
async function authorisedOpening(): Promise<{ readonly position: LocalPosition; readonly order: VenueOrder }> {
  const { alice } = desk.deployment.roles;
  const fields = await desk.quoteFields({
    user: alice,
    token: market.yes,
    positionSeed: positionSeedOf('0x0102030405060708090a0b0c', 0),
    collateralUsdcUnits: 100_000_000n,
    leverageBps: 30_000n,
  });
  const limits = { venueFeeUsdcUnits: 15_000_000n };
  const position = await desk.createPosition({ sender: alice, fields, signature: desk.signQuote(fields), limits });
  const order = desk.orderOf({
    maker: position.account,
    token: market.yes,
    side: OrderSide.Buy,
    tokenUnits,
    usdcUnits,
    isContract: true,
  });
  const terms = { token: market.yes, purpose: Purpose.Open, markPips: 5_000n, limitPips: 5_000n } as const;
  await desk.authorizeOrder({ position, order, attestation: await desk.attestation(terms) });
  return { position, order };
}

describe('status of an order', () => {
  it('is 0/false untouched, false/remaining in part, true/0 when filled', async () => {
    const taking = orderOf(taker, 'buy');
    assert.deepEqual(await statusOf(taking), [false, 0n]);
    const half = { tokenUnits: tokenUnits / 2n, usdcUnits: usdcUnits / 2n };
    for (const wanted of [
      [false, usdcUnits / 2n],
      [true, 0n],
    ] as const) {
      const making = orderOf(maker, 'sell', half);
      await match({ taking, making, gives: usdcUnits / 2n, receives: tokenUnits / 2n });
      assert.deepEqual(await statusOf(taking), wanted);
      assert.deepEqual(await statusOf(making), [true, 0n]);
    }
    await assertReverts(match({ taking, gives: 1n, receives: 2n, fill: 2n }), 'OrderFilledAlready');
  });

  it('stays untouched by a match that reverts', async () => {
    const taking = orderOf(taker, 'buy');
    await assertReverts(match({ taking, receives: tokenUnits - 1n }), 'PriceTooPoor');
    assert.deepEqual(await statusOf(taking), [false, 0n]);
  });
});

describe('amounts', () => {
  it('are exact or the match reverts, both ways', async () => {
    const cheaper = () => orderOf(maker, 'sell', { usdcUnits: usdcUnits - 10n });
    await assertReverts(match({ taking: orderOf(taker, 'buy'), making: cheaper() }), 'AmountsNotExact');
    const dearer = orderOf(maker, 'sell', { usdcUnits: usdcUnits + 10n });
    await assertReverts(match({ taking: orderOf(taker, 'buy'), making: dearer }));
    await match({ taking: orderOf(taker, 'buy'), making: cheaper(), gives: usdcUnits - 10n });
    const { exchange } = desk.deployment.contracts;
    assert.equal(await desk.usdcOf(exchange), 0n);
    assert.equal(await desk.tokensOf(exchange, market.yes), 0n);
  });

  it('cannot exceed an order, nor be nothing', async () => {
    const over = { gives: usdcUnits + 1n, receives: tokenUnits + 2n };
    await assertReverts(match({ taking: orderOf(taker, 'buy'), ...over }), 'FillTooLarge');
    await assertReverts(match({ taking: orderOf(taker, 'buy'), gives: 0n }), 'FillTooLarge');
  });

  it('need a counterpart on the same or the other token', async () => {
    const [buy, sell] = [orderOf(taker, 'buy'), orderOf(maker, 'sell', { token: 'no' })];
    await assertReverts(match({ taking: buy, making: sell }), 'OrdersDoNotMatch');
    await assertReverts(match({ taking: buy, making: orderOf(maker, 'buy') }), 'OrdersDoNotMatch');
    const stranger = { ...orderOf(taker, 'buy'), tokenId: 7n };
    await assertReverts(
      match({ taking: stranger, making: { ...orderOf(maker, 'buy'), tokenId: 0n } }),
      'UnknownMarket',
    );
  });
});

describe('mint and merge matching', () => {
  it('two buyers mint a pair, at the maker’s price', async () => {
    const before = await desk.tokensOf(taker.address, market.yes);
    await match({ taking: orderOf(taker, 'buy'), making: orderOf(maker, 'buy', { token: 'no' }), fee: 9_000_000n });
    assert.equal((await desk.tokensOf(taker.address, market.yes)) - before, tokenUnits);
    assert.equal(await desk.usdcOf(desk.deployment.roles.venueFeeRecipient.address), 9_000_000n);
  });

  it('two sellers merge one', async () => {
    const before = await desk.usdcOf(taker.address);
    await match({ taking: orderOf(taker, 'sell'), making: orderOf(maker, 'sell', { token: 'no' }), fee: 9_000_000n });
    assert.equal((await desk.usdcOf(taker.address)) - before, usdcUnits - 9_000_000n);
    assert.equal(await desk.usdcOf(desk.deployment.contracts.exchange), 0n);
  });

  it('count gross with the older status, and hand back what was not needed', async () => {
    const { roles } = desk.deployment;
    await call(roles.venueOperator, 'setGrossStatus', [true]);
    const before = await desk.usdcOf(taker.address);
    const taking = orderOf(taker, 'buy');
    const generous = orderOf(maker, 'buy', { token: 'no', usdcUnits: usdcUnits + 30_000_000n });
    await match({ taking, making: generous });
    assert.equal(before - (await desk.usdcOf(taker.address)), usdcUnits - 30_000_000n, 'what it really cost');
    assert.deepEqual(await statusOf(taking), [true, 0n], 'what the status says');
  });
});

describe('advance approval', () => {
  it('lets an operator fill later with an empty signature, until it is taken back', async () => {
    const { venueOperator } = desk.deployment.roles;
    const taking = orderOf(taker, 'buy');
    const half = () => orderOf(maker, 'sell', { tokenUnits: tokenUnits / 2n, usdcUnits: usdcUnits / 2n });
    const part = { taking, takingSignature: '0x', gives: usdcUnits / 2n, receives: tokenUnits / 2n } as const;
    await assertReverts(match({ ...part, making: half() }), 'InvalidSignature');
    const unsigned = toVenueOrderStruct(taking);
    await assertReverts(call(venueOperator, 'preapproveOrder', [unsigned]), 'InvalidSignature');
    await call(venueOperator, 'preapproveOrder', [toVenueOrderStruct(taking, desk.signOrder(taker, taking))]);
    await desk.rpc.advance(86_400);
    await match({ ...part, making: half() });
    const { chainId, contracts, venueDomain } = desk.deployment;
    const hash = hashVenueOrder(taking, { ...venueDomain, chainId, exchange: contracts.exchange });
    await call(venueOperator, 'invalidatePreapprovedOrder', [hash]);
    await assertReverts(match({ ...part, making: half() }), 'InvalidSignature');
  });

  it('of an account’s order outlives the account’s consent, and finds no allowance', async () => {
    const { position, order } = await authorisedOpening();
    const { venueOperator } = desk.deployment.roles;
    await call(venueOperator, 'preapproveOrder', [toVenueOrderStruct(order)]);
    await desk.finalize(position);
    assert.equal((await desk.positionOf(position)).state, PositionState.Reverted);
    // The operator still may, by the exchange's own rules; there is nothing it could take.
    await assertReverts(match({ taking: order, takingSignature: '0x' }));
    assert.deepEqual(await statusOf(order), [false, 0n]);
  });

  it('of an account’s order can be filled while the order lives, within the allowance', async () => {
    const { position, order } = await authorisedOpening();
    await call(desk.deployment.roles.venueOperator, 'preapproveOrder', [toVenueOrderStruct(order)]);
    await match({ taking: order, takingSignature: '0x', fee: 9_000_000n });
    await desk.finalize(position);
    assert.equal((await desk.positionOf(position)).state, PositionState.Open);
  });
});

describe('fees', () => {
  it('reach the maximum rate and not a unit more, of what a buyer gives and of what a seller receives', async () => {
    for (const side of ['buy', 'sell'] as const) {
      const highest = usdcUnits / 10n;
      await assertReverts(match({ taking: orderOf(taker, side), fee: highest + 1n }), 'FeeTooHigh');
      await match({ taking: orderOf(taker, side), fee: highest });
    }
    const makerFee = { taking: orderOf(taker, 'buy'), makerFee: usdcUnits / 10n + 1n };
    await assertReverts(match(makerFee), 'FeeTooHigh');
  });

  it('follow the owner’s rate', async () => {
    await call(desk.deployment.roles.owner, 'setMaxFeeRateBps', [1n]);
    await assertReverts(match({ taking: orderOf(taker, 'buy'), fee: usdcUnits / 10_000n + 1n }), 'FeeTooHigh');
    await match({ taking: orderOf(taker, 'buy'), fee: usdcUnits / 10_000n });
  });

  it('above a position’s budget stop at its allowance', async () => {
    const { position, order } = await authorisedOpening();
    // The rate allows 30 USDC, the user's budget 15: a match that wants more reverts.
    await assertReverts(match({ taking: order, takingSignature: '0x', fee: 15_000_001n }));
    await match({ taking: order, takingSignature: '0x', fee: 15_000_000n });
    await desk.finalize(position);
    const open = await desk.positionOf(position);
    assert.equal(open.state, PositionState.Open);
    assert.equal(open.principalUsdcUnits, 200_000_000n);
  });

  it('above the budget at a better price eat the user’s refund before the loan', async () => {
    const { position, order } = await authorisedOpening();
    const gives = 280_000_000n;
    const making = orderOf(maker, 'sell', { usdcUnits: gives });
    await match({ taking: order, takingSignature: '0x', making, gives, fee: 28_000_000n });
    await desk.finalize(position);
    assert.equal((await desk.positionOf(position)).principalUsdcUnits, 308_000_000n - 115_000_000n);
  });
});

describe('a paused user', () => {
  it('is neither taker nor maker until the pause ends', async () => {
    const { venueOperator } = desk.deployment.roles;
    for (const user of [taker, maker]) {
      await call(venueOperator, 'pauseUser', [user.address, true]);
      await assertReverts(match({ taking: orderOf(taker, 'buy') }), 'UserIsPaused');
      await call(venueOperator, 'pauseUser', [user.address, false]);
    }
    await match({ taking: orderOf(taker, 'buy') });
  });

  it('that is a position’s account is refunded like any unfilled one', async () => {
    const { alice, venueOperator } = desk.deployment.roles;
    const { position, order } = await authorisedOpening();
    await call(venueOperator, 'pauseUser', [position.account, true]);
    await assertReverts(match({ taking: order, takingSignature: '0x' }), 'UserIsPaused');
    const before = await desk.usdcOf(alice.address);
    await desk.rpc.advance(301);
    await desk.finalize(position, alice);
    assert.equal((await desk.positionOf(position)).state, PositionState.Reverted);
    assert.equal((await desk.usdcOf(alice.address)) - before, 100_000_000n + 15_000_000n + 2_250_000n);
  });
});

describe('a ghost fill: matched off chain, reverted on chain', () => {
  it('leaves status and money as they were, and the position refunds', async () => {
    const { alice } = desk.deployment.roles;
    const { position, order } = await authorisedOpening();
    const cash = await desk.usdcOf(position.account);
    const args = [desk.deployment.contracts.exchange, false] as const;
    await desk.rpc.send(maker, {
      to: desk.deployment.contracts.conditionalTokens,
      data: encodeFunctionData({ abi: conditionalTokensAbi, functionName: 'setApprovalForAll', args }),
    });
    await assertReverts(match({ taking: order, takingSignature: '0x' }));
    assert.deepEqual(await statusOf(order), [false, 0n]);
    assert.equal(await desk.usdcOf(position.account), cash);
    await desk.cancelPosition(position, alice);
    await desk.rpc.advance(121);
    await desk.finalize(position, alice);
    assert.equal((await desk.positionOf(position)).state, PositionState.Cancelled);
    assert.equal(await desk.usdcOf(position.account), 0n);
  });
});

describe('who may do what', () => {
  it('only operators match, approve, pause and switch; only the owner sets', async () => {
    const { roles } = desk.deployment;
    const order = toVenueOrderStruct(orderOf(taker, 'buy'));
    for (const sender of [roles.bob, roles.keeper, roles.owner]) {
      await assertReverts(match({ taking: orderOf(taker, 'buy'), sender }), 'NotOperator');
      await assertReverts(call(sender, 'preapproveOrder', [order]), 'NotOperator');
      await assertReverts(call(sender, 'invalidatePreapprovedOrder', [zeroHash]), 'NotOperator');
      await assertReverts(call(sender, 'pauseUser', [taker.address, true]), 'NotOperator');
      await assertReverts(call(sender, 'setGrossStatus', [true]), 'NotOperator');
    }
    for (const sender of [roles.bob, roles.venueOperator]) {
      await assertReverts(call(sender, 'setOperator', [roles.bob.address, true]), 'OwnableUnauthorizedAccount');
      await assertReverts(call(sender, 'setMaxFeeRateBps', [1n]), 'OwnableUnauthorizedAccount');
      await assertReverts(call(sender, 'setFeeRecipient', [roles.bob.address]), 'OwnableUnauthorizedAccount');
    }
    await call(roles.owner, 'setOperator', [roles.bob.address, true]);
    await match({ taking: orderOf(taker, 'buy'), sender: roles.bob });
    await call(roles.owner, 'setOperator', [roles.bob.address, false]);
    await assertReverts(match({ taking: orderOf(taker, 'buy'), sender: roles.bob }), 'NotOperator');
  });

  it('an order needs its maker’s signature, or its account’s word', async () => {
    const wrong = desk.signOrder(maker, orderOf(taker, 'buy'));
    await assertReverts(match({ taking: orderOf(taker, 'buy'), takingSignature: wrong }), 'InvalidSignature');
    const { order } = await authorisedOpening();
    await assertReverts(match({ taking: { ...order, salt: 99n }, takingSignature: '0x' }), 'InvalidSignature');
    const borrowed = { ...orderOf(taker, 'buy'), signatureType: 3 as const };
    await assertReverts(match({ taking: borrowed }), 'InvalidSignature');
  });
});
