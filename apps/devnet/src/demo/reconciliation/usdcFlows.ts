import { type Address, erc20Abi, zeroAddress } from 'viem';
import type { ChainClient } from '../clients/wallet.ts';
import { blockRangesTo } from './blockRanges.ts';

/** One movement of USDC. Addresses are lower-case, so that they compare. */
export interface UsdcTransfer {
  readonly from: string;
  readonly to: string;
  readonly usdcUnits: bigint;
}

/** Every movement of USDC from the first block to this one. */
export async function readTransfers(
  client: ChainClient,
  usdc: Address,
  toBlock: bigint,
): Promise<readonly UsdcTransfer[]> {
  const transfers: UsdcTransfer[] = [];
  const transfer = { address: usdc, abi: erc20Abi, eventName: 'Transfer', strict: true } as const;
  for (const range of blockRangesTo(toBlock)) {
    const logs = await client.getContractEvents({ ...transfer, ...range });
    for (const { args } of logs) {
      transfers.push({ from: args.from.toLowerCase(), to: args.to.toLowerCase(), usdcUnits: args.value });
    }
  }
  return transfers;
}

/** Balance of every holder that ever received USDC, folded from the movements. Mints come from the zero address. */
export function balancesOf(transfers: readonly UsdcTransfer[]): ReadonlyMap<string, bigint> {
  const balances = new Map<string, bigint>();
  const move = (holder: string, usdcUnits: bigint) => {
    if (holder !== zeroAddress) balances.set(holder, (balances.get(holder) ?? 0n) + usdcUnits);
  };
  for (const { from, to, usdcUnits } of transfers) {
    move(from, -usdcUnits);
    move(to, usdcUnits);
  }
  return balances;
}

/** What was minted less what was burnt. */
export function enteredOf(transfers: readonly UsdcTransfer[]): bigint {
  return transfers.reduce((sum, { from, to, usdcUnits }) => {
    const minted = from === zeroAddress ? usdcUnits : 0n;
    const burnt = to === zeroAddress ? usdcUnits : 0n;
    return sum + minted - burnt;
  }, 0n);
}

/** Sum of what moved from one holder to another. */
export function movedBetween(transfers: readonly UsdcTransfer[], from: string, to: string): bigint {
  return transfers.reduce(
    (sum, transfer) => (transfer.from === from && transfer.to === to ? sum + transfer.usdcUnits : sum),
    0n,
  );
}

/** What the token itself says a holder has at a block. */
export function readBalance(
  client: ChainClient,
  usdc: Address,
  { holder, blockNumber }: { readonly holder: Address; readonly blockNumber: bigint },
): Promise<bigint> {
  return client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [holder], blockNumber });
}
