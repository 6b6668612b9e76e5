import { type PricePips, pricePips, type TokenUnits, tokenUnits, type UsdcUnits, usdcUnits } from '@core/pricing';
import type { Address, Hex, PublicClient } from 'viem';
import { conditionalTokensAbi } from '../generated/conditionalTokensAbi.ts';
import { vaultAbi } from '../generated/vaultAbi.ts';
import { type PositionStateName, positionStateNameOf } from './enumNames.ts';

/**
 * What a position is and owes, as the chain has it at one block. Instants are epoch milliseconds of the chain's clock.
 */
export interface PositionTerms extends PositionOutcome {
  readonly positionKey: Hex;
  readonly blockNumber: bigint;
  readonly blockTimeMs: number;
  readonly state: PositionStateName;
  readonly isCancelRequested: boolean;
  readonly notionalUsdcUnits: UsdcUnits;
  /** Spent by ended opening orders. */
  readonly filledUsdcUnits: UsdcUnits;
  /** What the owner asked to sell; zero when nothing. */
  readonly closeTokenUnits: TokenUnits;
  readonly closeMinPricePips: PricePips;
  /** Tokens that the vault has booked: what a sale of the position may sell. */
  readonly bookedTokenUnits: TokenUnits;
  /** Principal owed at this block. */
  readonly principalUsdcUnits: UsdcUnits;
  /** Principal and fees owed at this block. */
  readonly debtUsdcUnits: UsdcUnits;
  /** When the principal last changed: the position has owed since then at least. */
  readonly owesSinceMs: number;
  /** A mark at or below it may be liquidated; 0 without debt. */
  readonly liquidationPricePips: PricePips;
  /** 0 until payouts are reported. */
  readonly payoutDenominator: bigint;
}

/** What a position is in; all zero while there is no position. */
export interface PositionOutcome {
  /** Its number in the vault's registry. */
  readonly outcomeId: number;
  /** The market, which is its condition id. */
  readonly conditionId: Hex;
  readonly tokenId: bigint;
}

/** The contracts that know of a position. */
export interface PositionContracts {
  readonly vault: Address;
  readonly conditionalTokens: Address;
  readonly exchange: Address;
}

/** A position of some contracts. */
export interface PositionPlace {
  readonly contracts: PositionContracts;
  readonly positionKey: Hex;
}

/** Where and at which block everything is read. */
export interface ReadAt extends PositionPlace {
  readonly client: PublicClient;
  readonly blockNumber: bigint;
  readonly blockTimeMs: number;
}

/** The latest block, for reads that are all of it. */
export async function latestBlockOf(client: PublicClient, { contracts, positionKey }: PositionPlace): Promise<ReadAt> {
  const { number, timestamp } = await client.getBlock({ blockTag: 'latest' });
  return { client, contracts, positionKey, blockNumber: number, blockTimeMs: Number(timestamp) * 1_000 };
}

export interface PositionTermsQuery extends PositionPlace {
  /**
   * The outcome as an earlier read had it. It saves two round trips and is not believed: the registry is asked for it
   * at the same block, and where the chain says otherwise the terms are read as without it.
   */
  readonly expected?: PositionOutcome;
}

/** Reads what a position is and owes, all at the latest block. A key without a position is `none`. */
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

/** Reads the terms of a position whose outcome the caller knows, at a block. */
export async function readTermsAt(
  at: ReadAt,
  { conditionId, tokenId }: Pick<PositionOutcome, 'conditionId' | 'tokenId'>,
): Promise<PositionTerms> {
  const { client, contracts, positionKey, blockNumber, blockTimeMs } = at;
  const vault = { address: contracts.vault, abi: vaultAbi, blockNumber, args: [positionKey] } as const;
  const [position, debt, liquidationPrice, payoutDenominator] = await Promise.all([
    readStored(at),
    client.readContract({ ...vault, functionName: 'debtOf' }),
    client.readContract({ ...vault, functionName: 'liquidationPriceOf' }),
    client.readContract({
      address: contracts.conditionalTokens,
      abi: conditionalTokensAbi,
      blockNumber,
      functionName: 'payoutDenominator',
      args: [conditionId],
    }),
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
    filledUsdcUnits: usdcUnits(position.filledUsdcUnits),
    closeTokenUnits: tokenUnits(position.closeTokenUnits),
    closeMinPricePips: pricePips(BigInt(position.closeMinPricePips)),
    bookedTokenUnits: tokenUnits(position.tokenUnits),
    principalUsdcUnits: usdcUnits(debt[0]),
    debtUsdcUnits: usdcUnits(debt[0] + debt[1]),
    owesSinceMs: position.since * 1_000,
    liquidationPricePips: pricePips(liquidationPrice),
    payoutDenominator,
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
