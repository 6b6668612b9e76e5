import { add, ratioOf, raw, usdcUnits } from '@core/pricing';
import { liquidityPoolAbi } from '@core/vault';
import { chainReaderOf } from '../chain/chain.ts';
import type { Hex } from '../chain/wallet.ts';
import type { PageConfig } from '../pageConfig.ts';

/** Where the pool is read. */
export type PoolPlace = Pick<PageConfig, 'rpcUrl' | 'vault' | 'pool'>;

/** One share, in share units. */
export const oneShare = 10n ** 12n;

/** The pool at one block. Amounts in USDC units, shares in share units. */
export interface PoolReading {
  /** Time of the block, in Unix seconds. */
  readonly atSeconds: number;
  readonly usdc: Hex;
  /** What one share brings who leaves, and costs who enters. */
  readonly leavingPriceUsdcUnits: bigint;
  readonly enteringPriceUsdcUnits: bigint;
  readonly totalShares: bigint;
  readonly idleUsdcUnits: bigint;
  readonly lentUsdcUnits: bigint;
  readonly impairedUsdcUnits: bigint;
  readonly unreleasedUsdcUnits: bigint;
  readonly reserveUsdcUnits: bigint;
  readonly freeLiquidityUsdcUnits: bigint;
  readonly totalCapUsdcUnits: bigint;
  /** Loans, impaired ones included, as a part of idle and loans, rounded up; null while the pool is empty. */
  readonly utilisationBps: number | null;
  readonly utilisationCapBps: number;
  readonly requestedShares: bigint;
  /** What all requests would bring now, before their own caps. */
  readonly requestedUsdcUnits: bigint;
}

/** Reads the pool at one block, so that all figures belong together. */
export async function readPool({ rpcUrl, pool }: PoolPlace): Promise<PoolReading> {
  const reader = chainReaderOf(rpcUrl);
  const block = await reader.getBlock();
  const call = { address: pool, abi: liquidityPoolAbi, blockNumber: block.number } as const;
  const [usdc, leaving, entering, totalShares, book, parameters, free, requestedShares] = await Promise.all([
    reader.readContract({ ...call, functionName: 'asset' }),
    reader.readContract({ ...call, functionName: 'convertToAssets', args: [oneShare] }),
    reader.readContract({ ...call, functionName: 'previewMint', args: [oneShare] }),
    reader.readContract({ ...call, functionName: 'totalSupply' }),
    reader.readContract({ ...call, functionName: 'bookOf' }),
    reader.readContract({ ...call, functionName: 'parametersOf' }),
    reader.readContract({ ...call, functionName: 'freeLiquidity' }),
    reader.readContract({ ...call, functionName: 'requestedShares' }),
  ]);
  const requestedUsdcUnits = await reader.readContract({
    ...call,
    functionName: 'convertToAssets',
    args: [requestedShares],
  });
  return {
    ...book,
    atSeconds: Number(block.timestamp),
    usdc,
    leavingPriceUsdcUnits: leaving,
    enteringPriceUsdcUnits: entering,
    totalShares,
    freeLiquidityUsdcUnits: free,
    totalCapUsdcUnits: parameters.totalCapUsdcUnits,
    utilisationBps: utilisationOf(book),
    utilisationCapBps: parameters.utilisationBps,
    requestedShares,
    requestedUsdcUnits,
  };
}

/** The part that is lent, as the pool counts it for its cap: impaired loans are loans. */
function utilisationOf(book: {
  readonly idleUsdcUnits: bigint;
  readonly lentUsdcUnits: bigint;
  readonly impairedUsdcUnits: bigint;
}): number | null {
  const loans = add(usdcUnits(book.lentUsdcUnits), usdcUnits(book.impairedUsdcUnits));
  const all = add(loans, usdcUnits(book.idleUsdcUnits));
  return raw(all) === 0n ? null : Number(raw(ratioOf(loans, all, 'up')));
}

/** What a request can bring its owner in this block. */
export interface Redeemable {
  readonly shares: bigint;
  /** What the pool would pay for them: the lower of the cap's part and their worth. */
  readonly usdcUnits: bigint;
}

/** What leaves now; the pool itself says what it would pay. */
export async function readRedeemable({ rpcUrl, pool }: PoolPlace, owner: Hex): Promise<Redeemable> {
  const reader = chainReaderOf(rpcUrl);
  const call = { address: pool, abi: liquidityPoolAbi } as const;
  const shares = await reader.readContract({ ...call, functionName: 'maxRedeem', args: [owner] });
  if (shares === 0n) return { shares, usdcUnits: 0n };
  const tried = await reader.simulateContract({
    ...call,
    account: owner,
    functionName: 'redeem',
    args: [shares, owner, owner],
  });
  return { shares, usdcUnits: tried.result };
}

/** Shares for a deposit, rounded down, as the pool says it. */
export function readDepositShares({ rpcUrl, pool }: PoolPlace, units: bigint): Promise<bigint> {
  return chainReaderOf(rpcUrl).readContract({
    address: pool,
    abi: liquidityPoolAbi,
    functionName: 'previewDeposit',
    args: [units],
  });
}
