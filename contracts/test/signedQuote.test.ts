import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { leverageBps, pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import {
  type CreatePositionFields,
  createPositionFieldNames,
  OrderSide,
  PositionState,
  Purpose,
  positionKeyOf,
  positionSeedOf,
  QuoteSigner,
  testUsdcAbi,
  toCreateRequestStruct,
  vaultAbi,
  verifyQuote,
} from '@core/vault';
import { encodeFunctionData, parseSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { deployLocal } from '../local/deployLocal.ts';
import { type LocalChain, LocalDesk, type LocalMarket, startLocalChain } from '../local/index.ts';
import { LocalRevert } from '../local/localRpc.ts';

const draftSeed = '0x0102030405060708090a0b0c';
const positionSeed = positionSeedOf(draftSeed, 0);
const collateralUsdcUnits = 50_000_000n;

let chain: LocalChain;
let desk: LocalDesk;
let market: LocalMarket;
let snapshot: `0x${string}`;

before(async () => {
  chain = await startLocalChain({ blockIntervalMs: 0 });
  desk = new LocalDesk({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
  market = await desk.openMarket('Will the first market resolve to yes?');
  await desk.mintTokens(maker(), market, 1_000_000_000n);
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

function quote(): Promise<CreatePositionFields> {
  const user = desk.deployment.roles.alice;
  return desk.quoteFields({ user, token: market.yes, positionSeed, collateralUsdcUnits, leverageBps: 20_000n });
}

async function assertReverts(action: Promise<unknown>, errorName: string): Promise<void> {
  await assert.rejects(action, (error: unknown) => {
    assert.ok(error instanceof LocalRevert);
    assert.equal(error.errorName, errorName);
    return true;
  });
}

/** Submits the quote as its user unless said otherwise. */
function submit(fields: CreatePositionFields, signature: `0x${string}`, sender = desk.deployment.roles.alice) {
  return desk.createPosition({ sender, fields, signature });
}

describe('signed quote opens a position on the local EVM', () => {
  it('verifies, is accepted, and opens after the match', async () => {
    const { alice } = desk.deployment.roles;
    const fields = await quote();
    const signature = desk.signQuote(fields);
    const expected = {
      signer: desk.deployment.roles.quoteSigner.address,
      chainId: desk.deployment.chainId,
      vault: desk.deployment.contracts.vault,
    };
    assert.equal((await verifyQuote({ fields, signature, expected })).verified, true);

    const position = await submit(fields, signature);
    const pending = await desk.positionOf(position);
    assert.equal(pending.state, PositionState.Pending);
    assert.equal(pending.user, alice.address);

    const order = desk.orderOf({
      maker: position.account,
      token: market.yes,
      side: OrderSide.Buy,
      tokenUnits: 200_000_000n,
      usdcUnits: 100_000_000n,
      isContract: true,
    });
    const terms = { token: market.yes, purpose: Purpose.Open, markPips: 5_000n, limitPips: 5_000n };
    await desk.authorizeOrder({ position, order, attestation: await desk.attestation(terms) });
    await desk.matchWithMaker(order, maker());
    await desk.finalize(position);

    const open = await desk.positionOf(position);
    assert.equal(open.state, PositionState.Open);
    assert.equal(open.tokenUnits, 200_000_000n);
    assert.equal(open.principalUsdcUnits, 50_000_000n);
    assert.equal(await desk.tokensOf(position.account, market.yes), 200_000_000n);
  });
});

describe('a quote that is not exactly the signed one is refused', () => {
  // What a changed value meets first: a range, an unknown token, or the signature itself.
  const changes: Readonly<Record<Exclude<keyof CreatePositionFields, 'user' | 'chainId' | 'vault'>, string>> = {
    positionSeed: 'InvalidQuoteSignature',
    venueMarketId: 'InvalidQuoteSignature',
    venueTokenId: 'InvalidQuoteSignature',
    collateralUsdcUnits: 'InvalidQuoteSignature',
    leverageBps: 'InvalidQuoteSignature',
    notionalUsdcUnits: 'InvalidQuoteSignature',
    originationFeeBps: 'InvalidQuoteSignature',
    lifetimeFeeAprBps: 'InvalidQuoteSignature',
    liquidationFeeBps: 'InvalidQuoteSignature',
    signatureExpiry: 'InvalidQuoteSignature',
  };
  const other = (fields: CreatePositionFields): CreatePositionFields => ({
    ...fields,
    positionSeed: positionSeedOf('0xffffffffffffffffffffffff', 0),
    venueMarketId: `0x${'ab'.repeat(32)}`,
    venueTokenId: market.no.tokenId,
    collateralUsdcUnits: usdcUnits(50_000_004n),
    leverageBps: leverageBps(22_500n),
    notionalUsdcUnits: usdcUnits(100_000_004n),
    originationFeeBps: rateBps(74n),
    lifetimeFeeAprBps: rateBps(999n),
    liquidationFeeBps: rateBps(99n),
    signatureExpiry: fields.signatureExpiry + 1n,
  });

  for (const [name, errorName] of Object.entries(changes)) {
    it(`changed ${name}`, async () => {
      const fields = await quote();
      const signature = desk.signQuote(fields);
      const changed = { ...fields, [name]: other(fields)[name as keyof CreatePositionFields] };
      await assertReverts(submit(changed, signature), errorName);
    });
  }

  it('covers every field but those the chain itself supplies', () => {
    const supplied = new Set(['user', 'chainId', 'vault']);
    assert.deepEqual(
      Object.keys(changes).sort(),
      createPositionFieldNames.filter((name) => !supplied.has(name)).sort(),
    );
  });

  it('field 1: another tag (a personal message of other bytes)', async () => {
    const fields = await quote();
    const signer = new QuoteSigner(desk.deployment.roles.quoteSigner.privateKey);
    await assertReverts(submit(fields, signer.signDigest(`0x${'11'.repeat(32)}`)), 'InvalidQuoteSignature');
  });

  it('wrong caller: the quote of another user', async () => {
    const fields = await quote();
    await assertReverts(submit(fields, desk.signQuote(fields), desk.deployment.roles.bob), 'InvalidQuoteSignature');
  });

  it('wrong chain: signed for another chain id', async () => {
    const fields = await quote();
    const signature = desk.signQuote({ ...fields, chainId: 137 });
    await assertReverts(submit(fields, signature), 'InvalidQuoteSignature');
  });

  it('wrong vault: signed for another vault', async () => {
    const fields = await quote();
    const signature = desk.signQuote({ ...fields, vault: desk.deployment.contracts.pool });
    await assertReverts(submit(fields, signature), 'InvalidQuoteSignature');
  });

  it('wrong signer: a key that is not the quote signer', async () => {
    const fields = await quote();
    const signer = new QuoteSigner(desk.deployment.roles.priceSigner.privateKey);
    await assertReverts(submit(fields, signer.sign(fields).signature), 'InvalidQuoteSignature');
  });

  it('another encoding of the same signature: high s', async () => {
    const fields = await quote();
    const signature = desk.signQuote(fields);
    const groupOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = groupOrder - BigInt(`0x${signature.slice(66, 130)}`);
    const v = signature.endsWith('1b') ? '1c' : '1b';
    const mirrored = `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}` as const;
    await assertReverts(submit(fields, mirrored as `0x${string}`), 'InvalidQuoteSignature');
  });
});

describe('a partial opening', () => {
  /** A position that accepts a fifth, and an order for some of its 100 USDC of notional at 0.50. */
  async function openingOf(orderUsdcUnits: bigint) {
    const fields = await quote();
    const signature = desk.signQuote(fields);
    const sender = desk.deployment.roles.alice;
    const position = await desk.createPosition({ sender, fields, signature, limits: { minFillBps: 2_000 } });
    const order = desk.orderOf({
      maker: position.account,
      token: market.yes,
      side: OrderSide.Buy,
      tokenUnits: orderUsdcUnits * 2n,
      usdcUnits: orderUsdcUnits,
      isContract: true,
    });
    const terms = { token: market.yes, purpose: Purpose.Open, markPips: 5_000n, limitPips: 5_000n };
    return { position, order, attestation: await desk.attestation(terms) };
  }

  it('refuses a first order under the user’s floor by one unit', async () => {
    await assertReverts(desk.authorizeOrder(await openingOf(19_999_999n)), 'OrderAmountOutOfRange');
  });

  it('opens at the floor, at the user’s share, and refunds the rest', async () => {
    const { alice } = desk.deployment.roles;
    const opening = await openingOf(20_000_000n);
    const before = await desk.usdcOf(alice.address);
    await desk.authorizeOrder(opening);
    await desk.matchWithMaker(opening.order, maker());
    await desk.finalize(opening.position);
    const open = await desk.positionOf(opening.position);
    assert.equal(open.state, PositionState.Open);
    assert.equal(open.tokenUnits, 40_000_000n);
    assert.equal(open.principalUsdcUnits, 10_000_000n);
    // Four fifths of the collateral (50) and of the origination fee (0.75).
    assert.equal((await desk.usdcOf(alice.address)) - before, 40_000_000n + 600_000n);
  });

  it('an atomic one refuses less than 99 % and takes 99 %', async () => {
    const fields = await quote();
    const position = await submit(fields, desk.signQuote(fields));
    const terms = { token: market.yes, purpose: Purpose.Open, markPips: 5_000n, limitPips: 5_000n };
    const order = (usdc: bigint) =>
      desk.orderOf({
        maker: position.account,
        token: market.yes,
        side: OrderSide.Buy,
        tokenUnits: usdc * 2n,
        usdcUnits: usdc,
        isContract: true,
      });
    const attestation = await desk.attestation(terms);
    await assertReverts(
      desk.authorizeOrder({ position, order: order(98_999_999n), attestation }),
      'OrderAmountOutOfRange',
    );
    await desk.authorizeOrder({ position, order: order(99_000_000n), attestation });
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
    const { roles, chainId, contracts } = desk.deployment;
    const nonce = await desk.rpc.client.readContract({
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
    const { roles, contracts } = desk.deployment;
    await desk.rpc.send(roles.alice, {
      to: contracts.vault,
      data: encodeFunctionData({
        abi: vaultAbi,
        functionName: 'createPositionWithPermit',
        args: [request, desk.signQuote(fields), permit],
      }),
    });
    return desk.rpc.client.readContract({
      address: contracts.vault,
      abi: vaultAbi,
      functionName: 'positionOf',
      args: [positionKeyOf(fields)],
    });
  }

  it('needs no approval before: the good permit pays to the unit', async () => {
    const before = await desk.usdcOf(desk.deployment.roles.alice.address);
    assert.equal((await submitWith(await permitOf())).state, PositionState.Pending);
    assert.equal(before - (await desk.usdcOf(desk.deployment.roles.alice.address)), paidUsdcUnits);
  });

  it('a permit someone else sent first serves all the same', async () => {
    const { roles, contracts } = desk.deployment;
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
    await desk.rpc.send(roles.bob, { to: contracts.usdc, data });
    assert.equal((await submitWith(permit)).state, PositionState.Pending);
  });

  it('a stale permit pays nothing, unless an approval stands', async () => {
    const stale = await permitOf({ deadline: 1n });
    await assertReverts(submitWith(stale), 'ERC20InsufficientAllowance');
    await desk.approveUsdc(desk.deployment.roles.alice, desk.deployment.contracts.vault);
    assert.equal((await submitWith(stale)).state, PositionState.Pending);
  });

  it('a permit for a unit too little pays nothing', async () => {
    await assertReverts(submitWith(await permitOf({ value: paidUsdcUnits - 1n })), 'ERC20InsufficientAllowance');
  });
});

describe('time and reuse', () => {
  it('accepts a quote in its last second and refuses it one later', async () => {
    const fields = await quote();
    const signature = desk.signQuote(fields);
    await desk.approveUsdc(desk.deployment.roles.alice, desk.deployment.contracts.vault);
    const before = await desk.rpc.snapshot();
    await desk.rpc.setNextBlockTime(fields.signatureExpiry);
    await submit(fields, signature);
    await desk.rpc.revertTo(before);
    await desk.rpc.setNextBlockTime(fields.signatureExpiry + 1n);
    await assertReverts(submit(fields, signature), 'SignatureExpired');
  });

  it('refuses a quote that would live longer than ten minutes', async () => {
    const fields = await quote();
    const late = { ...fields, signatureExpiry: (await desk.rpc.nowSeconds()) + 700n };
    await assertReverts(submit(late, desk.signQuote(late)), 'SignatureTooFarAhead');
  });

  it('refuses the same quote twice', async () => {
    const fields = await quote();
    const signature = desk.signQuote(fields);
    await submit(fields, signature);
    await assertReverts(submit(fields, signature), 'SeedUsed');
  });

  it('refuses a second promotion of the same draft, even after the first was cancelled', async () => {
    const { alice } = desk.deployment.roles;
    const first = await quote();
    const second = { ...first, positionSeed: positionSeedOf(draftSeed, 1) };
    assert.equal(positionKeyOf(first), positionKeyOf(second));
    const position = await submit(first, desk.signQuote(first));
    await assertReverts(submit(second, desk.signQuote(second)), 'SeedUsed');
    await desk.cancelPosition(position, alice);
    assert.equal((await desk.positionOf(position)).state, PositionState.Cancelled);
    await assertReverts(submit(second, desk.signQuote(second)), 'SeedUsed');
  });

  it('the other promotion works when it comes first', async () => {
    const fields = { ...(await quote()), positionSeed: positionSeedOf(draftSeed, 7) };
    const position = await submit(fields, desk.signQuote(fields));
    assert.equal((await desk.positionOf(position)).state, PositionState.Pending);
  });
});
