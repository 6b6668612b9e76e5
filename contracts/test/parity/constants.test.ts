import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { constants, grantPathDivisor, raw } from '@core/pricing';
import { OrderSide, SignatureType, vaultConstants } from '@core/vault';
import { staleFacts } from '../../tools/shared-facts/sharedFacts.ts';

/** The same rule in the words of TypeScript, or null where only the contract has it. */
const counterparts: Readonly<Record<string, bigint | null>> = {
  wholeBps: 10_000n,
  winPricePips: 10_000n,
  minLeverageBps: raw(constants.minRevisedLeverageBps),
  maxLeverageBps: raw(constants.maxLeverageBps),
  minCollateralUsdcUnits: raw(constants.minCollateralUsdcUnits),
  maxNotionalUsdcUnits: null,
  maxOriginationFeeBps: null,
  maxLifetimeFeeAprBps: null,
  maxLiquidationFeeBps: null,
  maxVenueFeeBps: null,
  quoteWindowSeconds: null,
  openWindowSeconds: null,
  openOrderWindowSeconds: null,
  saleOrderWindowSeconds: null,
  attestationAgeSeconds: null,
  grantAttestationAgeSeconds: null,
  minGrantTimeSeconds: null,
  maxGrantTimeSeconds: null,
  grantPathDivisor,
  grantBandBps: null,
  grantUnwindBandBps: null,
  grantCostBps: null,
  grantUnwindCostBps: null,
  grantWideBandBps: null,
  openingEquityBps: null,
  minFillDivisor: null,
  grantRestDivisor: null,
  incomeReleaseSeconds: null,
  yearSeconds: BigInt(constants.secondsPerYear),
  maxExitBufferBps: null,
  maxBandBps: null,
  atomicFillBps: null,
  openingMarkBps: 10_000n - raw(constants.minLiquidationTolerancePctBps),
  dustTokenUnits: raw(constants.dustTokenUnits),
  minOrderTokenUnits: raw(constants.minOrderTokenUnits),
  minCloseDivisor: 10_000n / raw(constants.minPartialCloseBps),
  sideBuy: null,
  sideSell: null,
  signatureTypeErc1271: null,
  signatureBytes: null,
  minPriceThreshold: null,
  alarmTimeSeconds: null,
  alarmPauseSeconds: null,
};

/** Constants of the contract alone. */
const contractOnly: Readonly<Record<string, bigint>> = {
  maxNotionalUsdcUnits: 100_000_000_000_000n,
  quoteWindowSeconds: 600n,
  openWindowSeconds: 300n,
  openOrderWindowSeconds: 120n,
  saleOrderWindowSeconds: 60n,
  attestationAgeSeconds: 30n,
  grantAttestationAgeSeconds: 6n,
  minGrantTimeSeconds: 6n,
  maxGrantTimeSeconds: 20n,
  grantBandBps: 500n,
  grantUnwindBandBps: 1_000n,
  grantCostBps: 1_000n,
  grantUnwindCostBps: 1_500n,
  grantWideBandBps: 2_000n,
  openingEquityBps: 8_000n,
  minFillDivisor: 5n,
  grantRestDivisor: 100n,
  incomeReleaseSeconds: 604_800n,
  maxBandBps: 2_000n,
  sideBuy: BigInt(OrderSide.Buy),
  sideSell: BigInt(OrderSide.Sell),
  signatureTypeErc1271: BigInt(SignatureType.Erc1271),
  maxOriginationFeeBps: 500n,
  maxLifetimeFeeAprBps: 2_000n,
  maxLiquidationFeeBps: 1_000n,
  maxVenueFeeBps: 1_000n,
  maxExitBufferBps: 1_500n,
  atomicFillBps: 9_900n,
  signatureBytes: 65n,
  minPriceThreshold: 2n,
  alarmTimeSeconds: 21_600n,
  alarmPauseSeconds: 604_800n,
};

/** A quantity, a count or a number of seconds without its unit. */
function toBigInt(value: (typeof vaultConstants)[keyof typeof vaultConstants]): bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : raw(value);
}

describe('what Solidity and TypeScript share', () => {
  it('is generated from the contracts as they are', () => {
    assert.deepEqual(staleFacts(), []);
  });
});

describe('the numbers of VaultConstants.sol', () => {
  it('are all known here, by name', () => {
    assert.deepEqual(Object.keys(vaultConstants).sort(), Object.keys(counterparts).sort());
  });

  for (const [name, value] of Object.entries(vaultConstants)) {
    it(name, () => assert.equal(toBigInt(value), counterparts[name] ?? contractOnly[name]));
  }

  it('divide evenly where TypeScript has a share and Solidity a divisor', () => {
    assert.equal(raw(constants.minPartialCloseBps) * vaultConstants.minCloseDivisor, 10_000n);
  });
});

describe('every rule of the pricing constants', () => {
  // Rules of quoting which no contract knows; a new rule has to be put on one of the two sides.
  const serviceOnly = new Set([
    'leverageStepBps',
    'minLeverageBps',
    'leverageBucketsUsdPips',
    'minSlippageBps',
    'maxSlippageBps',
    'defaultSlippageBps',
    'minFillBps',
    'maxFillBps',
    'fillStepBps',
    'shareStepTokenUnits',
  ]);
  const own = readFileSync(import.meta.filename, 'utf8');

  for (const name of Object.keys(constants)) {
    it(`${name} is compared, or is the service's alone`, () => {
      assert.notEqual(own.includes(`constants.${name}`), serviceOnly.has(name));
    });
  }
});
