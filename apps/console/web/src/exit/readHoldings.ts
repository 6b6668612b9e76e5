import { type BlockRange, liquidityPoolAbi, PositionState, vaultAbi } from '@core/vault';
import { chainReaderOf } from '../chain/chain.ts';
import { LogHistory } from '../chain/logHistory.ts';
import type { Hex } from '../chain/wallet.ts';

/** Node and contracts that the exit page reads. */
export interface ExitSource {
  readonly rpcUrl: string;
  readonly vault: Hex;
  readonly pool: Hex;
}

/** Position with the figures of an exit. Amounts in token and USDC units. */
export interface ChainHolding {
  readonly key: Hex;
  readonly state: 'pending' | 'open' | 'ended';
  readonly tokenUnits: bigint;
  /** Principal, written-off debt and fees at this block. */
  readonly owedUsdcUnits: bigint;
}

export interface PoolShare {
  readonly shares: bigint;
  readonly valueUsdcUnits: bigint;
  readonly requestedShares: bigint;
  /** Maximum payout of the requested shares, in USDC units. */
  readonly capUsdcUnits: bigint;
  /** Time from which a request can be redeemed, in Unix seconds; 0 without one. */
  readonly maturesAt: number;
  readonly redeemableShares: bigint;
}

const readOpenings = ({ rpcUrl, vault }: ExitSource, user: Hex, { from, to }: BlockRange) =>
  chainReaderOf(rpcUrl, 0).getContractEvents({
    address: vault,
    abi: vaultAbi,
    eventName: 'PositionCreated',
    args: { user },
    fromBlock: from,
    toBlock: to,
    strict: true,
  });

type Opening = Awaited<ReturnType<typeof readOpenings>>[number];

/** Return the history of all positions an address has created, from the vault's log. */
export const openingsOf = (source: ExitSource, user: Hex): LogHistory<Opening> =>
  new LogHistory({
    rpcUrl: source.rpcUrl,
    contract: source.vault,
    read: (part) => readOpenings(source, user, part),
  });

/** Read a position and its debt. */
export async function readHolding({ rpcUrl, vault }: ExitSource, key: Hex): Promise<ChainHolding> {
  const reader = chainReaderOf(rpcUrl);
  const call = { address: vault, abi: vaultAbi, args: [key] } as const;
  const [position, [principal, fees]] = await Promise.all([
    reader.readContract({ ...call, functionName: 'positionOf' }),
    reader.readContract({ ...call, functionName: 'debtOf' }),
  ]);
  const { state, tokenUnits } = position;
  return { key, state: stateOf(state), tokenUnits, owedUsdcUnits: principal + fees };
}

function stateOf(state: number): ChainHolding['state'] {
  if (state === PositionState.Pending) return 'pending';
  return state === PositionState.Open ? 'open' : 'ended';
}

/** Read the token in which debts are repaid. */
export const readUsdc = ({ rpcUrl, pool }: ExitSource): Promise<Hex> =>
  chainReaderOf(rpcUrl).readContract({ address: pool, abi: liquidityPoolAbi, functionName: 'asset' });

/** Read the pool share of an address. */
export async function readPoolShare({ rpcUrl, pool }: ExitSource, owner: Hex): Promise<PoolShare> {
  const reader = chainReaderOf(rpcUrl);
  const call = { address: pool, abi: liquidityPoolAbi } as const;
  const [shares, request, redeemableShares] = await Promise.all([
    reader.readContract({ ...call, functionName: 'balanceOf', args: [owner] }),
    reader.readContract({ ...call, functionName: 'redeemRequestOf', args: [owner] }),
    reader.readContract({ ...call, functionName: 'maxRedeem', args: [owner] }),
  ]);
  const valueUsdcUnits = await reader.readContract({ ...call, functionName: 'convertToAssets', args: [shares] });
  const { shares: requestedShares, capUsdcUnits, maturesAt } = request;
  return { shares, valueUsdcUnits, requestedShares, capUsdcUnits, maturesAt, redeemableShares };
}

export const readChainId = (rpcUrl: string): Promise<number> => chainReaderOf(rpcUrl).getChainId();
