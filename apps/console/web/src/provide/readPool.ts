import { add, ratioOf, raw, usdcUnits } from '@core/pricing';
import { liquidityPoolAbi } from '@core/vault';
import { chainReaderOf } from '../chain/chain.ts';
import type { Hex } from '../chain/wallet.ts';
import type { PageConfig } from '../pageConfig.ts';

/** Node and contracts that the pool is read from. */
export type PoolSource = Pick<PageConfig, 'rpcUrl' | 'vault' | 'pool'>;

/** One share, in share units. */
export const oneShare = 10n ** 12n;

/** State of the pool at one block. Amounts in USDC units, shares in share units. */
export interface PoolReading {
  /** Time of the block, in Unix seconds. */
  readonly atSeconds: number;
  readonly usdc: Hex;
  /** Redemption price and deposit price per share. */
  readonly redemptionPriceUsdcUnits: bigint;
  readonly depositPriceUsdcUnits: bigint;
  readonly totalShares: bigint;
  readonly idleUsdcUnits: bigint;
  readonly lentUsdcUnits: bigint;
  readonly impairedUsdcUnits: bigint;
  readonly unreleasedUsdcUnits: bigint;
  readonly reserveUsdcUnits: bigint;
  readonly freeLiquidityUsdcUnits: bigint;
  readonly totalCapUsdcUnits: bigint;
  /** Loans, impaired ones included, over idle USDC and loans, rounded up; null while the pool is empty. */
  readonly utilisationBps: number | null;
  readonly utilisationCapBps: number;
  /** Protocol's part of the interest. */
  readonly protocolCutBps: number;
  readonly requestedShares: bigint;
  /** Value of all withdrawal requests now, before their own caps. */
  readonly requestedUsdcUnits: bigint;
}

/** Read the pool at one block, so that all figures are consistent. */
export async function readPool({ rpcUrl, pool }: PoolSource): Promise<PoolReading> {
  const reader = chainReaderOf(rpcUrl);
  const block = await reader.getBlock();
  const call = { address: pool, abi: liquidityPoolAbi, blockNumber: block.number } as const;
  const [usdc, redemptionPrice, depositPrice, totalShares, book, parameters, free, requestedShares] = await Promise.all(
    [
      reader.readContract({ ...call, functionName: 'asset' }),
      reader.readContract({ ...call, functionName: 'convertToAssets', args: [oneShare] }),
      reader.readContract({ ...call, functionName: 'previewMint', args: [oneShare] }),
      reader.readContract({ ...call, functionName: 'totalSupply' }),
      reader.readContract({ ...call, functionName: 'bookOf' }),
      reader.readContract({ ...call, functionName: 'parametersOf' }),
      reader.readContract({ ...call, functionName: 'freeLiquidity' }),
      reader.readContract({ ...call, functionName: 'requestedShares' }),
    ],
  );
  const requestedUsdcUnits = await reader.readContract({
    ...call,
    functionName: 'convertToAssets',
    args: [requestedShares],
  });
  return {
    ...book,
    atSeconds: Number(block.timestamp),
    usdc,
    redemptionPriceUsdcUnits: redemptionPrice,
    depositPriceUsdcUnits: depositPrice,
    totalShares,
    freeLiquidityUsdcUnits: free,
    totalCapUsdcUnits: parameters.totalCapUsdcUnits,
    utilisationBps: utilisationOf(book),
    utilisationCapBps: parameters.utilisationBps,
    protocolCutBps: parameters.protocolCutBps,
    requestedShares,
    requestedUsdcUnits,
  };
}

/** Compute the utilisation as the pool does for its cap: impaired loans are included. */
export function utilisationOf(book: {
  readonly idleUsdcUnits: bigint;
  readonly lentUsdcUnits: bigint;
  readonly impairedUsdcUnits: bigint;
}): number | null {
  const loans = add(usdcUnits(book.lentUsdcUnits), usdcUnits(book.impairedUsdcUnits));
  const all = add(loans, usdcUnits(book.idleUsdcUnits));
  return raw(all) === 0n ? null : Number(raw(ratioOf(loans, all, 'up')));
}

/** Part of a withdrawal request that its owner can redeem in this block. */
export interface Redeemable {
  readonly shares: bigint;
  /** Payout of these shares: the lower of their part of the cap and their value. */
  readonly usdcUnits: bigint;
}

/** Read the redeemable part of a request, by a simulated call of the pool. */
export async function readRedeemable({ rpcUrl, pool }: PoolSource, owner: Hex): Promise<Redeemable> {
  const reader = chainReaderOf(rpcUrl);
  const call = { address: pool, abi: liquidityPoolAbi } as const;
  const shares = await reader.readContract({ ...call, functionName: 'maxRedeem', args: [owner] });
  if (shares === 0n) return { shares, usdcUnits: 0n };
  const simulation = await reader.simulateContract({
    ...call,
    account: owner,
    functionName: 'redeem',
    args: [shares, owner, owner],
  });
  return { shares, usdcUnits: simulation.result };
}

/** Read the pool's preview of the shares for a deposit, rounded down. */
export function readDepositShares({ rpcUrl, pool }: PoolSource, units: bigint): Promise<bigint> {
  return chainReaderOf(rpcUrl).readContract({
    address: pool,
    abi: liquidityPoolAbi,
    functionName: 'previewDeposit',
    args: [units],
  });
}
