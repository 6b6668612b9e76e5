import { readInParts } from '@core/vault';
import { type Address, erc20Abi, zeroAddress } from 'viem';
import type { ChainClient } from '../clients/wallet.ts';

/** One transfer of USDC. Addresses are lower-case for comparison. */
export interface UsdcTransfer {
  readonly from: string;
  readonly to: string;
  readonly usdcUnits: bigint;
}

/** Return every transfer of USDC from the first block to the given one. */
export async function readTransfers(
  client: ChainClient,
  usdc: Address,
  toBlock: bigint,
): Promise<readonly UsdcTransfer[]> {
  const transfer = { address: usdc, abi: erc20Abi, eventName: 'Transfer', strict: true } as const;
  // Decision: apps/devnet/DECISIONS.md#the-demo-folds-every-transfer-of-usdc
  const logs = await readInParts(client, { from: 0n, to: toBlock }, (part) =>
    client.getContractEvents({ ...transfer, fromBlock: part.from, toBlock: part.to }),
  );
  return logs.map(({ args }) => ({
    from: args.from.toLowerCase(),
    to: args.to.toLowerCase(),
    usdcUnits: args.value,
  }));
}

/** Fold transfers into the balance of every holder. Mints come from the zero address. */
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

/** Return minted less burnt units. */
export function enteredOf(transfers: readonly UsdcTransfer[]): bigint {
  return transfers.reduce((sum, { from, to, usdcUnits }) => {
    const minted = from === zeroAddress ? usdcUnits : 0n;
    const burnt = to === zeroAddress ? usdcUnits : 0n;
    return sum + minted - burnt;
  }, 0n);
}

/** Return the sum of transfers from one holder to another. */
export function movedBetween(transfers: readonly UsdcTransfer[], from: string, to: string): bigint {
  return transfers.reduce(
    (sum, transfer) => (transfer.from === from && transfer.to === to ? sum + transfer.usdcUnits : sum),
    0n,
  );
}

/** Return the token's own balance of a holder at a block. */
export function readBalance(
  client: ChainClient,
  usdc: Address,
  { holder, blockNumber }: { readonly holder: Address; readonly blockNumber: bigint },
): Promise<bigint> {
  return client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [holder], blockNumber });
}
