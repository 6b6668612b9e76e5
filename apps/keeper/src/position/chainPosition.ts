import { type OrderPurpose, orderPurposes, type PositionStateName, positionStates } from '@core/policy';
import { conditionalTokensAbi, vaultAbi, venueExchangeAbi } from '@core/vault';
import type { Address, Hex, PublicClient } from 'viem';
import type { KeeperContracts } from '../ports.ts';

/** A position as the chain has it at one block. Amounts are the contract's own bigints, instants epoch milliseconds. */
export interface ChainPosition {
  readonly blockNumber: bigint;
  readonly blockTimeMs: number;
  readonly state: PositionStateName;
  readonly isCancelRequested: boolean;
  readonly filledUsdcUnits: bigint;
  readonly closeTokenUnits: bigint;
  readonly closeMinPricePips: bigint;
  readonly bookedTokenUnits: bigint;
  /** Tokens in the account. */
  readonly heldTokenUnits: bigint;
  readonly debtUsdcUnits: bigint;
  /** A mark at or below it may be liquidated; 0 without debt. */
  readonly liquidationPricePips: bigint;
  readonly payoutDenominator: bigint;
  readonly liveOrder: ChainOrder | null;
}

export interface ChainOrder {
  readonly orderHash: Hex;
  readonly purpose: OrderPurpose;
  readonly makerAmount: bigint;
  readonly validUntilMs: number;
  /** What the exchange says was filled of the maker's amount. */
  readonly filledMakerAmount: bigint;
}

/** Reads everything a decision needs at the latest block, all at that block. */
export async function readChainPosition(parameters: {
  readonly client: PublicClient;
  readonly contracts: KeeperContracts;
  readonly positionKey: Hex;
  readonly account: Address;
  readonly tokenId: bigint;
  readonly conditionId: Hex;
}): Promise<ChainPosition> {
  const { client, contracts, positionKey, account, tokenId, conditionId } = parameters;
  const block = await client.getBlock({ blockTag: 'latest' });
  const at = { blockNumber: block.number } as const;
  const vault = { address: contracts.vault, abi: vaultAbi, ...at } as const;
  const tokens = { address: contracts.conditionalTokens, abi: conditionalTokensAbi, ...at } as const;
  const [position, order, debt, liquidationPrice, held, payoutDenominator] = await Promise.all([
    client.readContract({ ...vault, functionName: 'positionOf', args: [positionKey] }),
    client.readContract({ ...vault, functionName: 'liveOrderOf', args: [positionKey] }),
    client.readContract({ ...vault, functionName: 'debtOf', args: [positionKey] }),
    client.readContract({ ...vault, functionName: 'liquidationPriceOf', args: [positionKey] }),
    client.readContract({ ...tokens, functionName: 'balanceOf', args: [account, tokenId] }),
    client.readContract({ ...tokens, functionName: 'payoutDenominator', args: [conditionId] }),
  ]);
  const purpose = orderPurposes[order.purpose] ?? 'none';
  const status =
    purpose === 'none'
      ? null
      : await client.readContract({
          address: contracts.exchange,
          abi: venueExchangeAbi,
          ...at,
          functionName: 'getOrderStatus',
          args: [order.orderHash],
        });
  return {
    blockNumber: block.number,
    blockTimeMs: Number(block.timestamp) * 1_000,
    state: positionStates[position.state] ?? 'none',
    isCancelRequested: position.cancelRequested,
    filledUsdcUnits: BigInt(position.filledUsdcUnits),
    closeTokenUnits: position.closeTokenUnits,
    closeMinPricePips: BigInt(position.closeMinPricePips),
    bookedTokenUnits: position.tokenUnits,
    heldTokenUnits: held,
    debtUsdcUnits: debt[0] + debt[1],
    liquidationPricePips: liquidationPrice,
    payoutDenominator,
    liveOrder:
      status === null
        ? null
        : {
            orderHash: order.orderHash,
            purpose,
            makerAmount: order.makerAmount,
            validUntilMs: order.validUntil * 1_000,
            filledMakerAmount: filledOf(status, order.makerAmount),
          },
  };
}

/** `(false, 0)` is an order nobody touched; otherwise what is not remaining was filled. */
function filledOf([isFilled, remaining]: readonly [boolean, bigint], makerAmount: bigint): bigint {
  if (isFilled) {
    return makerAmount;
  }
  return remaining === 0n || remaining > makerAmount ? 0n : makerAmount - remaining;
}
