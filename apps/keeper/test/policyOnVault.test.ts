import { deployLocal, LocalDriver, type LocalMarket, type LocalPosition, startLocalChain } from '@core/contracts/local';
import { sampleBook, sampleFacts, sampleNowMs, sampleSide, sampleSnapshot } from '@core/market/testing';
import { decideAttestation, decideGrant, decideUnwind, type GrantTerms, type OwingPosition } from '@core/policy';
import { decideOrder } from '@core/position';
import { pricePips, rateBps, raw, usdcUnits } from '@core/pricing';
import {
  attestationSignaturesOf,
  OrderSide,
  Purpose,
  positionSeedOf,
  readPositionTerms,
  SigningKey,
  signGrantAttestation,
  toAttestationStruct,
  toGrantAttestationStruct,
  toVenueOrderStruct,
  vaultAbi,
  venueExchangeAbi,
} from '@core/vault';
import * as fc from 'fast-check';
import { encodeFunctionData, type Hex, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';

const boughtTokenUnits = 200_000_000n;
const booksPerRate = 80;
const vaultPurposes = { unwind: Purpose.Unwind, close: Purpose.Close } as const;

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let driver: LocalDriver;
let market: LocalMarket;
let position: LocalPosition;

beforeAll(async () => {
  // Time stands still between transactions: an attestation is as old at the last order as at the first.
  chain = await startLocalChain({ blockIntervalMs: 0 });
  driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
  market = await driver.openMarket('Bitcoin up this hour?');
  const [maker] = driver.deployment.roles.makers;
  if (maker === undefined) throw new Error('the deployment has no maker');
  await driver.mintTokens(maker, market, 10_000_000_000n);
  const { alice } = driver.deployment.roles;
  const fields = await driver.quoteFields({
    user: alice,
    token: market.yes,
    positionSeed: positionSeedOf(toHex(1, { size: 12 }), 0),
    collateralUsdcUnits: 50_000_000n,
    leverageBps: 20_000n,
  });
  const limits = { venueFeeUsdcUnits: 5_000_000n };
  position = await driver.createPosition({ sender: alice, fields, signature: driver.signQuote(fields), limits });
  const order = driver.orderOf({
    maker: position.account,
    token: market.yes,
    side: OrderSide.Buy,
    tokenUnits: boughtTokenUnits,
    usdcUnits: boughtTokenUnits / 2n,
    isContract: true,
  });
  const prices = { token: market.yes, purpose: Purpose.Open, markPips: 5_000n, limitPips: 5_000n };
  await driver.authorizeOrder({ position, order, attestation: await driver.attestation(prices) });
  await driver.matchWithMaker(order, maker, 3_500_000n);
  await driver.finalize(position);
});
afterAll(() => chain.close());

const setMaxFeeRate = (rate: bigint) =>
  driver.rpc.send(driver.deployment.roles.owner, {
    to: driver.deployment.contracts.exchange,
    data: encodeFunctionData({ abi: venueExchangeAbi, functionName: 'setMaxFeeRate', args: [rate] }),
  });

/** A market with a drawn book, some time before its end. */
function drawnMarkets(seed: number) {
  const markets = fc.record({ book: sampleBook(), leftSeconds: fc.integer({ min: 120, max: 7_200 }) });
  return fc.sample(markets, { numRuns: booksPerRate, seed }).map(({ book, leftSeconds }) =>
    sampleSnapshot({
      facts: sampleFacts({ closeAtMs: sampleNowMs + leftSeconds * 1_000 }),
      yes: sampleSide(book),
    }),
  );
}

async function owingNow(): Promise<OwingPosition> {
  const { contracts } = driver.deployment;
  const terms = await readPositionTerms(driver.rpc.client, { contracts, positionKey: position.positionKey });
  return {
    side: 'yes',
    tokenUnits: terms.bookedTokenUnits,
    collateralUsdcUnits: usdcUnits(50_000_000n),
    principalUsdcUnits: terms.principalUsdcUnits,
    debtUsdcUnits: terms.debtUsdcUnits,
    liquidationPricePips: terms.liquidationPricePips,
    maxVenueFeeBps: terms.maxVenueFeeBps,
    plannedUnwinds: [],
    owesSinceMs: null,
    wasHardExitInForce: false,
    killedCount: 0,
    sinceLastOrderMs: null,
  };
}

/** Simulate a call of the keeper. @throws the contract's error when the vault refuses it. */
const simulate = (data: Hex) =>
  driver.rpc.client.call({
    account: driver.deployment.roles.keeper.address,
    to: driver.deployment.contracts.vault,
    data,
  });

test('law: the vault takes every unwind order that the policy decides, at any maximum fee of the exchange', async () => {
  const counts = { covered: 0, belowDebt: 0 };
  for (const [seed, rate] of [0n, 1n, 200n, 500n, 1_000n, 2_500n].entries()) {
    await setMaxFeeRate(rate);
    const owing = await owingNow();
    expect(owing.maxVenueFeeBps).toBe(rate);
    const observedAt = await driver.rpc.nowSeconds();
    for (const snapshot of drawnMarkets(seed)) {
      const decided = decideUnwind(snapshot, owing);
      if (decided.kind !== 'sell') continue;
      const { tokenUnits } = decided;
      const request = { side: 'yes', tokenUnits, earlierMid: null } as const;
      const attestedPosition = { ...owing, closeMinPricePips: pricePips(0n), plannedTriggerPricePips: null };
      const terms = decideAttestation(snapshot, { ...request, purpose: 'unwind', position: attestedPosition });
      if (terms.kind === 'refused') throw new Error(terms.reason);
      const { tickPricePips } = snapshot.facts;
      const holding = { heldTokenUnits: owing.tokenUnits, debtUsdcUnits: owing.debtUsdcUnits };
      const maximumBps = rate === 0n ? 10_000n : rate;
      const attestedBps = raw(terms.venueFeeBps);
      const ordered = decideOrder(
        {
          kind: 'order',
          purpose: 'unwind',
          orderType: 'FOK',
          tokenUnits,
          attempt: 1,
          retryAtMs: null,
          reason: 'unknown',
          rung: null,
          isHardExit: decided.cause === 'hard_exit',
          isBelowDebt: decided.isBelowDebt,
          bounds: { ...holding, tokenUnits, minPricePips: pricePips(0n), tickPricePips },
        },
        {
          kind: 'given',
          limitPricePips: terms.limitPricePips,
          venueFeeBps: attestedBps,
          coverFeeBps: attestedBps > maximumBps ? attestedBps : maximumBps,
        },
      );
      if (ordered.kind !== 'send') throw new Error(ordered.reason);
      const { grid } = ordered;
      const order = driver.orderOf({
        maker: position.account,
        token: market.yes,
        side: OrderSide.Sell,
        tokenUnits: raw(grid.tokenUnits),
        usdcUnits: raw(grid.usdcUnits),
        isContract: true,
      });
      const attestation = {
        marketId: market.yes.conditionId,
        tokenId: market.yes.tokenId,
        purpose: Purpose.Unwind,
        markPips: terms.markPricePips,
        limitPips: terms.limitPricePips,
        triggerPips: terms.triggerPricePips,
        venueFeeBps: terms.venueFeeBps,
        exitBufferBps: terms.exitBufferBps,
        observedAt,
      };
      const args = [
        position.positionKey,
        Purpose.Unwind,
        toVenueOrderStruct(order),
        observedAt + 45n,
        toAttestationStruct(attestation),
        driver.signAttestation(attestation),
      ] as const;
      await simulate(encodeFunctionData({ abi: vaultAbi, functionName: 'authorizeOrder', args }));
      counts[decided.isBelowDebt ? 'belowDebt' : 'covered'] += 1;
    }
  }
  expect(counts.covered).toBeGreaterThan(5);
  expect(counts.belowDebt).toBeGreaterThan(5);
});

/** The grant of these terms, signed by both price signers, as the keeper sends it. */
async function grantCallOf(
  purpose: 'unwind' | 'close',
  { mostUnits, terms }: { readonly mostUnits: bigint; readonly terms: GrantTerms },
): Promise<Hex> {
  const { priceSigner, secondPriceSigner } = driver.deployment.roles;
  const { chainId, contracts } = driver.deployment;
  const observedAt = await driver.rpc.nowSeconds();
  const attestation = {
    positionKey: position.positionKey,
    marketId: market.yes.conditionId,
    tokenId: market.yes.tokenId,
    purpose: vaultPurposes[purpose],
    markPips: terms.markPricePips,
    limitPips: terms.limitPricePips,
    triggerPips: terms.triggerPricePips,
    venueFeeBps: rateBps(raw(terms.venueFeeBps)),
    exitBufferBps: terms.exitBufferBps,
    observedAt,
    mostUnits,
    validFor: terms.validForSeconds,
    // The chain of this test has a time of its own.
    notAfter: observedAt + 600n,
  };
  const signing = [priceSigner, secondPriceSigner].map(async ({ privateKey }) => {
    const key = new SigningKey(privateKey);
    const { signature } = await signGrantAttestation(key, attestation, { chainId, vault: contracts.vault });
    return { signer: key.address, signature };
  });
  const signatures = attestationSignaturesOf(await Promise.all(signing));
  const struct = toGrantAttestationStruct(attestation);
  const args = [position.positionKey, attestation.purpose, mostUnits, struct, signatures] as const;
  return encodeFunctionData({ abi: vaultAbi, functionName: 'authorizeGrant', args });
}

test('law: the vault takes every unwind grant that the policy decides', async () => {
  await setMaxFeeRate(1_000n);
  const owing = { ...(await owingNow()), route: 'fill', maxVenueFeeBps: null } as const;
  let grantCount = 0;
  for (const snapshot of [10, 11, 12].flatMap(drawnMarkets)) {
    const decided = decideUnwind(snapshot, owing);
    if (decided.kind !== 'sell') continue;
    const mostUnits = raw(decided.tokenUnits);
    const terms = decideGrant(snapshot, {
      purpose: 'unwind',
      side: 'yes',
      mostUnits,
      collateralShareBps: null,
      position: { ...owing, closeMinPricePips: pricePips(0n), plannedTriggerPricePips: null },
      earlierMid: null,
    });
    if (terms.kind === 'refused') throw new Error(terms.reason);
    await simulate(await grantCallOf('unwind', { mostUnits, terms }));
    grantCount += 1;
  }
  expect(grantCount).toBeGreaterThan(10);
});

test('law: the vault takes every close grant that the policy decides, from users with and without a price', async () => {
  const owing = { ...(await owingNow()), maxVenueFeeBps: null } as const;
  const mostUnits = raw(owing.tokenUnits);
  const counts: number[] = [];
  for (const minPricePips of [0n, 1n]) {
    await driver.requestClose({
      position,
      sender: driver.deployment.roles.alice,
      tokenUnits: mostUnits,
      minPricePips,
    });
    const closing = { ...owing, closeMinPricePips: pricePips(minPricePips), plannedTriggerPricePips: null };
    let count = 0;
    for (const snapshot of [20, 21, 22].flatMap(drawnMarkets)) {
      const request = { purpose: 'close', side: 'yes', collateralShareBps: null, earlierMid: null } as const;
      const terms = decideGrant(snapshot, { ...request, mostUnits, position: closing });
      // The vault sells nothing below the debt for a user, and the keeper requests no such grant.
      if (terms.kind === 'refused' || !isCovered(terms, owing)) continue;
      await simulate(await grantCallOf('close', { mostUnits, terms }));
      count += 1;
    }
    counts.push(count);
  }
  const [unpriced = 0, priced = 0] = counts;
  expect(unpriced).toBeGreaterThan(5);
  expect(priced).toBeGreaterThan(unpriced);
});

/** True when all tokens at the limit, less the fee part, repay the debt. */
function isCovered({ limitPricePips, venueFeeBps }: GrantTerms, { tokenUnits, debtUsdcUnits }: OwingPosition): boolean {
  return raw(tokenUnits) * raw(limitPricePips) * (10_000n - raw(venueFeeBps)) >= raw(debtUsdcUnits) * 100_000_000n;
}
