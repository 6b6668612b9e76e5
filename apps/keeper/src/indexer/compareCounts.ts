import { Fault } from '@core/errors';
import type { Store } from '@core/store';
import { liquidityPoolAbi, vaultAbi } from '@core/vault';
import type { PublicClient } from 'viem';
import { type ChainSource, headerOf } from './chainSource.ts';

/** Counts that the contracts keep themselves. */
export const chainCounts = ['outcomes', 'accounts', 'loans'] as const;
export type ChainCount = (typeof chainCounts)[number];

/** Nonce of a vault that has made no account: a contract begins with 1, and makes the pool and the first account. */
const vaultNonceBeforeAccounts = 3;

export interface CompareCountsOptions {
  readonly source: Omit<ChainSource, 'client'>;
  readonly store: Pick<Store, 'chain'>;
}

/**
 * Return the counts that differ between the contracts and the index, both at the index's last block. The vault numbers
 * its outcomes, its nonce counts the accounts it created (one per position), and the pool's book has the total debt of
 * all positions. Null when there is nothing to compare: no index yet, or a node on another branch.
 * @throws Fault retryable when the node does not answer.
 */
export async function differingCounts(
  { source, store }: CompareCountsOptions,
  client: PublicClient,
): Promise<readonly ChainCount[] | null> {
  const indexed = await store.chain.counts(source.chainKey);
  if (indexed === null) return null;
  const { vault, pool } = source.contracts;
  const { blockNumber } = indexed;
  const nextOutcome = { functionName: 'outcomeOf', args: [indexed.outcomeCount + 1] } as const;
  const [header, next, nonce, book] = await Promise.all([
    headerOf({ ...source, client }, blockNumber),
    client.readContract({ address: vault, abi: vaultAbi, blockNumber, ...nextOutcome }),
    client.getTransactionCount({ address: vault, blockNumber }),
    client.readContract({ address: pool, abi: liquidityPoolAbi, functionName: 'bookOf', blockNumber }),
  ]).catch((cause: unknown) => {
    throw new Fault({
      origin: 'chain',
      kind: 'retryable',
      message: 'the counts of the contracts cannot be read',
      cause,
    });
  });
  if (header?.blockHash !== indexed.blockHash) return null;
  const differs: Readonly<Record<ChainCount, boolean>> = {
    outcomes: next.tokenId !== 0n,
    accounts: nonce - vaultNonceBeforeAccounts !== indexed.accountCount,
    // A loan that is impaired is owed as before.
    loans: book.lentUsdcUnits + book.impairedUsdcUnits !== indexed.owedUsdcUnits,
  };
  return chainCounts.filter((name) => differs[name]);
}
