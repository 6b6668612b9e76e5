import {
  collectionIdOf,
  conditionalTokensAbi,
  hashVenueOrder,
  positionIdOf,
  toVenueOrderStruct,
  type VenueOrder,
  venueExchangeAbi,
} from '@core/vault';
import { type Address, erc20Abi, type Hex, keccak256, type PublicClient, parseAbi, zeroAddress, zeroHash } from 'viem';
import type { ExpectedDeployment } from '../deploymentParameters.ts';
import { type DeploymentRow, rowOf } from './deploymentRow.ts';

/** The exchange's own maximum of a fee, above which the vault refuses to be deployed. */
const highestFeeRateBps = 1_000n;

/** Any order and condition: what counts is that both sides name them alike. */
const sampleOrder: VenueOrder = {
  salt: 1n,
  maker: '0x0000000000000000000000000000000000000001',
  signer: '0x0000000000000000000000000000000000000002',
  tokenId: 3n,
  makerAmount: 4n,
  takerAmount: 5n,
  side: 1,
  signatureType: 3,
  timestamp: 6n,
  metadata: `0x${'07'.repeat(32)}`,
  builder: `0x${'08'.repeat(32)}`,
};
const managedAbi = parseAbi([
  'function COLLATERAL_TOKEN() view returns (address)',
  'function POSITION_MANAGER() view returns (address)',
]);
const sampleConditionId: Hex = `0x${'11'.repeat(32)}`;

/** Addresses that an exchange names. */
export interface VenueAddresses {
  readonly usdc: Address;
  readonly conditionalTokens: Address;
  readonly ctfCollateral: Address;
  readonly redeemer: Address;
}

/** The venue as its exchange says now, as the vault's constructor asked. What is unreadable is the zero address. */
export async function readVenueAddresses(client: PublicClient, exchange: Address): Promise<VenueAddresses> {
  const answer = async (
    functionName: 'getCollateral' | 'getCtf' | 'getCtfCollateral' | 'getOutcomeTokenFactory',
  ): Promise<Address> => {
    const found = await tried(client.readContract({ address: exchange, abi: venueExchangeAbi, functionName }));
    return found === 'unreadable' ? zeroAddress : found;
  };
  return {
    usdc: await answer('getCollateral'),
    conditionalTokens: await answer('getCtf'),
    ctfCollateral: await answer('getCtfCollateral'),
    redeemer: await answer('getOutcomeTokenFactory'),
  };
}

/** Facts of USDC, the exchange and ConditionalTokens that the vault relies on. */
export async function readVenue(
  client: PublicClient,
  expected: ExpectedDeployment,
  venue: VenueAddresses,
): Promise<readonly DeploymentRow[]> {
  const { exchange } = expected.deployment;
  const { usdc, conditionalTokens, ctfCollateral } = venue;
  const onExchange = { address: exchange, abi: venueExchangeAbi } as const;
  const onTokens = { address: conditionalTokens, abi: conditionalTokensAbi } as const;
  const collectionId = collectionIdOf({ conditionId: sampleConditionId, indexSet: 1 });
  const maxFee = await tried(client.readContract({ ...onExchange, functionName: 'getMaxFeeRate' }));
  return [
    rowOf(
      'usdc decimals',
      6,
      await tried(client.readContract({ address: usdc, abi: erc20Abi, functionName: 'decimals' })),
    ),
    rowOf(
      `exchange maximum fee of 1 to ${highestFeeRateBps} bps`,
      'kept',
      typeof maxFee === 'bigint' && maxFee > 0n && maxFee <= highestFeeRateBps ? 'kept' : maxFee,
    ),
    rowOf(
      'exchange status of an unknown order',
      [false, 0n],
      await tried(client.readContract({ ...onExchange, functionName: 'getOrderStatus', args: [zeroHash] })),
    ),
    ...(await orderHashRow(client, expected)),
    rowOf(
      'token ids',
      positionIdOf({ collateralToken: ctfCollateral, collectionId }),
      await tried(
        client
          .readContract({ ...onTokens, functionName: 'getCollectionId', args: [zeroHash, sampleConditionId, 1n] })
          .then((found) =>
            client.readContract({ ...onTokens, functionName: 'getPositionId', args: [ctfCollateral, found] }),
          ),
      ),
    ),
    ...(await managedRows(client, expected, usdc)),
    ...(await codeHashRows(client, expected, venue)),
  ];
}

async function orderHashRow(client: PublicClient, { deployment, facts }: ExpectedDeployment): Promise<DeploymentRow[]> {
  if (facts.venueDomain === undefined) return [];
  const chainId = await client.getChainId();
  const found = client.readContract({
    address: deployment.exchange,
    abi: venueExchangeAbi,
    functionName: 'hashOrder',
    args: [toVenueOrderStruct(sampleOrder)],
  });
  const domain = { ...facts.venueDomain, chainId, exchange: deployment.exchange };
  return [rowOf('exchange hash of an order', hashVenueOrder(sampleOrder, domain), await tried(found))];
}

/** Collateral and PositionManager that the contracts of the second ledger name, where there is one. */
async function managedRows(
  client: PublicClient,
  { deployment }: ExpectedDeployment,
  usdc: Address,
): Promise<readonly DeploymentRow[]> {
  const { positionManager, positionRouter, oracleAggregator } = deployment;
  if (positionManager === zeroAddress) return [];
  const named = (address: Address, functionName: 'COLLATERAL_TOKEN' | 'POSITION_MANAGER') =>
    tried(client.readContract({ address, abi: managedAbi, functionName }));
  return [
    rowOf('positionManager collateral', usdc, await named(positionManager, 'COLLATERAL_TOKEN')),
    rowOf('positionRouter collateral', usdc, await named(positionRouter, 'COLLATERAL_TOKEN')),
    rowOf('positionRouter manager', positionManager, await named(positionRouter, 'POSITION_MANAGER')),
    rowOf('oracleAggregator manager', positionManager, await named(oracleAggregator, 'POSITION_MANAGER')),
  ];
}

async function codeHashRows(
  client: PublicClient,
  { deployment, facts }: ExpectedDeployment,
  venue: VenueAddresses,
): Promise<DeploymentRow[]> {
  const wanted: readonly (readonly [string, Address, Hex | undefined])[] = [
    ['usdc', venue.usdc, facts.usdcCodeHash],
    ['exchange', deployment.exchange, facts.exchangeCodeHash],
    ['conditionalTokens', venue.conditionalTokens, facts.conditionalTokensCodeHash],
    ['ctfCollateral', venue.ctfCollateral, facts.ctfCollateralCodeHash],
    ['redeemer', venue.redeemer, facts.redeemerCodeHash],
    ['positionManager', deployment.positionManager, facts.positionManagerCodeHash],
    ['positionRouter', deployment.positionRouter, facts.positionRouterCodeHash],
    ['oracleAggregator', deployment.oracleAggregator, facts.oracleAggregatorCodeHash],
  ];
  const rows: DeploymentRow[] = [];
  for (const [name, address, hash] of wanted) {
    if (hash === undefined) continue;
    const code = await client.getCode({ address });
    rows.push(rowOf(`${name} code hash`, hash, code === undefined ? 'no code' : keccak256(code)));
  }
  return rows;
}

/** Return the answer of a contract, or `unreadable`: a difference like any other, shown in its row. */
export async function tried<T>(answer: Promise<T>): Promise<T | 'unreadable'> {
  try {
    return await answer;
  } catch {
    return 'unreadable';
  }
}
