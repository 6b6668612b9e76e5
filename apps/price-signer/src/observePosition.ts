import { type PricePips, pricePips, type TokenUnits, tokenUnits, type UsdcUnits, usdcUnits } from '@core/pricing';
import { conditionalTokensAbi, type PositionState, vaultAbi } from '@core/vault';
import type { Address, Hex, PublicClient } from 'viem';

/** What the signer reads of a position on chain, all at one block. */
export interface ObservedPosition {
  readonly positionKey: Hex;
  /** Unix seconds of the block that was read. */
  readonly blockTimeSeconds: bigint;
  readonly state: PositionState;
  readonly marketId: Hex;
  readonly tokenId: bigint;
  /** Payouts are reported: the tokens are redeemed, no longer sold. */
  readonly isResolved: boolean;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly filledUsdcUnits: UsdcUnits;
  readonly heldTokenUnits: TokenUnits;
  /** What the owner asked to sell; zero when nothing. */
  readonly closeTokenUnits: TokenUnits;
  readonly debtUsdcUnits: UsdcUnits;
  readonly liquidationPricePips: PricePips;
  readonly isCancelRequested: boolean;
}

/**
 * Reads a position from the vault itself: the signer believes nobody's word about it. All calls are made at the latest
 * block, whose time also bounds the attestation's `observedAt`.
 */
export async function observePosition(parameters: {
  readonly client: PublicClient;
  readonly vault: Address;
  readonly conditionalTokens: Address;
  readonly positionKey: Hex;
}): Promise<ObservedPosition> {
  const { client, vault, conditionalTokens, positionKey } = parameters;
  const block = await client.getBlock({ blockTag: 'latest' });
  const at = { address: vault, abi: vaultAbi, blockNumber: block.number } as const;
  const [position, debt, liquidationPrice] = await Promise.all([
    client.readContract({ ...at, functionName: 'positionOf', args: [positionKey] }),
    client.readContract({ ...at, functionName: 'debtOf', args: [positionKey] }),
    client.readContract({ ...at, functionName: 'liquidationPriceOf', args: [positionKey] }),
  ]);
  const outcome = await client.readContract({ ...at, functionName: 'outcomeOf', args: [position.outcomeId] });
  const payoutDenominator = await client.readContract({
    address: conditionalTokens,
    abi: conditionalTokensAbi,
    functionName: 'payoutDenominator',
    args: [outcome.conditionId],
    blockNumber: block.number,
  });
  return {
    positionKey,
    blockTimeSeconds: block.timestamp,
    state: position.state as PositionState,
    marketId: outcome.conditionId,
    tokenId: outcome.tokenId,
    isResolved: payoutDenominator > 0n,
    notionalUsdcUnits: usdcUnits(BigInt(position.notionalUsdcUnits)),
    filledUsdcUnits: usdcUnits(BigInt(position.filledUsdcUnits)),
    heldTokenUnits: tokenUnits(BigInt(position.tokenUnits)),
    closeTokenUnits: tokenUnits(BigInt(position.closeTokenUnits)),
    debtUsdcUnits: usdcUnits(debt[0] + debt[1]),
    liquidationPricePips: pricePips(liquidationPrice),
    isCancelRequested: position.cancelRequested,
  };
}
