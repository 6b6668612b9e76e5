import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { lifetimeFeeOf, liquidationPriceOf, rateBps, raw, tokenUnits, usdcUnits } from '@core/pricing';
import {
  accountAddressOf,
  collectionIdOf,
  conditionalTokensAbi,
  conditionIdOf,
  hashVenueOrder,
  OrderSide,
  Purpose,
  positionIdOf,
  positionKeyOf,
  positionSeedOf,
  toVenueOrderStruct,
  type VenueOrder,
  vaultAbi,
  venueExchangeAbi,
} from '@core/vault';
import * as fc from 'fast-check';
import { domainSeparator, type Hex, type PublicClient, toHex, zeroHash } from 'viem';
import { deployLocal, LocalDriver, startLocalChain } from '../../local/index.ts';
import '../../../vitest.setup.ts';

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let driver: LocalDriver;
let client: PublicClient;

before(async () => {
  chain = await startLocalChain({ blockIntervalMs: 0 });
  driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
  client = driver.rpc.client;
});

after(() => chain.close());

function hexBytes(byteLength: number): fc.Arbitrary<Hex> {
  return fc.uint8Array({ minLength: byteLength, maxLength: byteLength }).map((bytes) => toHex(bytes));
}

const anyWord = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const runs = { numRuns: 40 };

