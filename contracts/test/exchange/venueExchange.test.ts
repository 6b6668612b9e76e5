import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { accountSignature, conditionalTokensAbi, hashVenueOrder, PositionState, toVenueOrderStruct } from '@core/vault';
import { encodeFunctionData, zeroHash } from 'viem';
import { localMaxFeeRateBps } from '../../local/deployLocal.ts';
import type { LocalAccount, LocalDriver, LocalMarket } from '../../local/index.ts';
import { ExchangeTrades, tokenUnits, usdcUnits } from '../../testing/exchangeTrades.ts';
import { assertReverts, OpenedMarket } from '../../testing/openedMarket.ts';

let opened: OpenedMarket;
let trades: ExchangeTrades;
let driver: LocalDriver;
let market: LocalMarket;
let maker: LocalAccount;
let taker: LocalAccount;

before(async () => {
  opened = await OpenedMarket.start('Will the exchange keep its traps?');
  trades = await ExchangeTrades.on(opened);
  ({ driver, market, maker, taker } = trades);
});

beforeEach(() => opened.reset());

after(() => opened.close());

describe('status of an order', () => {
  it('is 0/false unused, false/remaining in part, true/0 when filled', async () => {
    const taking = trades.orderOf(taker, 'buy');
    assert.deepEqual(await trades.statusOf(taking), [false, 0n]);
    const half = { tokenUnits: tokenUnits / 2n, usdcUnits: usdcUnits / 2n };
    for (const wanted of [
      [false, usdcUnits / 2n],
      [true, 0n],
    ] as const) {
      const making = trades.orderOf(maker, 'sell', half);
      await trades.match({ taking, making, gives: usdcUnits / 2n });
      assert.deepEqual(await trades.statusOf(taking), wanted);
      assert.deepEqual(await trades.statusOf(making), [true, 0n]);
    }
    await assertReverts(trades.match({ taking, gives: 1n, fill: 2n }), 'OrderAlreadyFilled');
  });

  it('stays unused by a match that reverts', async () => {
    const taking = trades.orderOf(taker, 'buy');
    const dear = trades.orderOf(maker, 'sell', { usdcUnits: usdcUnits + 1n });
    await assertReverts(trades.match({ taking, making: dear }), 'NotCrossing');
    assert.deepEqual(await trades.statusOf(taking), [false, 0n]);
  });
});

describe('a direct match', () => {
  it('moves the taker’s order by what the maker took: a better price is the taker’s', async () => {
    const taking = trades.orderOf(taker, 'buy');
    const before = await driver.usdcOf(taker.address);
    await trades.match({ taking, making: trades.orderOf(maker, 'sell', { usdcUnits: usdcUnits - 10n }) });
    assert.equal(before - (await driver.usdcOf(taker.address)), usdcUnits - 10n);
    assert.deepEqual(await trades.statusOf(taking), [false, 10n]);
    const { exchange } = driver.deployment.contracts;
    assert.equal(await driver.usdcOf(exchange), 0n);
    assert.equal(await driver.tokensOf(exchange, market.yes), 0n);
  });

  it('takes no more of the taker than the fill, and no more of a maker than its order', async () => {
    const part = { taking: trades.orderOf(taker, 'buy'), gives: usdcUnits - 1n };
    await assertReverts(trades.match(part), 'ComplementaryFillExceedsTakerFill');
    const over = { taking: trades.orderOf(taker, 'buy'), fill: tokenUnits + 1n };
    await assertReverts(trades.match(over), 'MakingGtRemaining');
  });

  it('needs a counterpart on the same token, a pair one on the other, both of the condition', async () => {
    const [buy, sell] = [trades.orderOf(taker, 'buy'), trades.orderOf(maker, 'sell', { token: 'no' })];
    await assertReverts(trades.match({ taking: buy, making: sell }), 'MismatchedTokenIds');
    await assertReverts(trades.match({ taking: buy, making: trades.orderOf(maker, 'buy') }), 'MismatchedTokenIds');
    const conditionId = `0x${'11'.repeat(32)}` as const;
    await assertReverts(trades.match({ taking: buy, conditionId }), 'MismatchedTokenIds');
  });

  it('is loose where the venue is: the order moves by the fill, the maker takes what it takes', async () => {
    await trades.call(driver.deployment.roles.venueOperator, 'setTraps', [false, true]);
    const taking = trades.orderOf(taker, 'sell', { tokenUnits: tokenUnits / 4n, usdcUnits: usdcUnits / 4n });
    const before = await driver.tokensOf(taker.address, market.yes);
    await trades.match({ taking });
    assert.deepEqual(await trades.statusOf(taking), [true, 0n]);
    assert.equal(before - (await driver.tokensOf(taker.address, market.yes)), tokenUnits, 'four times the order');
  });
});

