import { setTimeout as sleep } from 'node:timers/promises';
import {
  type GrantBatchAnswer,
  type GrantBatchRequest,
  httpAttestationSource,
  jointGrantBatchOf,
  maxBatchMembers,
} from '@core/attestation';
import { deployLocal, LocalDriver, type LocalMarket, type LocalPosition, startLocalChain } from '@core/contracts/local';
import { policyDefaults } from '@core/policy';
import { pricePips, raw } from '@core/pricing';
import {
  attestationSignaturesOf,
  type GrantBatch,
  hashGrantBatch,
  OrderSide,
  Purpose,
  positionSeedOf,
  recoverPriceSigner,
  toGrantBatchStruct,
  vaultAbi,
} from '@core/vault';
import { encodeFunctionData, type Hex, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeSide, type SignerSide, startSide } from '../../testing/signerSide.ts';

const units = 200_000_000n;
const soldUnits = 100_000_000n;
/** Four sales of a hundred tokens end in three different averages. */
const book = {
  bids: [
    ['0.49', '250'],
    ['0.47', '9000'],
  ],
  asks: [['0.50', '9000']],
} as const;
const config = { ...policyDefaults, ages: { ...policyDefaults.ages, maxBookAgeMs: 3_000 } };
const unknownKey = toHex(7, { size: 32 });

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let driver: LocalDriver;
let market: LocalMarket;
let sides: readonly [SignerSide, SignerSide];
let positions: readonly LocalPosition[];

beforeAll(async () => {
  chain = await startLocalChain();
  driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
  market = await driver.openMarket('Bitcoin up this hour?');
  await driver.mintTokens(maker(), market, 10_000_000_000n);
  const { priceSigner, secondPriceSigner } = driver.deployment.roles;
  const place = { rpcUrl: chain.rpcUrl, driver, market };
  const [leftKey, rightKey] = [priceSigner.privateKey, secondPriceSigner.privateKey];
  sides = [
    await startSide(place, { book, config, privateKey: leftKey, secret: 'a secret of the left signer' }),
    await startSide(place, { book, config, privateKey: rightKey, secret: 'a secret of the right one' }),
  ];
  const [first, second, third, other] = [await open(1), await open(2), await open(3), await open(4)];
  for (const position of [first, second, third]) await requestClose(position);
  positions = [first, second, third, other];
});

afterAll(async () => {
  for (const side of sides) await closeSide(side);
  await chain.close();
});

function maker() {
  const [first] = driver.deployment.roles.makers;
  if (first === undefined) throw new Error('the deployment has no maker');
  return first;
}

/** Two hundred tokens at half a dollar, half of it borrowed. */
async function open(seed: number): Promise<LocalPosition> {
  const user = driver.deployment.roles.alice;
  const fields = await driver.quoteFields({
    user,
    token: market.yes,
    positionSeed: positionSeedOf(toHex(seed, { size: 12 }), 0),
    collateralUsdcUnits: 50_000_000n,
    leverageBps: 20_000n,
  });
  const limits = { venueFeeUsdcUnits: 5_000_000n };
  const position = await driver.createPosition({ sender: user, fields, signature: driver.signQuote(fields), limits });
  const order = driver.orderOf({
    maker: position.account,
    token: market.yes,
    side: OrderSide.Buy,
    tokenUnits: units,
    usdcUnits: units / 2n,
    isContract: true,
  });
  const terms = { token: market.yes, purpose: Purpose.Open, markPips: 5_000n, limitPips: 5_000n, venueFeeBps: 350n };
  await driver.authorizeOrder({ position, order, attestation: await driver.attestation(terms) });
  await driver.matchWithMaker(order, maker(), 3_500_000n);
  await driver.finalize(position);
  return position;
}

function requestClose(position: LocalPosition): Promise<void> {
  const sender = driver.deployment.roles.alice;
  return driver.requestClose({ position, sender, tokenUnits: soldUnits, minPricePips: 2_000n });
}

