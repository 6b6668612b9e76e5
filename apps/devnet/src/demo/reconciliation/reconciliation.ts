import { liquidityPoolAbi, readInParts, vaultAbi, venueExchangeAbi } from '@core/vault';
import type { VenueControl } from '@core/venue-sim/control';
import { type Address, erc20Abi } from 'viem';
import type { StackFile } from '../../stack/state/stackFile.ts';
import type { ChainClient } from '../clients/wallet.ts';
import { readLockedCollateral } from './lockedCollateral.ts';
import { balancesOf, enteredOf, readBalance, readTransfers, type UsdcTransfer } from './usdcFlows.ts';

/** A group of holders and its balance. */
export interface HolderGroup {
  readonly name: string;
  readonly usdcUnits: bigint;
}

/** Two figures that must be equal: USDC units, or the unit in the name. */
export interface Check {
  readonly name: string;
  readonly left: bigint;
  readonly right: bigint;
}

export interface Reconciliation {
  readonly blockNumber: bigint;
  readonly enteredUsdcUnits: bigint;
  readonly groups: readonly HolderGroup[];
  readonly checks: readonly Check[];
  readonly transfers: readonly UsdcTransfer[];
}

type BookField = 'idleUsdcUnits' | 'lentUsdcUnits' | 'impairedUsdcUnits' | 'unreleasedUsdcUnits' | 'reserveUsdcUnits';

/** Group of all addresses that belong to no other. */
const unknownHolders = 'unaccounted for';

interface World {
  readonly client: ChainClient;
  readonly stack: StackFile;
  readonly blockNumber: bigint;
}

/** Return true when every check holds to the unit. */
export function isBalanced({ checks }: Reconciliation): boolean {
  return checks.every(({ left, right }) => left === right);
}

/**
 * Account for every unit of USDC at one block: fold all transfers since the first block, put each holder into a group,
 * and compare the groups with the figures of the contracts.
 */
export async function reconcile(client: ChainClient, stack: StackFile, venue: VenueControl): Promise<Reconciliation> {
  const blockNumber = await client.getBlockNumber({ cacheTime: 0 });
  const world: World = { client, stack, blockNumber };
  const usdc = stack.contracts.usdc;
  const transfers = await readTransfers(client, usdc, blockNumber);
  const balances = balancesOf(transfers);
  const members = await readMembers(world, venue);
  const groups = groupsOf(balances, members);
  const enteredUsdcUnits = enteredOf(transfers);
  const supply = await client.readContract({ address: usdc, abi: erc20Abi, functionName: 'totalSupply', blockNumber });
  const sumUsdcUnits = groups.reduce((sum, group) => sum + group.usdcUnits, 0n);
  const unknownUsdcUnits = groups.find(({ name }) => name === unknownHolders)?.usdcUnits ?? 0n;
  return {
    blockNumber,
    enteredUsdcUnits,
    groups,
    transfers,
    checks: [
      { name: 'entered = total supply', left: enteredUsdcUnits, right: supply },
      { name: 'entered = sum of all holders', left: enteredUsdcUnits, right: sumUsdcUnits },
      { name: 'held by unknown holders = 0', left: unknownUsdcUnits, right: 0n },
      ...(await readContractChecks(world, balances)),
    ],
  };
}

async function readMembers(world: World, venue: VenueControl): Promise<ReadonlyMap<string, readonly string[]>> {
  const { client, stack, blockNumber } = world;
  const { contracts, accounts } = stack;
  const pool = contracts.pool;
  const exchange = contracts.exchange;
  const [traders, treasury, feeRecipient, positionAccounts] = await Promise.all([
    venue.traders(),
    client.readContract({ address: pool, abi: liquidityPoolAbi, functionName: 'treasury', blockNumber }),
    client.readContract({ address: exchange, abi: venueExchangeAbi, functionName: 'getFeeReceiver', blockNumber }),
    readPositionAccounts(world),
  ]);
  return new Map<string, readonly string[]>([
    ['users', accounts.filter(({ name }) => name !== 'lp').map(({ address }) => address)],
    ['liquidity provider', accounts.filter(({ name }) => name === 'lp').map(({ address }) => address)],
    ['position accounts', positionAccounts],
    ['vault', [contracts.vault]],
    ['pool and reserve', [pool]],
    ['treasury', [treasury]],
    ['fillers', stack.fillerAddresses],
    ['makers', traders.makers],
    ['takers', traders.takers],
    ['inside ConditionalTokens', [contracts.conditionalTokens]],
    ['venue fees', [feeRecipient]],
    ['exchange', [exchange]],
  ]);
}