describe('mint and merge matching', () => {
  it('two buyers mint a pair, at the maker’s price', async () => {
    const before = await driver.tokensOf(taker.address, market.yes);
    await trades.match({
      taking: trades.orderOf(taker, 'buy'),
      making: trades.orderOf(maker, 'buy', { token: 'no' }),
      fee: 9_000_000n,
    });
    assert.equal((await driver.tokensOf(taker.address, market.yes)) - before, tokenUnits);
    assert.equal(await driver.usdcOf(driver.deployment.roles.venueFeeRecipient.address), 9_000_000n);
  });

  it('two sellers merge one', async () => {
    const before = await driver.usdcOf(taker.address);
    await trades.match({
      taking: trades.orderOf(taker, 'sell'),
      making: trades.orderOf(maker, 'sell', { token: 'no' }),
      fee: 9_000_000n,
    });
    assert.equal((await driver.usdcOf(taker.address)) - before, usdcUnits - 9_000_000n);
    assert.equal(await driver.usdcOf(driver.deployment.contracts.exchange), 0n);
  });

  it('counts gross, and hands back what was not needed', async () => {
    const before = await driver.usdcOf(taker.address);
    const taking = trades.orderOf(taker, 'buy');
    const generous = trades.orderOf(maker, 'buy', { token: 'no', usdcUnits: usdcUnits + 30_000_000n });
    await trades.match({ taking, making: generous });
    assert.equal(before - (await driver.usdcOf(taker.address)), usdcUnits - 30_000_000n, 'what it really cost');
    assert.deepEqual(await trades.statusOf(taking), [true, 0n], 'what the status says');
  });

  it('charges makers too: on top of a purchase, out of a sale', async () => {
    const receiver = driver.deployment.roles.venueFeeRecipient.address;
    for (const side of ['buy', 'sell'] as const) {
      const before = await driver.usdcOf(maker.address);
      const fees = await driver.usdcOf(receiver);
      const making = trades.orderOf(maker, side, { token: 'no' });
      await trades.match({ taking: trades.orderOf(taker, side), making, makerFee: 1_000_000n });
      const moved = (await driver.usdcOf(maker.address)) - before;
      assert.equal(moved, (side === 'buy' ? -usdcUnits : usdcUnits) - 1_000_000n);
      assert.equal((await driver.usdcOf(receiver)) - fees, 1_000_000n);
    }
  });
});

describe('advance approval', () => {
  it('lets an operator fill later with an empty signature, until it is taken back', async () => {
    const { venueOperator } = driver.deployment.roles;
    const taking = trades.orderOf(taker, 'buy');
    const half = () => trades.orderOf(maker, 'sell', { tokenUnits: tokenUnits / 2n, usdcUnits: usdcUnits / 2n });
    const part = { taking, takingSignature: '0x', gives: usdcUnits / 2n } as const;
    await assertReverts(trades.match({ ...part, making: half() }), 'InvalidSignature');
    const unsigned = toVenueOrderStruct(taking);
    await assertReverts(trades.call(venueOperator, 'preapproveOrder', [unsigned]), 'InvalidSignature');
    await trades.call(venueOperator, 'preapproveOrder', [toVenueOrderStruct(taking, driver.signOrder(taker, taking))]);
    await driver.rpc.advance(86_400);
    await trades.match({ ...part, making: half() });
    const { chainId, contracts, venueDomain } = driver.deployment;
    const hash = hashVenueOrder(taking, { ...venueDomain, chainId, exchange: contracts.exchange });
    await trades.call(venueOperator, 'invalidatePreapprovedOrder', [hash]);
    await assertReverts(trades.match({ ...part, making: half() }), 'InvalidSignature');
  });

  it('of an account’s order outlives the account’s consent, and finds no allowance', async () => {
    const { position, order } = await trades.authorisedOpening();
    const { venueOperator } = driver.deployment.roles;
    await trades.call(venueOperator, 'preapproveOrder', [toVenueOrderStruct(order, accountSignature)]);
    await driver.finalize(position);
    assert.equal((await driver.positionOf(position)).state, PositionState.Reverted);
    // The operator still may, by the exchange's own rules; there is nothing it could take.
    await assertReverts(trades.match({ taking: order, takingSignature: '0x' }));
    assert.deepEqual(await trades.statusOf(order), [false, 0n]);
  });

  it('of an account’s order can be filled while the order lives, within the allowance', async () => {
    const { position, order } = await trades.authorisedOpening();
    const approved = toVenueOrderStruct(order, accountSignature);
    await trades.call(driver.deployment.roles.venueOperator, 'preapproveOrder', [approved]);
    await trades.match({ taking: order, takingSignature: '0x', fee: 9_000_000n });
    await driver.finalize(position);
    assert.equal((await driver.positionOf(position)).state, PositionState.Open);
  });
});