const closeOf = (keys: readonly Hex[]): GrantBatchRequest => ({
  purpose: 'close',
  members: keys.map((positionKey) => ({ positionKey, mostUnits: soldUnits, quotedRisk: null })),
});

const keysOf = ({ members }: { readonly members: readonly { readonly positionKey: Hex }[] }): readonly Hex[] =>
  members.map(({ positionKey }) => positionKey);

/** The signer's own batch, as soon as its feed allows all the members. */
async function batchOf({ source }: SignerSide, request: GrantBatchRequest, memberCount: number) {
  for (const deadlineMs = Date.now() + 30_000; ; await sleep(50)) {
    // The last block is as old as an observation may be, unless another one follows.
    await driver.rpc.mine(1);
    const answer: GrantBatchAnswer = await source.grantBatch(request);
    if (answer.kind === 'signed' && answer.batch.members.length === memberCount) return answer;
    if (Date.now() > deadlineMs) throw new Error(`not signed: ${JSON.stringify(answer.kind)}`);
  }
}

const hashOf = (batch: GrantBatch): Hex => {
  const { chainId, contracts } = driver.deployment;
  return hashGrantBatch(batch, { chainId, vault: contracts.vault });
};

const metricsOf = async ({ signer }: SignerSide): Promise<string> => (await fetch(`${signer.url}/metrics`)).text();

test('two signers consent to the sales that are due, without the others of the request, and the vault grants them', async () => {
  const [first, second, third, idle] = positions.map(({ positionKey }) => positionKey);
  if (first === undefined || second === undefined || third === undefined || idle === undefined) throw new Error('four');
  // Two members are poison: one has no position, one was not asked to close.
  const request = closeOf([unknownKey, first, idle, second, third]);
  const [left, right] = await Promise.all(sides.map((side) => batchOf(side, request, 3)));
  if (left === undefined || right === undefined) throw new Error('two signers');
  expect(keysOf(left.batch)).toEqual([first, second, third]);
  expect(left.hash).toBe(hashOf(left.batch));
  expect(await recoverPriceSigner(left.hash, left.signature)).toBe(sides[0].signer.address);
  // 100 at 0.49, 100 at 0.49, then 50 at 0.49 and 50 at 0.47.
  const [best, next, last] = left.batch.members.map(({ limitPips }) => raw(limitPips));
  expect(next).toBe(best);
  expect(last).toBe((best ?? 0n) - 100n);

  const joint = jointGrantBatchOf(left.batch, right.batch);
  if (joint === null) throw new Error('they are for one batch');
  await driver.rpc.mine(1);
  const signatures = await Promise.all(
    sides.map(async ({ source, signer }) => {
      const answer = await source.countersignGrantBatch({ request, batch: joint });
      if (answer.kind !== 'signed') throw new Error(answer.code);
      return { signer: signer.address, signature: answer.signature };
    }),
  );
  const { contracts, roles } = driver.deployment;
  const sizes = joint.members.map(({ mostUnits }) => mostUnits);
  const args = [toGrantBatchStruct(joint), sizes, attestationSignaturesOf(signatures)] as const;
  await driver.rpc.send(roles.keeper, {
    to: contracts.vault,
    data: encodeFunctionData({ abi: vaultAbi, functionName: 'authorizeMany', args }),
  });
  for (const { positionKey, limitPips } of joint.members) {
    const live = await driver.rpc.client.readContract({
      address: contracts.vault,
      abi: vaultAbi,
      functionName: 'grantOf',
      args: [positionKey],
    });
    expect(live).toMatchObject({ purpose: Purpose.Close, mostUnits: soldUnits, limitPips: Number(raw(limitPips)) });
  }
  const metrics = await metricsOf(sides[0]);
  expect(metrics).toMatch(/attestations_signed_total\{purpose="close"\} ([3-9]|\d\d)/);
  expect(metrics).toMatch(/attestations_refused_total\{purpose="close",code="position_unknown"\} [1-9]/);
  expect(metrics).toMatch(/attestations_refused_total\{purpose="close",code="position_state"\} [1-9]/);
  expect(metrics).toMatch(/countersignatures_signed_total\{purpose="close"\} 3/);
});

