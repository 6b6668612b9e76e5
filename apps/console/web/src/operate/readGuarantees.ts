import { liquidityPoolAbi, vaultAbi } from '@core/vault';
import { erc20Abi } from 'viem';
import { chainReaderOf } from '../chain/chain.ts';
import type { PoolPlace } from '../provide/readPool.ts';

/** Something that holds at every block, or a bug does. */
export interface Guarantee {
  readonly name: string;
  readonly text: string;
  readonly isHeld: boolean;
}

/** Switches of the vault that stop openings or ask for more signatures. */
export interface VaultSwitches {
  readonly isOpeningPaused: boolean;
  /** Unix seconds; null while no alarm is on. */
  readonly alarmEndsAt: number | null;
  readonly guarantees: readonly Guarantee[];
}

/** Reads switches and guarantees at one block. */
export async function readVaultSwitches({ rpcUrl, vault, pool }: PoolPlace): Promise<VaultSwitches> {
  const reader = chainReaderOf(rpcUrl);
  const block = await reader.getBlock();
  const lent = await reader.getContractEvents({
    address: pool,
    abi: liquidityPoolAbi,
    eventName: 'Lent',
    fromBlock: 'earliest',
    toBlock: block.number,
    strict: true,
  });
  const outcomeIds = [...new Set(lent.map(({ args }) => args.outcomeId))];
  const at = { blockNumber: block.number } as const;
  const ofPool = { ...at, address: pool, abi: liquidityPoolAbi } as const;
  const ofVault = { ...at, address: vault, abi: vaultAbi } as const;
  const [book, [balance, booked], usdc, isOpeningPaused, alarmEndsAt, loans] = await Promise.all([
    reader.readContract({ ...ofPool, functionName: 'bookOf' }),
    reader.readContract({ ...ofPool, functionName: 'solvency' }),
    reader.readContract({ ...ofPool, functionName: 'asset' }),
    reader.readContract({ ...ofVault, functionName: 'openingPaused' }),
    reader.readContract({ ...ofVault, functionName: 'alarmEndsAt' }),
    Promise.all(outcomeIds.map((id) => reader.readContract({ ...ofPool, functionName: 'outcomeLoanOf', args: [id] }))),
  ]);
  const vaultUsdcUnits = await reader.readContract({
    ...at,
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [vault],
  });
  const loanUsdcUnits = loans.reduce((sum, [loan]) => sum + loan, 0n);
  return {
    isOpeningPaused,
    alarmEndsAt: alarmEndsAt > block.timestamp ? Number(alarmEndsAt) : null,
    guarantees: [
      {
        name: 'pool-covers-book',
        text: 'The pool holds all the USDC its book says is here',
        isHeld: balance >= booked,
      },
      { name: 'vault-holds-nothing', text: 'The vault holds no USDC', isHeld: vaultUsdcUnits === 0n },
      {
        name: 'loans-add-up',
        text: 'The loans of all outcomes are what the book says is lent',
        isHeld: loanUsdcUnits === book.lentUsdcUnits + book.impairedUsdcUnits,
      },
      {
        name: 'income-is-here',
        text: 'Income that belongs to no share yet is part of what is here',
        isHeld: book.unreleasedUsdcUnits <= book.idleUsdcUnits,
      },
    ],
  };
}
