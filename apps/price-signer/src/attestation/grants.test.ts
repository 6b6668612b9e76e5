import { setTimeout as sleep } from 'node:timers/promises';
import { type GrantRequest, jointGrantOf } from '@core/attestation';
import { deployLocal, LocalDriver, type LocalMarket, type LocalPosition, startLocalChain } from '@core/contracts/local';
import { pricePips } from '@core/pricing';
import {
  attestationSignaturesOf,
  hashGrantAttestation,
  Purpose,
  positionSeedOf,
  toGrantAttestationStruct,
  vaultAbi,
} from '@core/vault';
import { encodeFunctionData, toHex, zeroHash } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VenueBook } from '../../testing/bookVenue.ts';
import { closeSide, type SignerSide, startSide } from '../../testing/signerSide.ts';
import { hasMarkLeft } from './grantWatch.ts';

const sizeUnits = 100_000_000n;
const bookAt = (bid: string, ask: string): VenueBook => ({ bids: [[bid, '9000']], asks: [[ask, '9000']] });

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let driver: LocalDriver;
let market: LocalMarket;
let sides: readonly [SignerSide, SignerSide];

beforeAll(async () => {
  chain = await startLocalChain();
  driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
  market = await driver.openMarket('Bitcoin up this hour?');
  const { priceSigner, secondPriceSigner } = driver.deployment.roles;
  const place = { rpcUrl: chain.rpcUrl, driver, market };
  const own = { secret: 'a secret of this signer', book: bookAt('0.79', '0.80'), isEndingGrants: true };
  sides = [
    await startSide(place, { ...own, privateKey: priceSigner.privateKey }),
    await startSide(place, { ...own, privateKey: secondPriceSigner.privateKey }),
  ];
});
afterAll(async () => {
  for (const side of sides) await closeSide(side);
  await chain.close();
});

async function createPending(): Promise<LocalPosition> {
  const user = driver.deployment.roles.alice;
  const fields = await driver.quoteFields({
    user,
    token: market.yes,
    positionSeed: positionSeedOf(toHex(1, { size: 12 }), 0),
    collateralUsdcUnits: 50_000_000n,
    leverageBps: 20_000n,
  });
  const limits = { venueFeeUsdcUnits: 5_000_000n };
  return driver.createPosition({ sender: user, fields, signature: driver.signQuote(fields), limits });
}

/** The signer's own grant, as soon as its feed allows. */
async function grantedBy({ source }: SignerSide, request: GrantRequest) {
  for (const deadlineMs = Date.now() + 30_000; ; await sleep(50)) {
    const answer = await source.grant(request);
    if (answer.kind === 'signed') return answer;
    if (Date.now() > deadlineMs) throw new Error(`refused: ${answer.code}`);
  }
}

const grantOf = (position: LocalPosition) =>
  driver.rpc.client.readContract({
    address: driver.deployment.contracts.vault,
    abi: vaultAbi,
    functionName: 'grantOf',
    args: [position.positionKey],
  });

test('two signers consent to a grant that the vault takes, and end it when the price leaves', async () => {
  const position = await createPending();
  const request: GrantRequest = {
    positionKey: position.positionKey,
    purpose: 'open',
    mostUnits: sizeUnits,
    quotedRisk: null,
  };
  const [left, right] = sides;
  expect(await left.source.grant({ ...request, mostUnits: sizeUnits + 1n })).toEqual({
    kind: 'refused',
    code: 'size_out_of_range',
  });
  // Signatures and transaction together take longer than a grant's observation lives on a busy machine: then again.
  const authorize = async (): Promise<void> => {
    const [own, other] = await Promise.all([grantedBy(left, request), grantedBy(right, request)]);
    const joint = jointGrantOf(own.attestation, other.attestation);
    if (joint === null) throw new Error('they are for one grant');
    expect(joint).toMatchObject({ purpose: Purpose.Open, mostUnits: sizeUnits, validFor: 12 });
    const ofAnother = { ...joint, positionKey: zeroHash };
    expect(await left.source.countersignGrant({ request, attestation: ofAnother })).toEqual({
      kind: 'refused',
      code: 'attestation_mismatch',
    });
    const answers = await Promise.all(
      [left, right].map(({ source }) => source.countersignGrant({ request, attestation: joint })),
    );
    const signatures = answers.flatMap((answer, index) => {
      const signer = sides[index]?.signer.address;
      return answer.kind === 'signed' && signer !== undefined ? [{ signer, signature: answer.signature }] : [];
    });
    const { vault } = driver.deployment.contracts;
    expect(hashGrantAttestation(joint, { chainId: driver.deployment.chainId, vault })).toMatch(/^0x/);
    const args = [
      position.positionKey,
      Purpose.Open,
      sizeUnits,
      toGrantAttestationStruct(joint),
      attestationSignaturesOf(signatures),
    ] as const;
    await driver.rpc.send(driver.deployment.roles.keeper, {
      to: vault,
      data: encodeFunctionData({ abi: vaultAbi, functionName: 'authorizeGrant', args }),
    });
  };
  await authorize();
  expect(await grantOf(position)).toMatchObject({ purpose: Purpose.Open, mostUnits: sizeUnits, filledUnits: 0n });
  await Promise.all(sides.map(({ venue }) => venue.showBook(bookAt('0.70', '0.71'))));
  for (const deadlineMs = Date.now() + 60_000; Date.now() < deadlineMs; await sleep(50)) {
    if ((await grantOf(position)).purpose === Purpose.None) break;
  }
  expect(await grantOf(position)).toMatchObject({ purpose: Purpose.None });
  const logs = await driver.rpc.client.getContractEvents({
    address: driver.deployment.contracts.vault,
    abi: vaultAbi,
    eventName: 'GrantEnded',
    fromBlock: 0n,
  });
  expect(logs.map(({ args }) => args.filledUnits)).toEqual([0n]);
});

test.each([
  [7_900n, false],
  [7_600n, false],
  [7_599n, true],
  [8_200n, false],
  [8_201n, true],
])('hasMarkLeft: %d pips of a path from 7,700 to 8,100 with a tick of a cent', (mark, hasLeft) => {
  for (const prices of [
    { startPips: 7_700, limitPips: 8_100 },
    { startPips: 8_100, limitPips: 7_700 },
  ]) {
    expect(hasMarkLeft(pricePips(mark), prices, pricePips(100n))).toBe(hasLeft);
  }
});