describe('TypeScript = Solidity, asked through the chain', () => {
  it('position key and account address', async () => {
    const { chainId, contracts } = driver.deployment;
    const at = { address: contracts.vault, abi: vaultAbi } as const;
    await fc.assert(
      fc.asyncProperty(hexBytes(20), hexBytes(16), async (user, positionSeed) => {
        const key = positionKeyOf({ chainId, vault: contracts.vault, user, positionSeed });
        assert.equal(
          await client.readContract({ ...at, functionName: 'positionKeyOf', args: [user, positionSeed] }),
          key,
        );
        const { vault, accountImplementation } = contracts;
        assert.equal(
          await client.readContract({ ...at, functionName: 'accountOf', args: [key] }),
          accountAddressOf({ vault, accountImplementation, positionKey: key }),
        );
      }),
      runs,
    );
  });

  it('position keys of the shared vectors differ from those of this vault only by chain and vault', async () => {
    const file = new URL('../../../packages/vault/testing/digest.vectors.json', import.meta.url);
    const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
      vectors: { user: Hex; positionSeed: Hex; chainId: string; vault: Hex; positionKey: Hex }[];
    };
    const { chainId, contracts } = driver.deployment;
    for (const { user, positionSeed, ...vector } of vectors) {
      const own = { user, positionSeed, chainId: Number(vector.chainId), vault: vector.vault };
      assert.equal(positionKeyOf(own), vector.positionKey);
      const found = await client.readContract({
        address: contracts.vault,
        abi: vaultAbi,
        functionName: 'positionKeyOf',
        args: [user, positionSeed],
      });
      assert.equal(found, positionKeyOf({ ...own, chainId, vault: contracts.vault }));
    }
  });

  it('domain separator of attestations', async () => {
    const { chainId, contracts } = driver.deployment;
    const separator = await client.readContract({
      address: contracts.vault,
      abi: vaultAbi,
      functionName: 'domainSeparator',
    });
    const domain = { name: 'Vault', version: '1', chainId: BigInt(chainId), verifyingContract: contracts.vault };
    const wanted = domainSeparator({ domain });
    assert.equal(separator, wanted);
  });

  it('hash of venue orders', async () => {
    const { chainId, contracts, venueDomain } = driver.deployment;
    const anyOrder: fc.Arbitrary<VenueOrder> = fc.record({
      salt: anyWord,
      maker: hexBytes(20),
      signer: hexBytes(20),
      tokenId: anyWord,
      makerAmount: anyWord,
      takerAmount: anyWord,
      side: fc.constantFrom(OrderSide.Buy, OrderSide.Sell),
      signatureType: fc.constantFrom(0, 3),
      timestamp: anyWord,
      metadata: hexBytes(32),
      builder: hexBytes(32),
    });
    await fc.assert(
      fc.asyncProperty(anyOrder, hexBytes(65), async (order, signature) => {
        const found = await client.readContract({
          address: contracts.exchange,
          abi: venueExchangeAbi,
          functionName: 'hashOrder',
          args: [toVenueOrderStruct(order, signature)],
        });
        assert.equal(found, hashVenueOrder(order, { ...venueDomain, chainId, exchange: contracts.exchange }));
      }),
      runs,
    );
  });

  it('condition, collection and token ids of the real ConditionalTokens', async () => {
    const { conditionalTokens } = driver.deployment.contracts;
    const at = { address: conditionalTokens, abi: conditionalTokensAbi } as const;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          oracle: hexBytes(20),
          questionId: hexBytes(32),
          indexSet: fc.constantFrom(1 as const, 2 as const),
        }),
        hexBytes(20),
        async ({ oracle, questionId, indexSet }, collateralToken) => {
          const conditionId = conditionIdOf({ oracle, questionId });
          const collectionId = collectionIdOf({ conditionId, indexSet });
          assert.equal(
            await client.readContract({ ...at, functionName: 'getConditionId', args: [oracle, questionId, 2n] }),
            conditionId,
          );
          assert.equal(
            await client.readContract({
              ...at,
              functionName: 'getCollectionId',
              args: [zeroHash, conditionId, BigInt(indexSet)],
            }),
            collectionId,
          );
          assert.equal(
            await client.readContract({ ...at, functionName: 'getPositionId', args: [collateralToken, collectionId] }),
            positionIdOf({ collateralToken, collectionId }),
          );
        },
      ),
      runs,
    );
  });

  it('debt and liquidation price of real positions, as time passes', async () => {
    const { alice, makers } = driver.deployment.roles;
    const [maker] = makers;
    if (maker === undefined) throw new Error('the deployment has no maker');
    const market = await driver.openMarket('Will the parity market resolve to yes?');
    await driver.mintTokens(maker, market, 100_000_000_000n);
    const anyTerms = fc.record({
      quarters: fc.bigInt({ min: 6n, max: 12n }),
      collateral: fc.bigInt({ min: 1_000_000n, max: 400_000_000n }).map((units) => units - (units % 4n)),
      pips: fc.bigInt({ min: 3_000n, max: 9_000n }),
      buffer: fc.bigInt({ min: 0n, max: 1_500n }),
      waits: fc.array(fc.integer({ min: 1, max: 3_000_000 }), { minLength: 1, maxLength: 3 }),
    });
    for (const [index, terms] of fc.sample(anyTerms, { numRuns: 12, seed: 20 }).entries()) {
      const fields = await driver.quoteFields({
        user: alice,
        token: market.yes,
        positionSeed: positionSeedOf(toHex(index + 1, { size: 12 }), 0),
        collateralUsdcUnits: terms.collateral,
        leverageBps: terms.quarters * 2_500n,
      });
      const notional = raw(fields.notionalUsdcUnits);
      // Whole tokens at a whole price never fit the notional exactly: at most a cent of it stays unspent.
      const bought = ((notional * 10_000n) / terms.pips / 10_000n) * 10_000n;
      const spent = (bought * terms.pips) / 10_000n;
      const position = await driver.createPosition({ sender: alice, fields, signature: driver.signQuote(fields) });
      const order = driver.orderOf({
        maker: position.account,
        token: market.yes,
        side: OrderSide.Buy,
        tokenUnits: bought,
        usdcUnits: spent,
        isContract: true,
      });
      const attestation = await driver.attestation({
        token: market.yes,
        purpose: Purpose.Open,
        markPips: terms.pips,
        limitPips: terms.pips,
        exitBufferBps: terms.buffer,
      });
      await driver.authorizeOrder({ position, order, attestation });
      await driver.matchWithMaker(order, maker);
      await driver.finalize(position);
      const opened = await driver.positionOf(position);
      for (const seconds of terms.waits) {
        await driver.rpc.advance(seconds);
        const fee = lifetimeFeeOf({
          principalUsdcUnits: usdcUnits(opened.principalUsdcUnits),
          lifetimeFeeAprBps: fields.lifetimeFeeAprBps,
          elapsedSeconds: Number(await driver.rpc.nowSeconds()) - opened.since,
        });
        const at = { address: driver.deployment.contracts.vault, abi: vaultAbi, args: [position.positionKey] } as const;
        const [principal, lifetimeFee] = await client.readContract({ ...at, functionName: 'debtOf' });
        assert.equal(principal, opened.principalUsdcUnits);
        assert.equal(lifetimeFee, raw(fee));
        assert.equal(
          await client.readContract({ ...at, functionName: 'liquidationPriceOf' }),
          raw(
            liquidationPriceOf({
              principalUsdcUnits: usdcUnits(principal),
              feesUsdcUnits: fee,
              tokenUnits: tokenUnits(opened.tokenUnits),
              liquidationFeeBps: fields.liquidationFeeBps,
              exitBufferBps: rateBps(terms.buffer),
            }),
          ),
        );
      }
    }
  });
});