test('without a member that is granted, the answer is the first refusal', async () => {
  const idle = positions[3]?.positionKey ?? unknownKey;
  expect(await sides[0].source.grantBatch(closeOf([idle, unknownKey]))).toEqual({
    kind: 'refused',
    code: 'position_state',
  });
  expect(await sides[0].source.grantBatch(closeOf([unknownKey, idle]))).toEqual({
    kind: 'refused',
    code: 'position_unknown',
  });
});

test('a co-signer signs no batch with one member that it would not sign alone', async () => {
  const [first, second] = positions.map(({ positionKey }) => positionKey);
  if (first === undefined || second === undefined) throw new Error('two');
  const request = closeOf([first, second]);
  const { batch } = await batchOf(sides[0], request, 2);
  const [one, two] = batch.members;
  if (one === undefined || two === undefined) throw new Error('two members');
  const lies: readonly (readonly [string, Partial<GrantBatch>, GrantBatchRequest?])[] = [
    ['attestation_mismatch', { tokenId: market.no.tokenId }],
    ['attestation_mismatch', { purpose: Purpose.Liquidate }],
    ['attestation_mismatch', {}, closeOf([second])],
    ['mark_disagrees', { markPips: pricePips(raw(batch.markPips) - 101n) }],
    ['path_disagrees', { validFor: batch.validFor + 1 }],
    ['observed_in_future', { observedAt: batch.observedAt + 3_600n }],
    ['observed_too_long_ago', { observedAt: batch.observedAt - 60n }],
    ['limit_disagrees', { members: [one, { ...two, limitPips: pricePips(raw(two.limitPips) - 101n) }] }],
    ['size_disagrees', { members: [{ ...one, mostUnits: soldUnits - 1n }, two] }],
    ['trigger_disagrees', { members: [one, { ...two, triggerPips: pricePips(1n) }] }],
    ['position_unknown', { members: [one, { ...two, positionKey: unknownKey }] }, closeOf([first, unknownKey])],
  ];
  const { source } = sides[1];
  await batchOf(sides[1], request, 2);
  for (const [code, change, asked = request] of lies) {
    const answer = await source.countersignGrantBatch({ request: asked, batch: { ...batch, ...change } });
    expect([code, answer]).toEqual([code, { kind: 'refused', code }]);
  }
});

test('a batch is as large as its limit, and needs the secret', async () => {
  const [{ signer, secret, source }, other] = sides;
  const risk = {
    exitSeconds: 60,
    plannedUnwinds: Array.from({ length: 12 }, (_, index) => ({
      rung: index + 1,
      triggerPricePips: pricePips(4_000n),
      targetLeverageBps: 15_000n as never,
    })),
    signature: `0x${'1f'.repeat(65)}` as const,
  };
  const keys = Array.from({ length: maxBatchMembers }, (_, index) => toHex(index + 1, { size: 32 }));
  const members = closeOf(keys).members.map((member) => ({ ...member, quotedRisk: risk }));
  const full: GrantBatchRequest = { purpose: 'unwind', members };
  expect(await source.grantBatch(full)).toEqual({ kind: 'refused', code: 'position_unknown' });
  const post = (path: string, headers: Record<string, string>) =>
    fetch(`${signer.url}${path}`, { method: 'POST', headers, body: '{}' });
  for (const path of ['/grant-batches', '/grant-batch-countersignatures']) {
    expect((await post(path, {})).status).toBe(401);
    expect((await post(path, { authorization: `Bearer ${other.secret}` })).status).toBe(401);
    expect((await post(path, { authorization: `Bearer ${secret}` })).status).toBe(400);
  }
  const stranger = httpAttestationSource({ url: signer.url, secret: other.secret });
  await expect(stranger.grantBatch(closeOf([unknownKey]))).rejects.toMatchObject({ origin: 'signer' });
});
