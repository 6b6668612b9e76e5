import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import {
  OrderSide,
  PositionState,
  Purpose,
  positionKeyOf,
  testUsdcAbi,
  toCreateRequestStruct,
  vaultAbi,
} from '@core/vault';
import { encodeFunctionData, parseSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { LocalDriver, LocalMarket } from '../../local/index.ts';
import { aliceQuote } from '../../testing/aliceQuote.ts';
import { assertReverts, OpenedMarket } from '../../testing/openedMarket.ts';

let opened: OpenedMarket;
let driver: LocalDriver;
let market: LocalMarket;

before(async () => {
  opened = await OpenedMarket.start('Will the first market resolve to yes?');
  ({ driver, market } = opened);
});

beforeEach(() => opened.reset());

after(() => opened.close());

const quote = () => aliceQuote(opened);

describe('a partial opening', () => {
  /** A position that accepts a fifth, and an order for some of its 100 USDC of notional at 0.50. */
  async function openingOf(orderUsdcUnits: bigint) {
    const fields = await quote();
    const signature = driver.signQuote(fields);
    const sender = driver.deployment.roles.alice;
    const position = await driver.createPosition({ sender, fields, signature, limits: { minFillBps: 2_000 } });
    const order = driver.orderOf({
      maker: position.account,
      token: market.yes,
      side: OrderSide.Buy,
      tokenUnits: orderUsdcUnits * 2n,
      usdcUnits: orderUsdcUnits,
      isContract: true,
    });
    const terms = { token: market.yes, purpose: Purpose.Open, markPips: 5_000n, limitPips: 5_000n };
    return { position, order, attestation: await driver.attestation(terms) };
  }

  it('refuses a first order under the user’s floor by one unit', async () => {
    await assertReverts(driver.authorizeOrder(await openingOf(19_999_999n)), 'OrderAmountOutOfRange');
  });

  it('opens at the floor, at the user’s share, and refunds the rest', async () => {
    const { alice } = driver.deployment.roles;
    const opening = await openingOf(20_000_000n);
    const before = await driver.usdcOf(alice.address);
    await driver.authorizeOrder(opening);
    await driver.matchWithMaker(opening.order, opened.maker);
    await driver.finalize(opening.position);
    const open = await driver.positionOf(opening.position);
    assert.equal(open.state, PositionState.Open);
    assert.equal(open.tokenUnits, 40_000_000n);
    assert.equal(open.principalUsdcUnits, 10_000_000n);
    // Four fifths of the collateral (50) and of the origination fee (0.75).
    assert.equal((await driver.usdcOf(alice.address)) - before, 40_000_000n + 600_000n);
  });

  it('an atomic one refuses less than 99 % and takes 99 %', async () => {
    const fields = await quote();
    const sender = driver.deployment.roles.alice;
    const position = await driver.createPosition({ sender, fields, signature: driver.signQuote(fields) });
    const terms = { token: market.yes, purpose: Purpose.Open, markPips: 5_000n, limitPips: 5_000n };
    const order = (usdc: bigint) =>
      driver.orderOf({
        maker: position.account,
        token: market.yes,
        side: OrderSide.Buy,
        tokenUnits: usdc * 2n,
        usdcUnits: usdc,
        isContract: true,
      });
    const attestation = await driver.attestation(terms);
    await assertReverts(
      driver.authorizeOrder({ position, order: order(98_999_999n), attestation }),
      'OrderAmountOutOfRange',
    );
    await driver.authorizeOrder({ position, order: order(99_000_000n), attestation });
  });
});

describe('createPositionWithPermit', () => {
  const paidUsdcUnits = 50_000_000n + 750_000n;

  interface PermitTerms {
    readonly value?: bigint;
    readonly deadline?: bigint;
  }

  /** The user's permit for the vault, signed as a wallet does. */
  async function permitOf({ value = paidUsdcUnits, deadline = 2n ** 40n }: PermitTerms = {}) {
    const { roles, chainId, contracts } = driver.deployment;
    const nonce = await driver.rpc.client.readContract({
      address: contracts.usdc,
      abi: testUsdcAbi,
      functionName: 'nonces',
      args: [roles.alice.address],
    });
    const signature = await privateKeyToAccount(roles.alice.privateKey).signTypedData({
      domain: { name: 'USD Coin', version: '1', chainId, verifyingContract: contracts.usdc },
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message: { owner: roles.alice.address, spender: contracts.vault, value, nonce, deadline },
    });
    const { r, s, yParity } = parseSignature(signature);
    return { usdcUnits: value, deadline, v: 27 + yParity, r, s };
  }

  async function submitWith(permit: Awaited<ReturnType<typeof permitOf>>) {
    const fields = await quote();
    const request = toCreateRequestStruct(fields, {
      venueFeeUsdcUnits: usdcUnits(0n),
      minPositionTokenUnits: tokenUnits(0n),
      maxLiquidationPricePips: pricePips(10_000n),
      minFillBps: rateBps(10_000n),
    });
    const { roles, contracts } = driver.deployment;
    await driver.rpc.send(roles.alice, {
      to: contracts.vault,
      data: encodeFunctionData({
        abi: vaultAbi,
        functionName: 'createPositionWithPermit',
        args: [request, driver.signQuote(fields), permit],
      }),
    });
    return driver.rpc.client.readContract({
      address: contracts.vault,
      abi: vaultAbi,
      functionName: 'positionOf',
      args: [positionKeyOf(fields)],
    });
  }

  it('needs no approval before: the good permit pays to the unit', async () => {
    const before = await driver.usdcOf(driver.deployment.roles.alice.address);
    assert.equal((await submitWith(await permitOf())).state, PositionState.Pending);
    assert.equal(before - (await driver.usdcOf(driver.deployment.roles.alice.address)), paidUsdcUnits);
  });

  it('a permit someone else sent first serves all the same', async () => {
    const { roles, contracts } = driver.deployment;
    const permit = await permitOf();
    const args = [
      roles.alice.address,
      contracts.vault,
      permit.usdcUnits,
      permit.deadline,
      permit.v,
      permit.r,
      permit.s,
    ] as const;
    const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'permit', args });
    await driver.rpc.send(roles.bob, { to: contracts.usdc, data });
    assert.equal((await submitWith(permit)).state, PositionState.Pending);
  });

  it('a stale permit pays nothing, unless there is an approval', async () => {
    const stale = await permitOf({ deadline: 1n });
    await assertReverts(submitWith(stale), 'ERC20InsufficientAllowance');
    await driver.approveUsdc(driver.deployment.roles.alice, driver.deployment.contracts.vault);
    assert.equal((await submitWith(stale)).state, PositionState.Pending);
  });

  it('a permit for a unit too little pays nothing', async () => {
    await assertReverts(submitWith(await permitOf({ value: paidUsdcUnits - 1n })), 'ERC20InsufficientAllowance');
  });
});
