import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { leverageBps, rateBps, usdcUnits } from '@core/pricing';
import {
  type CreatePositionFields,
  createPositionFieldNames,
  OrderSide,
  PositionState,
  Purpose,
  positionKeyOf,
  positionSeedOf,
  QuoteSigner,
  SigningKey,
  verifyQuote,
} from '@core/vault';
import type { LocalDriver, LocalMarket } from '../../local/index.ts';
import { aliceQuote, draftSeed } from '../../testing/aliceQuote.ts';
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

/** Submits the quote as its user unless said otherwise. */
function submit(fields: CreatePositionFields, signature: `0x${string}`, sender = driver.deployment.roles.alice) {
  return driver.createPosition({ sender, fields, signature });
}

describe('signed quote opens a position on the local EVM', () => {
  it('verifies, is accepted, and opens after the match', async () => {
    const { alice } = driver.deployment.roles;
    const fields = await quote();
    const signature = driver.signQuote(fields);
    const expected = {
      signer: driver.deployment.roles.quoteSigner.address,
      chainId: driver.deployment.chainId,
      vault: driver.deployment.contracts.vault,
    };
    assert.equal((await verifyQuote({ fields, signature, expected })).verified, true);

    const position = await submit(fields, signature);
    const pending = await driver.positionOf(position);
    assert.equal(pending.state, PositionState.Pending);
    assert.equal(pending.user, alice.address);

    const order = driver.orderOf({
      maker: position.account,
      token: market.yes,
      side: OrderSide.Buy,
      tokenUnits: 200_000_000n,
      usdcUnits: 100_000_000n,
      isContract: true,
    });
    const terms = { token: market.yes, purpose: Purpose.Open, markPips: 5_000n, limitPips: 5_000n };
    await driver.authorizeOrder({ position, order, attestation: await driver.attestation(terms) });
    await driver.matchWithMaker(order, opened.maker);
    await driver.finalize(position);

    const open = await driver.positionOf(position);
    assert.equal(open.state, PositionState.Open);
    assert.equal(open.tokenUnits, 200_000_000n);
    assert.equal(open.principalUsdcUnits, 50_000_000n);
    assert.equal(await driver.tokensOf(position.account, market.yes), 200_000_000n);
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
      const signature = driver.signQuote(fields);
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
    const signer = new QuoteSigner(new SigningKey(driver.deployment.roles.quoteSigner.privateKey));
    await assertReverts(submit(fields, await signer.signDigest(`0x${'11'.repeat(32)}`)), 'InvalidQuoteSignature');
  });

  it('wrong caller: the quote of another user', async () => {
    const fields = await quote();
    await assertReverts(submit(fields, driver.signQuote(fields), driver.deployment.roles.bob), 'InvalidQuoteSignature');
  });

  it('wrong chain: signed for another chain id', async () => {
    const fields = await quote();
    const signature = driver.signQuote({ ...fields, chainId: 137 });
    await assertReverts(submit(fields, signature), 'InvalidQuoteSignature');
  });

  it('wrong vault: signed for another vault', async () => {
    const fields = await quote();
    const signature = driver.signQuote({ ...fields, vault: driver.deployment.contracts.pool });
    await assertReverts(submit(fields, signature), 'InvalidQuoteSignature');
  });

  it('wrong signer: a key that is not the quote signer', async () => {
    const fields = await quote();
    const signer = new QuoteSigner(new SigningKey(driver.deployment.roles.priceSigner.privateKey));
    await assertReverts(submit(fields, (await signer.sign(fields)).signature), 'InvalidQuoteSignature');
  });

  it('another encoding of the same signature: high s', async () => {
    const fields = await quote();
    const signature = driver.signQuote(fields);
    const groupOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = groupOrder - BigInt(`0x${signature.slice(66, 130)}`);
    const v = signature.endsWith('1b') ? '1c' : '1b';
    const mirrored = `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}` as const;
    await assertReverts(submit(fields, mirrored as `0x${string}`), 'InvalidQuoteSignature');
  });
});

describe('time and reuse', () => {
  it('accepts a quote in its last second and refuses it one later', async () => {
    const fields = await quote();
    const signature = driver.signQuote(fields);
    await driver.approveUsdc(driver.deployment.roles.alice, driver.deployment.contracts.vault);
    const before = await driver.rpc.snapshot();
    await driver.rpc.setNextBlockTime(fields.signatureExpiry);
    await submit(fields, signature);
    await driver.rpc.revertTo(before);
    await driver.rpc.setNextBlockTime(fields.signatureExpiry + 1n);
    await assertReverts(submit(fields, signature), 'SignatureExpired');
  });

  it('refuses a quote that would live longer than ten minutes', async () => {
    const fields = await quote();
    const late = { ...fields, signatureExpiry: (await driver.rpc.nowSeconds()) + 700n };
    await assertReverts(submit(late, driver.signQuote(late)), 'SignatureTooFarAhead');
  });

  it('refuses the same quote twice', async () => {
    const fields = await quote();
    const signature = driver.signQuote(fields);
    await submit(fields, signature);
    await assertReverts(submit(fields, signature), 'SeedUsed');
  });

  it('refuses a second promotion of the same draft, even after the first was cancelled', async () => {
    const { alice } = driver.deployment.roles;
    const first = await quote();
    const second = { ...first, positionSeed: positionSeedOf(draftSeed, 1) };
    assert.equal(positionKeyOf(first), positionKeyOf(second));
    const position = await submit(first, driver.signQuote(first));
    await assertReverts(submit(second, driver.signQuote(second)), 'SeedUsed');
    await driver.cancelPosition(position, alice);
    assert.equal((await driver.positionOf(position)).state, PositionState.Cancelled);
    await assertReverts(submit(second, driver.signQuote(second)), 'SeedUsed');
  });

  it('the other promotion works when it comes first', async () => {
    const fields = { ...(await quote()), positionSeed: positionSeedOf(draftSeed, 7) };
    const position = await submit(fields, driver.signQuote(fields));
    assert.equal((await driver.positionOf(position)).state, PositionState.Pending);
  });
});
