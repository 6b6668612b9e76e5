import {
  type PricePips,
  pricePips,
  type RateBps,
  rateBps,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import type { Address, Hex, PublicClient } from 'viem';
import { vaultAbi } from '../generated/vaultAbi.ts';
import { venueExchangeAbi } from '../generated/venueExchangeAbi.ts';
import { type LedgerContracts, readIsDecided } from '../market/readOutcome.ts';
import { type PositionStateName, positionStateNameOf } from './enumNames.ts';

/** State and debt of a position on chain at one block. Instants are epoch milliseconds of the chain's clock. */
export interface PositionTerms extends PositionOutcome {
  readonly positionKey: Hex;
  readonly blockNumber: bigint;
  readonly blockTimeMs: number;
  readonly state: PositionStateName;
  readonly isCancelRequested: boolean;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly collateralUsdcUnits: UsdcUnits;
  /** USDC spent by ended opening orders. */
  readonly filledUsdcUnits: UsdcUnits;
  /** Tokens that the owner requested to sell; zero without a request. */
  readonly closeTokenUnits: TokenUnits;
  readonly closeMinPricePips: PricePips;
  /** Tokens booked by the vault: the maximum that a sale of the position may sell. */
  readonly bookedTokenUnits: TokenUnits;
  /** Principal owed at this block. */
  readonly principalUsdcUnits: UsdcUnits;
  /** Principal and fees owed at this block. */
  readonly debtUsdcUnits: UsdcUnits;
  /** Time of the last change of the principal: the position has had debt since then at least. */
  readonly owesSinceMs: number;
  /** Highest mark at which the position may be liquidated; 0 without debt. */
  readonly liquidationPricePips: PricePips;
  /** Maximum fee rate of the exchange, of the money traded; 0 when it has none. The vault covers sales with it. */
  readonly maxVenueFeeBps: RateBps;
  /** True when the result of the outcome is known: it is settled then, and no order is given any more. */
  readonly isDecided: boolean;
}

/** Outcome of a position; all zero while there is no position. */
export interface PositionOutcome {
  /** Number of the outcome in the vault's registry. */
  readonly outcomeId: number;
  /** Market, identified by its condition id. */
  readonly conditionId: Hex;
  readonly tokenId: bigint;
}

/** Contracts that a position depends on. */
export interface PositionContracts extends LedgerContracts {
  readonly vault: Address;
  readonly exchange: Address;
}

/** Position on a set of contracts. */
export interface PositionPlace {
  readonly contracts: PositionContracts;
  readonly positionKey: Hex;
}

/** Position and block of a read. */
export interface ReadAt extends PositionPlace {
  readonly client: PublicClient;
  readonly blockNumber: bigint;
  readonly blockTimeMs: number;
}

/** Return the latest block, at which a read of several calls is made. */
export async function latestBlockOf(client: PublicClient, { contracts, positionKey }: PositionPlace): Promise<ReadAt> {
  const { number, timestamp } = await client.getBlock({ blockTag: 'latest' });
  return { client, contracts, positionKey, blockNumber: number, blockTimeMs: Number(timestamp) * 1_000 };
}

export interface PositionTermsQuery extends PositionPlace {
  /**
   * Outcome from an earlier read. It saves two round trips and is not trusted: the registry is read at the same block,
   * and when it differs the terms are read without it.
   */
  readonly expected?: PositionOutcome;
}

/**
 * Read state and debt of a position at the latest block. A key without a position has the state `none`.
 * @throws Error when the outcome's ledger does not say whether it is decided, or the client's error.
 */
export async function readPositionTerms(client: PublicClient, query: PositionTermsQuery): Promise<PositionTerms> {
  const { expected } = query;
  const at = await latestBlockOf(client, query);
  if (expected !== undefined) {
    const [terms, registered] = await Promise.all([readTermsAt(at, expected), readOutcome(at, expected.outcomeId)]);
    const { outcomeId, conditionId, tokenId } = terms;
    const isSame = registered.conditionId === conditionId && registered.tokenId === tokenId;
    if (outcomeId === expected.outcomeId && isSame) return terms;
  }
  const { outcomeId } = await readStored(at);
  return readTermsAt(at, await readOutcome(at, outcomeId));
}

/**
 * Read the terms of a position with a known outcome, at a given block.
 * @throws Error when the outcome's ledger does not say whether it is decided, or the client's error.
 */
export async function readTermsAt(
  at: ReadAt,
  { conditionId, tokenId }: Pick<PositionOutcome, 'conditionId' | 'tokenId'>,
): Promise<PositionTerms> {
  const { client, contracts, positionKey, blockNumber, blockTimeMs } = at;
  const vault = { address: contracts.vault, abi: vaultAbi, blockNumber, args: [positionKey] } as const;
  const [position, debt, liquidationPrice, maxVenueFee, isDecided] = await Promise.all([
    readStored(at),
    client.readContract({ ...vault, functionName: 'debtOf' }),
    client.readContract({ ...vault, functionName: 'liquidationPriceOf' }),
    client.readContract({
      address: contracts.exchange,
      abi: venueExchangeAbi,
      blockNumber,
      functionName: 'getMaxFeeRate',
    }),
    readIsDecided(client, { contracts, conditionId, tokenId, blockNumber }),
  ]);
  return {
    positionKey,
    blockNumber,
    blockTimeMs,
    state: positionStateNameOf(position.state),
    outcomeId: position.outcomeId,
    conditionId,
    tokenId,
    isCancelRequested: position.cancelRequested,
    notionalUsdcUnits: usdcUnits(position.notionalUsdcUnits),
    collateralUsdcUnits: usdcUnits(position.collateralUsdcUnits),
    filledUsdcUnits: usdcUnits(position.filledUsdcUnits),
    closeTokenUnits: tokenUnits(position.closeTokenUnits),
    closeMinPricePips: pricePips(BigInt(position.closeMinPricePips)),
    bookedTokenUnits: tokenUnits(position.tokenUnits),
    principalUsdcUnits: usdcUnits(debt[0]),
    debtUsdcUnits: usdcUnits(debt[0] + debt[1]),
    owesSinceMs: position.since * 1_000,
    liquidationPricePips: pricePips(liquidationPrice),
    maxVenueFeeBps: rateBps(maxVenueFee),
    isDecided,
  };
}

function readStored({ client, contracts, positionKey, blockNumber }: ReadAt) {
  const vault = { address: contracts.vault, abi: vaultAbi, blockNumber } as const;
  return client.readContract({ ...vault, functionName: 'positionOf', args: [positionKey] });
}

async function readOutcome({ client, contracts, blockNumber }: ReadAt, outcomeId: number) {
  const vault = { address: contracts.vault, abi: vaultAbi, blockNumber } as const;
  return client.readContract({ ...vault, functionName: 'outcomeOf', args: [outcomeId] });
}
