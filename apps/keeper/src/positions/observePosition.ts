import type { PolicyConfig, Route } from '@core/policy';
import type { Position, PositionObservation } from '@core/position';
import { type PricePips, type UsdcUnits, usdcUnits } from '@core/pricing';
import { type ChainPosition, type PositionContracts, readPosition, tokenRouteOf } from '@core/vault';
import { type Address, erc20Abi, type PublicClient } from 'viem';
import { chainFault } from '../transactions/chainFault.ts';
import type { PositionInputs } from '../transactions/intents.ts';
import type { DuePositions } from './duePositions.ts';
import { observationOf, type PositionReadings, positionMarketOf } from './observationOf.ts';
import { type DebtFeed, unwindAdviceOf } from './unwindAdvice.ts';

/** Complete observation of a position: every input of its decision and action, except the book. */
export interface ObservedPosition extends PositionReadings {
  readonly observation: PositionObservation;
}

export interface ObserverDependencies {
  readonly chain: {
    readonly client: PublicClient;
    readonly contracts: PositionContracts & { readonly usdc: Address };
  };
  readonly feed: DebtFeed & { markOf(tokenId: string): PricePips | null };
  readonly due: Pick<DuePositions, 'refusalOf'>;
  readonly policy: PolicyConfig;
  readonly route: Route;
}

/**
 * Observe a position on chain, beside what is stored of it. Null when the node is behind a block with an effect of
 * ours: acting on its answer would repeat that effect.
 */
export async function observePosition(
  dependencies: ObserverDependencies,
  { record, market, intents }: PositionInputs,
): Promise<ObservedPosition | null> {
  const { chain: source, feed } = dependencies;
  const chain = await readPosition(source.client, {
    contracts: source.contracts,
    positionKey: record.positionKey,
    known: {
      account: record.accountAddress,
      tokenId: BigInt(record.venueTokenId),
      conditionId: record.venueMarketId,
    },
  }).catch((cause: unknown) => {
    throw chainFault(`${record.positionKey} cannot be read`, cause);
  });
  const accountUsdcUnits = await cashOf(source, record, chain);
  if (intents.some(({ blockNumber }) => blockNumber !== null && blockNumber > chain.blockNumber)) return null;
  const markPricePips = feed.markOf(record.venueTokenId);
  const readings = { record, market: positionMarketOf(market), chain, intents, accountUsdcUnits, markPricePips };
  return observedOf(dependencies, readings);
}

/** Build the observation of readings. */
export function observedOf(
  { feed, due, policy, route }: Omit<ObserverDependencies, 'chain'>,
  readings: PositionReadings,
): ObservedPosition {
  const ownRoute = tokenRouteOf(route, readings.record.venueTokenId);
  const advice = unwindAdviceOf(readings, { feed, policy, route: ownRoute });
  const refusal = due.refusalOf(readings.record.positionKey);
  return { ...readings, observation: observationOf(readings, { advice, refusal }) };
}

/** Read the cash of a position's account, which only an opening uses. */
async function cashOf(
  { client, contracts }: ObserverDependencies['chain'],
  { positionKey, accountAddress }: Position,
  { state, blockNumber }: ChainPosition,
): Promise<UsdcUnits> {
  if (state !== 'pending') return usdcUnits(0n);
  const balance = { address: contracts.usdc, abi: erc20Abi, functionName: 'balanceOf', blockNumber } as const;
  try {
    return usdcUnits(await client.readContract({ ...balance, args: [accountAddress] }));
  } catch (cause) {
    throw chainFault(`the cash of ${positionKey} cannot be read`, cause);
  }
}