describe('fees', () => {
  it('reach the maximum rate and not a unit more, of what a buyer gives and of what a seller receives', async () => {
    for (const side of ['buy', 'sell'] as const) {
      const highest = (usdcUnits * localMaxFeeRateBps) / 10_000n;
      await assertReverts(
        trades.match({ taking: trades.orderOf(taker, side), fee: highest + 1n }),
        'FeeExceedsMaxRate',
      );
      await trades.match({ taking: trades.orderOf(taker, side), fee: highest });
    }
    const makerFee = {
      taking: trades.orderOf(taker, 'buy'),
      makerFee: (usdcUnits * localMaxFeeRateBps) / 10_000n + 1n,
    };
    await assertReverts(trades.match(makerFee), 'FeeExceedsMaxRate');
  });

  it('follow the owner’s rate', async () => {
    await trades.call(driver.deployment.roles.owner, 'setMaxFeeRate', [1n]);
    await assertReverts(
      trades.match({ taking: trades.orderOf(taker, 'buy'), fee: usdcUnits / 10_000n + 1n }),
      'FeeExceedsMaxRate',
    );
    await trades.match({ taking: trades.orderOf(taker, 'buy'), fee: usdcUnits / 10_000n });
  });

  it('above a position’s budget stop at its allowance', async () => {
    const { position, order } = await trades.authorisedOpening();
    // The rate allows 21 USDC, the user's budget 15: a match that wants more reverts.
    await assertReverts(trades.match({ taking: order, takingSignature: accountSignature, fee: 15_000_001n }));
    await trades.match({ taking: order, takingSignature: accountSignature, fee: 15_000_000n });
    await driver.finalize(position);
    const open = await driver.positionOf(position);
    assert.equal(open.state, PositionState.Open);
    assert.equal(open.principalUsdcUnits, 200_000_000n);
  });

  it('above the budget at a better price eat the user’s refund before the loan', async () => {
    const { position, order } = await trades.authorisedOpening();
    const gives = 280_000_000n;
    const making = trades.orderOf(maker, 'sell', { usdcUnits: gives });
    await trades.match({ taking: order, takingSignature: accountSignature, making, gives, fee: 19_600_000n });
    await driver.finalize(position);
    // At 3x two thirds of the trade are lent, whatever the fee was.
    assert.equal((await driver.positionOf(position)).principalUsdcUnits, (gives * 2n) / 3n);
  });
});

describe('a paused user', () => {
  it('is neither taker nor maker, a hundred blocks after it asked', async () => {
    for (const user of [taker, maker]) {
      await trades.call(user, 'pauseUser', []);
      await trades.match({ taking: trades.orderOf(taker, 'buy') });
      await driver.rpc.mine(100);
      await assertReverts(trades.match({ taking: trades.orderOf(taker, 'buy') }), 'UserIsPaused');
      await trades.call(user, 'unpauseUser', []);
    }
    await trades.match({ taking: trades.orderOf(taker, 'buy') });
  });

  it('by the operator of a hostile venue trades nothing from then on', async () => {
    const { venueOperator } = driver.deployment.roles;
    for (const user of [taker, maker]) {
      await trades.call(venueOperator, 'pauseByOperator', [user.address, true]);
      await assertReverts(trades.match({ taking: trades.orderOf(taker, 'buy') }), 'UserIsPaused');
      await trades.call(venueOperator, 'pauseByOperator', [user.address, false]);
    }
    await trades.match({ taking: trades.orderOf(taker, 'buy') });
  });

  it('that is a position’s account is refunded like any unfilled one', async () => {
    const { alice, venueOperator } = driver.deployment.roles;
    const { position, order } = await trades.authorisedOpening();
    await trades.call(venueOperator, 'pauseByOperator', [position.account, true]);
    await assertReverts(trades.match({ taking: order, takingSignature: accountSignature }), 'UserIsPaused');
    const before = await driver.usdcOf(alice.address);
    await driver.rpc.advance(301);
    await driver.finalize(position, alice);
    assert.equal((await driver.positionOf(position)).state, PositionState.Reverted);
    assert.equal((await driver.usdcOf(alice.address)) - before, 100_000_000n + 15_000_000n + 2_250_000n);
  });
});

