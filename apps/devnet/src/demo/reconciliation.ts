import { liquidityPoolAbi, vaultAbi, venueExchangeAbi } from '@core/vault';
import { type Address, erc20Abi } from 'viem';
import type { StackFile } from '../stack/stackFile.ts';
import { readLockedCollateral } from './lockedCollateral.ts';
import { balancesOf, enteredOf, readBalance, readTransfers, type UsdcTransfer } from './usdcFlows.ts';
import type { VenueControl } from './venueControl.ts';
import type { ChainClient } from './wallet.ts';

/** One kind of holder and what it has. */
export interface HolderGroup {
  readonly name: string;
  readonly usdcUnits: bigint;
}

/** A statement that must hold to the unit. */
export interface Check {
  readonly name: string;
  readonly leftUsdcUnits: bigint;
  readonly rightUsdcUnits: bigint;
}

export interface Reconciliation {
  readonly blockNumber: bigint;
  readonly enteredUsdcUnits: bigint;
  readonly groups: readonly HolderGroup[];
  readonly checks: readonly Check[];
  readonly transfers: readonly UsdcTransfer[];
}

interface World {
  readonly client: ChainClient;
  readonly stack: StackFile;
  readonly blockNumber: bigint;
}

/** True when every check holds to the unit. */
export function isBalanced({ checks }: Reconciliation): boolean {
  return checks.every(({ leftUsdcUnits, rightUsdcUnits }) => leftUsdcUnits === rightUsdcUnits);
}

/**
 * Accounts for every unit of USDC at one block: folds all movements since the first block, puts every holder in a
 * group, and holds the groups against what contracts say of themselves.
 */
export async function reconcile(client: ChainClient, stack: StackFile, venue: VenueControl): Promise<Reconciliation> {
  const blockNumber = await client.getBlockNumber({ cacheTime: 0 });
  const world: World = { client, stack, blockNumber };
  const usdc = stack.contracts.usdc as Address;
  const transfers = await readTransfers(client, usdc, blockNumber);
  const balances = balancesOf(transfers);
  const members = await readMembers(world, venue);
  const groups = groupsOf(balances, members);
  const enteredUsdcUnits = enteredOf(transfers);
  const supply = await client.readContract({ address: usdc, abi: erc20Abi, functionName: 'totalSupply', blockNumber });
  const sumUsdcUnits = groups.reduce((sum, group) => sum + group.usdcUnits, 0n);
  const strangers = groups.find(({ name }) => name === strangersName)?.usdcUnits ?? 0n;
  return {
    blockNumber,
    enteredUsdcUnits,
    groups,
    transfers,
    checks: [
      { name: 'entered = total supply', leftUsdcUnits: enteredUsdcUnits, rightUsdcUnits: supply },
      { name: 'entered = sum of all holders', leftUsdcUnits: enteredUsdcUnits, rightUsdcUnits: sumUsdcUnits },
      { name: 'held by nobody known = 0', leftUsdcUnits: strangers, rightUsdcUnits: 0n },
      ...(await readContractChecks(world, balances)),
    ],
  };
}

const strangersName = 'unaccounted for';

async function readMembers(world: World, venue: VenueControl): Promise<ReadonlyMap<string, readonly string[]>> {
  const { client, stack, blockNumber } = world;
  const { contracts, accounts } = stack;
  const pool = contracts.pool as Address;
  const exchange = contracts.exchange as Address;
  const [traders, treasury, feeRecipient, positionAccounts] = await Promise.all([
    venue.traders(),
    client.readContract({ address: pool, abi: liquidityPoolAbi, functionName: 'treasury', blockNumber }),
    client.readContract({ address: exchange, abi: venueExchangeAbi, functionName: 'feeRecipient', blockNumber }),
    readPositionAccounts(world),
  ]);
  return new Map<string, readonly string[]>([
    ['users', accounts.filter(({ name }) => name !== 'lp').map(({ address }) => address)],
    ['liquidity provider', accounts.filter(({ name }) => name === 'lp').map(({ address }) => address)],
    ['position accounts', positionAccounts],
    ['vault', [contracts.vault]],
    ['pool and reserve', [pool]],
    ['treasury', [treasury]],
    ['makers', traders.makers],
    ['takers', traders.takers],
    ['inside ConditionalTokens', [contracts.conditionalTokens]],
    ['venue fees', [feeRecipient]],
    ['exchange', [exchange]],
  ]);
}

async function readPositionAccounts({ client, stack, blockNumber }: World): Promise<readonly Address[]> {
  const logs = await client.getContractEvents({
    address: stack.contracts.vault as Address,
    abi: vaultAbi,
    eventName: 'PositionCreated',
    fromBlock: 0n,
    toBlock: blockNumber,
    strict: true,
  });
  return logs.map(({ args }) => args.account);
}

function groupsOf(
  balances: ReadonlyMap<string, bigint>,
  members: ReadonlyMap<string, readonly string[]>,
): readonly HolderGroup[] {
  const left = new Map(balances);
  const groups = [...members].map(([name, addresses]) => {
    let usdcUnits = 0n;
    for (const address of new Set(addresses.map((text) => text.toLowerCase()))) {
      usdcUnits += left.get(address) ?? 0n;
      left.delete(address);
    }
    return { name, usdcUnits };
  });
  const strangers = [...left.values()].reduce((sum, usdcUnits) => sum + usdcUnits, 0n);
  return [...groups, { name: strangersName, usdcUnits: strangers }];
}

async function readContractChecks(world: World, balances: ReadonlyMap<string, bigint>): Promise<readonly Check[]> {
  const { client, stack, blockNumber } = world;
  const { pool, vault, usdc, conditionalTokens } = stack.contracts;
  const balanceOf = (holder: string) => balances.get(holder.toLowerCase()) ?? 0n;
  const read = { address: pool as Address, abi: liquidityPoolAbi, blockNumber } as const;
  const book = await client.readContract({ ...read, functionName: 'bookOf' });
  const locked = await readLockedCollateral(client, conditionalTokens as Address, blockNumber);
  const lockedUsdcUnits = [...locked.values()].reduce((sum, usdcUnits) => sum + usdcUnits, 0n);
  const poolUsdcUnits = await readBalance(client, usdc as Address, { holder: pool as Address, blockNumber });
  return [
    { name: 'vault holds nothing', leftUsdcUnits: balanceOf(vault), rightUsdcUnits: 0n },
    { name: 'folded pool balance = token’s', leftUsdcUnits: balanceOf(pool), rightUsdcUnits: poolUsdcUnits },
    {
      name: 'pool = idle + reserve + treasury owed',
      leftUsdcUnits: poolUsdcUnits,
      rightUsdcUnits: book.idleUsdcUnits + book.reserveUsdcUnits + book.treasuryOwedUsdcUnits,
    },
    {
      name: 'ConditionalTokens = split − merged − redeemed',
      leftUsdcUnits: balanceOf(conditionalTokens),
      rightUsdcUnits: lockedUsdcUnits,
    },
  ];
}
