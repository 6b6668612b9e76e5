import { type PricePips, pricePips, type TokenUnits, tokenUnits, type UsdcUnits, usdcUnits } from '@core/pricing';
import type { Address, Hex, PublicClient } from 'viem';
import { conditionalTokensAbi } from '../generated/conditionalTokensAbi.ts';
import { vaultAbi } from '../generated/vaultAbi.ts';
import { venueExchangeAbi } from '../generated/venueExchangeAbi.ts';
import { type PositionStateName, type PurposeName, positionStateNameOf, purposeNameOf } from './enumNames.ts';

/** A position as the chain has it at one block. Instants are epoch milliseconds of the chain's clock. */
export interface ChainPosition {
  readonly positionKey: Hex;
  readonly blockNumber: bigint;
  readonly blockTimeMs: number;
  readonly state: PositionStateName;
  /** The market, which is its condition id; zero while there is no position. */
  readonly conditionId: Hex;
  readonly tokenId: bigint;
  readonly isCancelRequested: boolean;
  readonly notionalUsdcUnits: UsdcUnits;
  /** Spent by ended opening orders. */
  readonly filledUsdcUnits: UsdcUnits;
  /** What the owner asked to sell; zero when nothing. */
  readonly closeTokenUnits: TokenUnits;
  readonly closeMinPricePips: PricePips;
  /** Tokens that the vault has booked: what a sale of the position may sell. */
  readonly bookedTokenUnits: TokenUnits;
  /** Tokens in the account: those of a fill that is not booked yet included, and what anyone sent there. */
  readonly accountTokenUnits: TokenUnits;
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
  readonly liveOrder: ChainOrder | null;
}

/** The live order of a position. What was filled is what the exchange says, in what the order gives. */
export type ChainOrder = {
  readonly orderHash: Hex;
  readonly validUntilMs: number;
} & (
  | { readonly purpose: 'open'; readonly filledUsdcUnits: UsdcUnits }
  | { readonly purpose: Exclude<PurposeName, 'none' | 'open'>; readonly filledTokenUnits: TokenUnits }
);

/** The contracts that know of a position. */
export interface PositionContracts {
  readonly vault: Address;
  readonly conditionalTokens: Address;
  readonly exchange: Address;
}

export interface PositionQuery {
  readonly contracts: PositionContracts;
  readonly positionKey: Hex;
  /** Facts that never change, for a caller that has them: without them they are read first. */
  readonly known?: { readonly account: Address; readonly conditionId: Hex; readonly tokenId: bigint };
}

/** Reads everything a decision about a position needs, all at the latest block. A key without a position is `none`. */
export async function readPosition(client: PublicClient, query: PositionQuery): Promise<ChainPosition> {
  const { contracts, positionKey, known } = query;
  const block = await client.getBlock({ blockTag: 'latest' });
  const at: ReadAt = { client, contracts, positionKey, blockNumber: block.number };
  const vault = { address: contracts.vault, abi: vaultAbi, blockNumber: block.number, args: [positionKey] } as const;
  const stored = client.readContract({ ...vault, functionName: 'positionOf' });
  const [position, debt, liquidationPrice, liveOrder, tokens] = await Promise.all([
    stored,
    client.readContract({ ...vault, functionName: 'debtOf' }),
    client.readContract({ ...vault, functionName: 'liquidationPriceOf' }),
    readLiveOrder(at),
    known === undefined
      ? stored.then(({ outcomeId }) => readHolding(at, outcomeId)).then((holding) => readTokens(at, holding))
      : readTokens(at, known),
  ]);
  return {
    positionKey,
    blockNumber: block.number,
    blockTimeMs: Number(block.timestamp) * 1_000,
    state: positionStateNameOf(position.state),
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
    liveOrder,
    ...tokens,
  };
}

interface ReadAt extends Pick<PositionQuery, 'contracts' | 'positionKey'> {
  readonly client: PublicClient;
  readonly blockNumber: bigint;
}

/** Which token lies in which account. */
type Holding = NonNullable<PositionQuery['known']>;

async function readHolding(at: ReadAt, outcomeId: number): Promise<Holding> {
  const vault = { address: at.contracts.vault, abi: vaultAbi, blockNumber: at.blockNumber } as const;
  const [account, { conditionId, tokenId }] = await Promise.all([
    at.client.readContract({ ...vault, functionName: 'accountOf', args: [at.positionKey] }),
    at.client.readContract({ ...vault, functionName: 'outcomeOf', args: [outcomeId] }),
  ]);
  return { account, conditionId, tokenId };
}

async function readTokens(at: ReadAt, { account, conditionId, tokenId }: Holding) {
  const tokens = {
    address: at.contracts.conditionalTokens,
    abi: conditionalTokensAbi,
    blockNumber: at.blockNumber,
  } as const;
  const [held, payoutDenominator] = await Promise.all([
    at.client.readContract({ ...tokens, functionName: 'balanceOf', args: [account, tokenId] }),
    at.client.readContract({ ...tokens, functionName: 'payoutDenominator', args: [conditionId] }),
  ]);
  return { conditionId, tokenId, accountTokenUnits: tokenUnits(held), payoutDenominator };
}

async function readLiveOrder(at: ReadAt): Promise<ChainOrder | null> {
  const order = await at.client.readContract({
    address: at.contracts.vault,
    abi: vaultAbi,
    blockNumber: at.blockNumber,
    functionName: 'liveOrderOf',
    args: [at.positionKey],
  });
  const purpose = purposeNameOf(order.purpose);
  if (purpose === 'none') return null;
  const status = await at.client.readContract({
    address: at.contracts.exchange,
    abi: venueExchangeAbi,
    blockNumber: at.blockNumber,
    functionName: 'getOrderStatus',
    args: [order.orderHash],
  });
  const live = { orderHash: order.orderHash, validUntilMs: order.validUntil * 1_000 };
  const filled = filledMakerAmountOf(status, order.makerAmount);
  return purpose === 'open'
    ? { ...live, purpose, filledUsdcUnits: usdcUnits(filled) }
    : { ...live, purpose, filledTokenUnits: tokenUnits(filled) };
}

/** `(false, 0)` is an unused order; otherwise what is not remaining was filled. */
function filledMakerAmountOf([isFilled, remaining]: readonly [boolean, bigint], makerAmount: bigint): bigint {
  if (isFilled) return makerAmount;
  return remaining === 0n || remaining > makerAmount ? 0n : makerAmount - remaining;
}
