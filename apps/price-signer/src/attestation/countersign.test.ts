import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttestationRequest,
  type AttestedPurpose,
  type CountersignatureAnswer,
  httpAttestationSource,
  jointAttestationOf,
} from '@core/attestation';
import { deployLocal, LocalDriver, type LocalMarket, type LocalPosition, startLocalChain } from '@core/contracts/local';
import { policyDefaults } from '@core/policy';
import { type PricePips, pricePips, raw, tokenUnits } from '@core/pricing';
import {
  hashPriceAttestation,
  OrderSide,
  type PriceAttestation,
  Purpose,
  positionSeedOf,
  recoverPriceSigner,
} from '@core/vault';
import { toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { VenueBook } from '../../testing/bookVenue.ts';
import { closeSide, type SignerSide, startSide } from '../../testing/signerSide.ts';

const units = 200_000_000n;
const bookAt = (bid: string, ask: string, size = '1000'): VenueBook => ({ bids: [[bid, size]], asks: [[ask, size]] });
const even = bookAt('0.49', '0.50');
const config = { ...policyDefaults, ages: { ...policyDefaults.ages, maxBookAgeMs: 3_000 } };

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let driver: LocalDriver;
let market: LocalMarket;
/** Two signers, each with its own key, its own secret and its own venue. */
let first: SignerSide;
let right: SignerSide;
let seedCount = 0;

beforeAll(async () => {
  chain = await startLocalChain();
  driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
  market = await driver.openMarket('Bitcoin up this hour?');
  await driver.mintTokens(maker(), market, 10_000_000_000n);
  const { priceSigner, secondPriceSigner } = driver.deployment.roles;
  const place = { rpcUrl: chain.rpcUrl, driver, market };
  const own = { book: even, config };
  const [leftKey, rightKey] = [priceSigner.privateKey, secondPriceSigner.privateKey];
  first = await startSide(place, { ...own, privateKey: leftKey, secret: 'a secret of the left signer' });
  right = await startSide(place, { ...own, privateKey: rightKey, secret: 'a secret of the right one' });
});

afterAll(async () => {
  for (const side of [first, right]) await closeSide(side);
  await chain.close();
});

beforeEach(() => show(even, even));

function maker() {
  const [first] = driver.deployment.roles.makers;
  if (first === undefined) throw new Error('the deployment has no maker');
  return first;
}

/** Best bids of the two feeds. */
async function show(leftBook: VenueBook, rightBook: VenueBook): Promise<void> {
  await Promise.all([first.venue.showBook(leftBook), right.venue.showBook(rightBook)]);
}

async function createPending(): Promise<LocalPosition> {
  seedCount += 1;
  const user = driver.deployment.roles.alice;
  const fields = await driver.quoteFields({
    user,
    token: market.yes,
    positionSeed: positionSeedOf(toHex(seedCount, { size: 12 }), 0),
    collateralUsdcUnits: 50_000_000n,
    leverageBps: 20_000n,
  });
  const limits = { venueFeeUsdcUnits: 5_000_000n };
  return driver.createPosition({ sender: user, fields, signature: driver.signQuote(fields), limits });
}

async function open(): Promise<LocalPosition> {
  const position = await createPending();
  const { attestation } = await signedBy(first, requestFor(position, 'open'));
  const order = driver.orderOf({
    maker: position.account,
    token: market.yes,
    side: OrderSide.Buy,
    tokenUnits: units,
    usdcUnits: (units * 5_000n) / 10_000n,
    isContract: true,
  });
  await driver.authorizeOrder({ position, order, attestation });
  await driver.matchWithMaker(order, maker(), 3_500_000n);
  await driver.finalize(position);
  return position;
}

function requestFor(
  { positionKey }: LocalPosition,
  purpose: AttestedPurpose,
  size: bigint = units,
): AttestationRequest {
  return { positionKey, purpose, tokenUnits: tokenUnits(size), quotedRisk: null };
}

/** Its own attestation, as soon as its feed allows. */
async function signedBy({ source }: SignerSide, request: AttestationRequest) {
  for (const deadlineMs = Date.now() + 30_000; ; await sleep(50)) {
    const answer = await source.attest(request);
    if (answer.kind === 'signed') return answer;
    if (Date.now() > deadlineMs) throw new Error(`refused: ${answer.code}`);
  }
}

/** Asked until the answer is the wanted one: a feed needs a moment to see what the test shows. */
async function countersigned(
  { source }: SignerSide,
  asked: { readonly request: AttestationRequest; readonly attestation: PriceAttestation },
  wanted: string,
): Promise<CountersignatureAnswer> {
  for (const deadlineMs = Date.now() + 30_000; ; await sleep(50)) {
    const answer = await source.countersign(asked);
    if ((answer.kind === 'signed' ? 'signed' : answer.code) === wanted || Date.now() > deadlineMs) return answer;
  }
}

const changedBy = (price: PricePips, pips: bigint): PricePips => pricePips(raw(price) + pips);

describe('a co-signer', () => {
  test('signs its own observation, over the same digest, with its own key', async () => {
    const request = requestFor(await createPending(), 'open');
    const { attestation, hash } = await signedBy(first, request);
    const answer = await countersigned(right, { request, attestation }, 'signed');
    if (answer.kind !== 'signed') throw new Error(answer.code);
    const { chainId, contracts } = driver.deployment;
    expect(hashPriceAttestation(attestation, { chainId, vault: contracts.vault })).toBe(hash);
    expect(await recoverPriceSigner(hash, answer.signature)).toBe(right.signer.address);
    expect(right.signer.address).not.toBe(first.signer.address);
    expect(await (await fetch(`${right.signer.url}/metrics`)).text()).toMatch(
      /countersignatures_signed_total\{purpose="open"\} [1-9]/,
    );
  });

  test('refuses a false market, token, purpose, price, time or fee, each with its own code', async () => {
    const request = requestFor(await createPending(), 'open');
    const { attestation } = await signedBy(first, request);
    const lies: readonly (readonly [string, Partial<PriceAttestation>])[] = [
      ['attestation_mismatch', { marketId: `0x${'ab'.repeat(32)}` }],
      ['attestation_mismatch', { tokenId: market.no.tokenId }],
      ['attestation_mismatch', { purpose: Purpose.Close }],
      ['mark_disagrees', { markPips: changedBy(attestation.markPips, 101n) }],
      ['limit_disagrees', { limitPips: changedBy(attestation.limitPips, 101n) }],
      ['limit_out_of_reach', { limitPips: pricePips(4_000n) }],
      ['trigger_disagrees', { triggerPips: pricePips(1n) }],
      ['venue_fee_disagrees', { venueFeeBps: changedBy(attestation.venueFeeBps as never, 1n) as never }],
      ['exit_buffer_disagrees', { exitBufferBps: changedBy(attestation.exitBufferBps as never, -1n) as never }],
      ['observed_in_future', { observedAt: attestation.observedAt + 3_600n }],
      ['observed_too_long_ago', { observedAt: attestation.observedAt - 60n }],
    ];
    for (const [code, change] of lies) {
      const lie = { request, attestation: { ...attestation, ...change } };
      expect(await countersigned(right, lie, code)).toEqual({ kind: 'refused', code });
    }
  });

  test('refuses a request that it would not attest itself: position and purpose are checked again', async () => {
    const request = requestFor(await createPending(), 'open');
    const { attestation } = await signedBy(first, request);
    const oversized = { request: { ...request, tokenUnits: tokenUnits(300_000_000n) }, attestation };
    const code = 'size_out_of_range';
    expect(await countersigned(right, oversized, code)).toEqual({ kind: 'refused', code });
    const unwindRequest = requestFor(await open(), 'unwind', 100_000_000n);
    const forged = { ...attestation, purpose: Purpose.Unwind };
    const answer = await countersigned(right, { request: unwindRequest, attestation: forged }, 'not_due');
    expect(answer).toEqual({ kind: 'refused', code: 'not_due' });
  });
});

describe('two feeds of one price', () => {
  test('a crash that one feed has not observed yet: refused, then signed as soon as it has', async () => {
    const request = requestFor(await open(), 'unwind', 100_000_000n);
    const crashed = bookAt('0.29', '0.30');
    await show(crashed, even);
    const { attestation } = await signedBy(first, request);
    expect(await countersigned(right, { request, attestation }, 'not_due')).toEqual({
      kind: 'refused',
      code: 'not_due',
    });
    await show(crashed, crashed);
    expect(await countersigned(right, { request, attestation }, 'signed')).toMatchObject({ kind: 'signed' });
  });

  test('a falling price: both sign the stricter of the two observations', async () => {
    const request = requestFor(await open(), 'unwind', 100_000_000n);
    await show(bookAt('0.29', '0.30'), bookAt('0.28', '0.30'));
    const [ahead, behind] = await Promise.all([signedBy(right, request), signedBy(first, request)]);
    const attestation = jointAttestationOf(ahead.attestation, behind.attestation);
    if (attestation === null) throw new Error('they are for one order');
    // The joint limit is a tick under the better bid: both books give it.
    expect(attestation.limitPips).toBe(2_800n);
    expect(attestation.markPips).toBe(2_950n);
    for (const side of [first, right]) {
      expect(await countersigned(side, { request, attestation }, 'signed')).toMatchObject({ kind: 'signed' });
    }
  });

  test('a drained book: the limit of the fuller book is refused, and signed once both feeds agree', async () => {
    const request = requestFor(await open(), 'unwind', 100_000_000n);
    const drained: VenueBook = {
      bids: [
        ['0.29', '10'],
        ['0.26', '1000'],
      ],
      asks: [['0.30', '1000']],
    };
    await show(bookAt('0.29', '0.30'), drained);
    const full = await signedBy(first, request);
    expect(await countersigned(right, { request, ...full }, 'limit_out_of_reach')).toEqual({
      kind: 'refused',
      code: 'limit_out_of_reach',
    });
    await show(drained, drained);
    const after = await signedBy(first, request);
    expect(await countersigned(right, { request, ...after }, 'signed')).toMatchObject({ kind: 'signed' });
    expect(raw(after.attestation.limitPips)).toBeLessThanOrEqual(2_600n);
  });

  test('a jump up with different averages: both open at the lower one', async () => {
    const request = requestFor(await createPending(), 'open', 150_000_000n);
    // The right one has followed the old price for longer than the left.
    await show(bookAt('0.54', '0.55'), even);
    await signedBy(first, request);
    await show(bookAt('0.54', '0.55'), bookAt('0.54', '0.55'));
    const [one, other] = await Promise.all([signedBy(first, request), signedBy(right, request)]);
    const attestation = jointAttestationOf(one.attestation, other.attestation);
    if (attestation === null) throw new Error('they are for one order');
    for (const side of [first, right]) {
      expect(await countersigned(side, { request, attestation }, 'signed')).toMatchObject({ kind: 'signed' });
    }
  });
});

describe('access', () => {
  test('each signer has its own secret; without it nothing is read or signed', async () => {
    const request = requestFor(await createPending(), 'open');
    const { attestation } = await signedBy(first, request);
    const others = httpAttestationSource({ url: right.signer.url, secret: first.secret });
    await expect(others.countersign({ request, attestation })).rejects.toMatchObject({ origin: 'signer' });
    const post = (headers: Record<string, string>, body: string) =>
      fetch(`${right.signer.url}/countersignatures`, { method: 'POST', headers, body });
    expect((await post({}, '{}')).status).toBe(401);
    expect((await post({ authorization: `Bearer ${first.secret}` }, '{}')).status).toBe(401);
    expect((await post({ authorization: `Bearer ${right.secret}` }, '{}')).status).toBe(400);
    expect((await fetch(`${right.signer.url}/countersignatures`)).status).toBe(404);
    expect(await right.source.readyAddress()).toBe(right.signer.address);
  });
});
