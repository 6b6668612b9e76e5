import { liquidityPoolAbi, vaultAbi } from '@core/vault';
import { erc20Abi } from 'viem';
import { chainReaderOf } from '../chain/chain.ts';
import { readPoolLogs } from '../provide/poolLogs.ts';
import type { PoolSource } from '../provide/readPool.ts';

/** Invariant that holds at every block, unless there is a bug. */
export interface Guarantee {
  readonly name: string;
  readonly text: string;
  readonly isHeld: boolean;
}

/** Switches of the vault that stop openings or require more signatures. */
export interface VaultSwitches {
  readonly isOpeningPaused: boolean;
  /** End of the alarm in Unix seconds; null while no alarm is active. */
  readonly alarmEndsAt: number | null;
  readonly guarantees: readonly Guarantee[];
}

/** Read switches and guarantees at one block. */
export async function readVaultSwitches(source: PoolSource): Promise<VaultSwitches> {
  const { rpcUrl, vault, pool } = source;
  const reader = chainReaderOf(rpcUrl);
  const block = await reader.getBlock();
  const logs = await readPoolLogs(source);
  const outcomeIds = [...new Set(logs.flatMap((log) => (log.eventName === 'Lent' ? [log.args.outcomeId] : [])))];
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
        text: 'The pool balance covers its recorded USDC',
        isHeld: balance >= booked,
      },
      { name: 'vault-holds-nothing', text: 'The vault holds no USDC', isHeld: vaultUsdcUnits === 0n },
      {
        name: 'loans-add-up',
        text: 'The loans of all outcomes equal the recorded loans',
        isHeld: loanUsdcUnits === book.lentUsdcUnits + book.impairedUsdcUnits,
      },
      {
        name: 'income-is-here',
        text: 'The pool balance includes the vesting income',
        isHeld: book.unreleasedUsdcUnits <= book.idleUsdcUnits,
      },
    ],
  };
}