async function readPositionAccounts({ client, stack, blockNumber }: World): Promise<readonly Address[]> {
  const created = {
    address: stack.contracts.vault,
    abi: vaultAbi,
    eventName: 'PositionCreated',
    strict: true,
  } as const;
  const logs = await readInParts(client, { from: 0n, to: blockNumber }, (part) =>
    client.getContractEvents({ ...created, fromBlock: part.from, toBlock: part.to }),
  );
  return logs.map(({ args }) => args.account);
}

function groupsOf(
  balances: ReadonlyMap<string, bigint>,
  members: ReadonlyMap<string, readonly string[]>,
): readonly HolderGroup[] {
  const remaining = new Map(balances);
  const groups = [...members].map(([name, addresses]) => {
    let usdcUnits = 0n;
    for (const address of new Set(addresses.map((text) => text.toLowerCase()))) {
      usdcUnits += remaining.get(address) ?? 0n;
      remaining.delete(address);
    }
    return { name, usdcUnits };
  });
  const unknownUsdcUnits = [...remaining.values()].reduce((sum, usdcUnits) => sum + usdcUnits, 0n);
  return [...groups, { name: unknownHolders, usdcUnits: unknownUsdcUnits }];
}

/**
 * Return the redemption value of all shares: impaired loans count what the reserve bears, unreleased income does not
 * count.
 */
function worthOf(book: Readonly<Record<BookField, bigint>>): bigint {
  const { impairedUsdcUnits, reserveUsdcUnits } = book;
  const borneUsdcUnits = impairedUsdcUnits < reserveUsdcUnits ? impairedUsdcUnits : reserveUsdcUnits;
  const worthUsdcUnits = book.idleUsdcUnits + book.lentUsdcUnits + borneUsdcUnits - book.unreleasedUsdcUnits;
  return worthUsdcUnits > 0n ? worthUsdcUnits : 0n;
}

async function readContractChecks(world: World, balances: ReadonlyMap<string, bigint>): Promise<readonly Check[]> {
  const { client, stack, blockNumber } = world;
  const { pool, vault, usdc, conditionalTokens } = stack.contracts;
  const balanceOf = (holder: string) => balances.get(holder.toLowerCase()) ?? 0n;
  const read = { address: pool, abi: liquidityPoolAbi, blockNumber } as const;
  const book = await client.readContract({ ...read, functionName: 'bookOf' });
  const totalAssets = await client.readContract({ ...read, functionName: 'totalAssets' });
  const locked = await readLockedCollateral(client, conditionalTokens, blockNumber);
  const lockedUsdcUnits = [...locked.values()].reduce((sum, usdcUnits) => sum + usdcUnits, 0n);
  const poolUsdcUnits = await readBalance(client, usdc, { holder: pool, blockNumber });
  return [
    { name: 'vault holds nothing', left: balanceOf(vault), right: 0n },
    { name: 'folded pool balance = token’s', left: balanceOf(pool), right: poolUsdcUnits },
    {
      name: 'pool = idle + reserve + treasury owed',
      left: poolUsdcUnits,
      right: book.idleUsdcUnits + book.reserveUsdcUnits + book.treasuryOwedUsdcUnits,
    },
    { name: 'shares are worth idle + lent + borne − unreleased', left: totalAssets, right: worthOf(book) },
    {
      name: 'ConditionalTokens = split − merged − redeemed',
      left: balanceOf(conditionalTokens),
      right: lockedUsdcUnits,
    },
  ];
}
