import { type TokenUnits, tokenUnits, type UsdcUnits, usdcUnits } from '@core/pricing';
import { type Address, type Hex, type PublicClient, zeroHash } from 'viem';
import { vaultAbi } from '../generated/vaultAbi.ts';
import { venueExchangeAbi } from '../generated/venueExchangeAbi.ts';
import { readTokenUnits } from '../market/readOutcome.ts';
import { type PurposeName, purposeNameOf } from './enumNames.ts';
import { latestBlockOf, type PositionPlace, type PositionTerms, type ReadAt, readTermsAt } from './positionTerms.ts';

/** Position with its tokens and its live order, all at one block. */
export interface ChainPosition extends PositionTerms {
  /** Tokens in the account, including those of an unbooked fill and transfers from anyone. */
  readonly accountTokenUnits: TokenUnits;
  readonly liveOrder: ChainOrder | null;
}

/**
 * Live order of a position, or its grant with a zero hash. The filled amount is the exchange's, or the vault's of a
 * grant, in the asset that the position gives.
 */
export type ChainOrder = {
  readonly orderHash: Hex;
  readonly validUntilMs: number;
  /** True when the exchange fills the order no further: it was filled completely or cancelled. */
  readonly isOver: boolean;
} & (
  | { readonly purpose: 'open'; readonly filledUsdcUnits: UsdcUnits }
  | { readonly purpose: Exclude<PurposeName, 'none' | 'open'>; readonly filledTokenUnits: TokenUnits }
);

/** Constant facts of a position, from the caller's index. */
interface KnownHolding {
  readonly account: Address;
  readonly conditionId: Hex;
  readonly tokenId: bigint;
}

export interface PositionQuery extends PositionPlace {
  readonly known: KnownHolding;
}

/**
 * Read everything that a decision about a position needs, all at the latest block. A key without a position has the
 * state `none`.
 *
 * @throws Error when the outcome's ledger does not say whether it is decided, or the client's error.
 */
export async function readPosition(client: PublicClient, query: PositionQuery): Promise<ChainPosition> {
  const { known } = query;
  const at = await latestBlockOf(client, query);
  const { contracts, blockNumber } = at;
  const [terms, liveOrder, accountTokenUnits] = await Promise.all([
    readTermsAt(at, known),
    readLiveOrder(at),
    readTokenUnits(client, { contracts, blockNumber, owner: known.account, tokenId: known.tokenId }),
  ]);
  return { ...terms, accountTokenUnits, liveOrder };
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
  // A grant has no order at the exchange.
  if (order.orderHash === zeroHash) return readGrant(at, purpose);
  const status = await at.client.readContract({
    address: at.contracts.exchange,
    abi: venueExchangeAbi,
    blockNumber: at.blockNumber,
    functionName: 'getOrderStatus',
    args: [order.orderHash],
  });
  const [isOver] = status;
  const live = { orderHash: order.orderHash, validUntilMs: order.validUntil * 1_000, isOver };
  const filledAmount = filledMakerAmountOf(status, order.makerAmount);
  return orderOf(live, purpose, filledAmount);
}

/** Read the outstanding grant of a position. Its last fill ends it in the same call, so that it is never over. */
async function readGrant(at: ReadAt, purpose: Exclude<PurposeName, 'none'>): Promise<ChainOrder> {
  const grant = await at.client.readContract({
    address: at.contracts.vault,
    abi: vaultAbi,
    blockNumber: at.blockNumber,
    functionName: 'grantOf',
    args: [at.positionKey],
  });
  const live = { orderHash: zeroHash, validUntilMs: grant.endsAt * 1_000, isOver: false } as const;
  return orderOf(live, purpose, grant.filledUnits);
}

/** Return an outstanding order with its filled maker amount: USDC units of an opening, token units of a sale. */
function orderOf(
  live: Pick<ChainOrder, 'orderHash' | 'validUntilMs' | 'isOver'>,
  purpose: ChainOrder['purpose'],
  filledUnits: bigint,
): ChainOrder {
  return purpose === 'open'
    ? { ...live, purpose, filledUsdcUnits: usdcUnits(filledUnits) }
    : { ...live, purpose, filledTokenUnits: tokenUnits(filledUnits) };
}

/** Return the filled amount. `(false, 0)` is an unused order; otherwise the amount that is not remaining was filled. */
function filledMakerAmountOf([isFilled, remaining]: readonly [boolean, bigint], makerAmount: bigint): bigint {
  if (isFilled) return makerAmount;
  return remaining === 0n || remaining > makerAmount ? 0n : makerAmount - remaining;
}
