import { leverageBps, pricePips, tokenUnits, usdcUnits } from '@core/pricing';
import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi, zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { PositionState, Purpose } from '../generated/enums.ts';
import { liquidityPoolAbi } from '../generated/liquidityPoolAbi.ts';
import { vaultAbi } from '../generated/vaultAbi.ts';
import { decodeVaultLog } from './decodeVaultLog.ts';

const contracts = { vault: `0x${'aa'.repeat(20)}`, pool: `0x${'bb'.repeat(20)}` } as const;
const positionKey: Hex = `0x${'11'.repeat(32)}`;
const user = `0x${'cc'.repeat(20)}` as const;

test('numbers with a unit in their name become quantities, nested ones too', () => {
  const distribution = {
    proceedsUsdcUnits: 1n,
    principalUsdcUnits: 2n,
    lifetimeFeeUsdcUnits: 3n,
    liquidationFeeUsdcUnits: 4n,
    recoveredUsdcUnits: 5n,
    userUsdcUnits: 6n,
    badDebtUsdcUnits: 7n,
  };
  const event = vaultAbi.find((entry) => entry.type === 'event' && entry.name === 'PositionReduced');
  if (event === undefined || event.type !== 'event') throw new Error('the ABI lacks PositionReduced');
  const log = {
    address: `0x${'AA'.repeat(20)}` as const,
    topics: encodeEventTopics({
      abi: vaultAbi,
      eventName: 'PositionReduced',
      args: { positionKey, user, purpose: Purpose.Unwind },
    }) as Hex[],
    data: encodeAbiParameters(
      event.inputs.filter((input) => !input.indexed),
      [PositionState.Open, 8n, 9n, distribution] as never,
    ),
  };
  const decoded = decodeVaultLog(log, contracts);
  expect(decoded).toMatchObject({ source: 'vault', name: 'PositionReduced' });
  if (decoded?.name !== 'PositionReduced') throw new Error('another event');
  expect(decoded.args.purpose).toBe(Purpose.Unwind);
  expect(decoded.args.state).toBe(PositionState.Open);
  expect(decoded.args.soldTokenUnits).toEqual(tokenUnits(8n));
  expect(decoded.args.distribution.userUsdcUnits).toEqual(usdcUnits(6n));
});

test('small integers become bigints when they are quantities and stay numbers otherwise', () => {
  const event = vaultAbi.find((entry) => entry.type === 'event' && entry.name === 'PositionCreated');
  if (event === undefined || event.type !== 'event') throw new Error('the ABI lacks PositionCreated');
  const request = {
    positionSeed: `0x${'01'.repeat(16)}`,
    venueMarketId: `0x${'02'.repeat(32)}`,
    venueTokenId: 3n,
    collateralUsdcUnits: 4n,
    leverageBps: 20000,
    notionalUsdcUnits: 5n,
    originationFeeBps: 6,
    lifetimeFeeAprBps: 7,
    liquidationFeeBps: 8,
    signatureExpiry: 9n,
    venueFeeUsdcUnits: 10n,
    minPositionTokenUnits: 11n,
    maxLiquidationPricePips: 12,
    minFillBps: 13,
  };
  const decoded = decodeVaultLog(
    {
      address: contracts.vault,
      topics: encodeEventTopics({
        abi: vaultAbi,
        eventName: 'PositionCreated',
        args: { positionKey, user, outcomeId: 5 },
      }) as Hex[],
      data: encodeAbiParameters(
        event.inputs.filter((input) => !input.indexed),
        [zeroAddress, 1n, request] as never,
      ),
    },
    contracts,
  );
  if (decoded?.name !== 'PositionCreated') throw new Error('another event');
  expect(decoded.args.outcomeId).toBe(5);
  expect(decoded.args.request.leverageBps).toEqual(leverageBps(20000n));
  expect(decoded.args.request.maxLiquidationPricePips).toEqual(pricePips(12n));
  expect(decoded.args.request.signatureExpiry).toBe(9n);
});

test('decodes the registration of an outcome of the PositionManager', () => {
  const conditionId: Hex = `0x01${'ab'.repeat(16)}${'00'.repeat(15)}`;
  const args = { outcomeId: 7, conditionId, tokenId: BigInt(conditionId) | 1n };
  const log = {
    address: contracts.vault,
    topics: encodeEventTopics({ abi: vaultAbi, eventName: 'ManagedOutcomeRegistered', args }) as Hex[],
    data: encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [user, 2n]),
  };
  const decoded = decodeVaultLog(log, contracts);
  if (decoded?.name !== 'ManagedOutcomeRegistered') throw new Error('another event');
  expect(decoded).toMatchObject({ source: 'vault', args: { ...args, indexSet: 2n } });
  expect(decoded.args.module.toLowerCase()).toBe(user);
});

test('returns null for other contracts and unknown events', () => {
  const foreign = encodeEventTopics({
    abi: parseAbi(['event Something(address indexed from, uint256 value)']),
    args: { from: user },
  }) as Hex[];
  const data = encodeAbiParameters([{ type: 'uint256' }], [1n]);
  expect(decodeVaultLog({ address: contracts.pool, topics: foreign, data }, contracts)).toBeNull();
  expect(decodeVaultLog({ address: contracts.vault, topics: [], data }, contracts)).toBeNull();
  const funded = encodeEventTopics({ abi: liquidityPoolAbi, eventName: 'ReserveFunded', args: { from: user } });
  const log = { topics: funded as Hex[], data };
  expect(decodeVaultLog({ ...log, address: user }, contracts)).toBeNull();
  expect(decodeVaultLog({ ...log, address: contracts.pool }, contracts)).toEqual({
    source: 'pool',
    name: 'ReserveFunded',
    args: { from: expect.stringMatching(/^0x/), usdcUnits: 1n },
  });
});
