import { type TokenUnits, tokenUnits, type UsdcUnits, usdcUnits } from '@core/pricing';
import type { Address, Hex, PublicClient } from 'viem';
import { conditionalTokensAbi } from '../generated/conditionalTokensAbi.ts';
import { vaultAbi } from '../generated/vaultAbi.ts';
import { venueExchangeAbi } from '../generated/venueExchangeAbi.ts';
import { type PurposeName, purposeNameOf } from './enumNames.ts';
import { latestBlockOf, type PositionPlace, type PositionTerms, type ReadAt, readTermsAt } from './positionTerms.ts';

/** A position with what it holds and what it has ordered, all at one block. */
export interface ChainPosition extends PositionTerms {
  /** Tokens in the account: those of a fill that is not booked yet included, and what anyone sent there. */
  readonly accountTokenUnits: TokenUnits;
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

/** Facts that never change, as the caller has them from the index. */
interface KnownHolding {
  readonly account: Address;
  readonly conditionId: Hex;
  readonly tokenId: bigint;
}

export interface PositionQuery extends PositionPlace {
  readonly known: KnownHolding;
}

/** Reads everything a decision about a position needs, all at the latest block. A key without a position is `none`. */
export async function readPosition(client: PublicClient, query: PositionQuery): Promise<ChainPosition> {
  const { known } = query;
  const at = await latestBlockOf(client, query);
  const [terms, liveOrder, held] = await Promise.all([
    readTermsAt(at, known),
    readLiveOrder(at),
    client.readContract({
      address: at.contracts.conditionalTokens,
      abi: conditionalTokensAbi,
      blockNumber: at.blockNumber,
      functionName: 'balanceOf',
      args: [known.account, known.tokenId],
    }),
  ]);
  return { ...terms, accountTokenUnits: tokenUnits(held), liveOrder };
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