describe('a ghost fill: matched off chain, reverted on chain', () => {
  it('leaves status and money as they were, and the position refunds', async () => {
    const { alice } = driver.deployment.roles;
    const { position, order } = await trades.authorisedOpening();
    const cash = await driver.usdcOf(position.account);
    const args = [driver.deployment.contracts.exchange, false] as const;
    await driver.rpc.send(maker, {
      to: driver.deployment.contracts.conditionalTokens,
      data: encodeFunctionData({ abi: conditionalTokensAbi, functionName: 'setApprovalForAll', args }),
    });
    await assertReverts(trades.match({ taking: order, takingSignature: accountSignature }));
    assert.deepEqual(await trades.statusOf(order), [false, 0n]);
    assert.equal(await driver.usdcOf(position.account), cash);
    await driver.cancelPosition(position, alice);
    await driver.rpc.advance(121);
    await driver.finalize(position, alice);
    assert.equal((await driver.positionOf(position)).state, PositionState.Cancelled);
    assert.equal(await driver.usdcOf(position.account), 0n);
  });
});

describe('who may do what', () => {
  it('only operators match, approve, pause and switch; only the owner sets', async () => {
    const { roles } = driver.deployment;
    const order = toVenueOrderStruct(trades.orderOf(taker, 'buy'));
    for (const sender of [roles.bob, roles.keeper, roles.owner]) {
      await assertReverts(trades.match({ taking: trades.orderOf(taker, 'buy'), sender }), 'NotOperator');
      await assertReverts(trades.call(sender, 'preapproveOrder', [order]), 'NotOperator');
      await assertReverts(trades.call(sender, 'invalidatePreapprovedOrder', [zeroHash]), 'NotOperator');
      await assertReverts(trades.call(sender, 'pauseByOperator', [taker.address, true]), 'NotOperator');
      await assertReverts(trades.call(sender, 'setTraps', [true, true]), 'NotOperator');
    }
    for (const sender of [roles.bob, roles.venueOperator]) {
      await assertReverts(trades.call(sender, 'addOperator', [roles.bob.address]), 'OwnableUnauthorizedAccount');
      await assertReverts(trades.call(sender, 'setMaxFeeRate', [1n]), 'OwnableUnauthorizedAccount');
      await assertReverts(trades.call(sender, 'setFeeReceiver', [roles.bob.address]), 'OwnableUnauthorizedAccount');
    }
    await trades.call(roles.owner, 'addOperator', [roles.bob.address]);
    await trades.match({ taking: trades.orderOf(taker, 'buy'), sender: roles.bob });
    await trades.call(roles.owner, 'removeOperator', [roles.bob.address]);
    await assertReverts(trades.match({ taking: trades.orderOf(taker, 'buy'), sender: roles.bob }), 'NotOperator');
  });

  it('an order needs its maker’s signature, or its account’s word', async () => {
    const wrong = driver.signOrder(maker, trades.orderOf(taker, 'buy'));
    await assertReverts(
      trades.match({ taking: trades.orderOf(taker, 'buy'), takingSignature: wrong }),
      'InvalidSignature',
    );
    const { order } = await trades.authorisedOpening();
    const unknown = { ...order, salt: 99n };
    await assertReverts(trades.match({ taking: unknown, takingSignature: accountSignature }), 'InvalidSignature');
    await assertReverts(trades.match({ taking: order, takingSignature: '0x' }), 'InvalidSignature');
    const borrowed = { ...trades.orderOf(taker, 'buy'), signatureType: 3 as const };
    await assertReverts(trades.match({ taking: borrowed }), 'InvalidSignature');
  });
});
