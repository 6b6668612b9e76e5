import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { constants, raw } from '@core/pricing';
import { OrderSide, SignatureType } from '@core/vault';

const source = readFileSync(new URL('../src/VaultConstants.sol', import.meta.url), 'utf8');

/** Units in which Solidity writes times and large powers. */
const multipliers: Readonly<Record<string, bigint>> = { seconds: 1n, days: 86_400n };

/** Every constant of the file with its value; a line that cannot be read is an error, so that none is overlooked. */
function readConstants(): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const line of source.split('\n').filter((one) => one.includes(' constant '))) {
    const match = /^uint(?:8|256) constant ([A-Z0-9_]+) = ([0-9_]+)(?:e([0-9]+))?(?: ([a-z]+))?;$/.exec(line);
    const [, name, digits, exponent = '0', unit] = match ?? [];
    const multiplier = unit === undefined ? 1n : multipliers[unit];
    assert.ok(name !== undefined && digits !== undefined && multiplier !== undefined, line);
    found.set(name, BigInt(digits.replaceAll('_', '')) * 10n ** BigInt(exponent) * multiplier);
  }
  return found;
}

/** The same rule in the words of TypeScript, or null where only the contract has it. */
const counterparts: Readonly<Record<string, bigint | null>> = {
  BPS: 10_000n,
  PIPS: raw(constants.winPricePips),
  MIN_LEVERAGE_BPS: raw(constants.minRevisedLeverageBps),
  MAX_LEVERAGE_BPS: raw(constants.maxLeverageBps),
  MIN_COLLATERAL_USDC_UNITS: raw(constants.minCollateralUsdcUnits),
  MAX_NOTIONAL_USDC_UNITS: null,
  MAX_ORIGINATION_FEE_BPS: raw(constants.maxOriginationFeeBps),
  MAX_LIFETIME_FEE_APR_BPS: raw(constants.maxLifetimeFeeAprBps),
  MAX_LIQUIDATION_FEE_BPS: raw(constants.maxLiquidationFeeBps),
  MAX_VENUE_FEE_BPS: raw(constants.maxVenueFeeBps),
  QUOTE_WINDOW: null,
  OPEN_WINDOW: null,
  OPEN_ORDER_WINDOW: null,
  SALE_ORDER_WINDOW: null,
  ATTESTATION_AGE: null,
  WRITE_OFF_DELAY: null,
  YEAR: BigInt(constants.secondsPerYear),
  MAX_EXIT_BUFFER_BPS: raw(constants.maxExitBufferBps),
  MAX_BAND_BPS: null,
  ATOMIC_FILL_BPS: raw(constants.minAtomicFillBps),
  BIRTH_MARK_BPS: 10_000n - raw(constants.minLiquidationTolerancePctBps),
  DUST_TOKEN_UNITS: raw(constants.dustTokenUnits),
  MIN_ORDER_TOKEN_UNITS: raw(constants.minOrderTokenUnits),
  MIN_CLOSE_DIVISOR: 10_000n / raw(constants.minPartialCloseBps),
  SIDE_BUY: null,
  SIDE_SELL: null,
  SIGNATURE_TYPE_ERC1271: null,
};

/** What the design fixes for the contract alone. */
const contractOnly: Readonly<Record<string, bigint>> = {
  MAX_NOTIONAL_USDC_UNITS: 100_000_000_000_000n,
  QUOTE_WINDOW: 600n,
  OPEN_WINDOW: 300n,
  OPEN_ORDER_WINDOW: 120n,
  SALE_ORDER_WINDOW: 60n,
  ATTESTATION_AGE: 30n,
  WRITE_OFF_DELAY: 5_184_000n,
  MAX_BAND_BPS: 2_000n,
  SIDE_BUY: BigInt(OrderSide.Buy),
  SIDE_SELL: BigInt(OrderSide.Sell),
  SIGNATURE_TYPE_ERC1271: BigInt(SignatureType.Erc1271),
};

describe('the numbers of VaultConstants.sol', () => {
  const inSolidity = readConstants();

  it('are all known here, by name', () => {
    assert.deepEqual([...inSolidity.keys()].sort(), Object.keys(counterparts).sort());
  });

  for (const [name, value] of inSolidity) {
    it(name, () => assert.equal(value, counterparts[name] ?? contractOnly[name]));
  }

  it('divide evenly where TypeScript has a share and Solidity a divisor', () => {
    assert.equal(raw(constants.minPartialCloseBps) * (inSolidity.get('MIN_CLOSE_DIVISOR') ?? 0n), 10_000n);
  });
});

describe('every rule of the pricing constants', () => {
  // Rules of quoting, paging and throttling which no contract knows; a new rule has to be put on one of the two sides.
  const serviceOnly = new Set([
    'leverageStepBps',
    'minLeverageBps',
    'leverageBucketsUsdPips',
    'absoluteMinCollateralUsdPips',
    'absoluteMinNotionalUsdPips',
    'minSlippageBps',
    'maxSlippageBps',
    'minFillBps',
    'maxFillBps',
    'fillStepBps',
    'maxPartnerTradingFeeBps',
    'minPricePips',
    'maxPricePips',
    'voidPricePips',
    'shareStepTokenUnits',
    'minPageSize',
    'maxPageSize',
    'defaultPageSize',
    'tokenLifetimeSeconds',
    'maxActiveApiKeys',
    'apiKeyRequestsPerMinute',
    'walletRequestsPerMinute',
    'addressRequestsPerMinute',
    'tokenRequestsPerMinute',
    'sampleEventsIntervalSeconds',
    'quoteRequestsPerSecond',
  ]);
  const own = readFileSync(import.meta.filename, 'utf8');

  for (const name of Object.keys(constants)) {
    it(`${name} is compared, or is the service's alone`, () => {
      assert.notEqual(own.includes(`constants.${name}`), serviceOnly.has(name));
    });
  }
});
