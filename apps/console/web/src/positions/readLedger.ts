import { readLogRanges, vaultAbi } from '@core/vault';
import { chainReaderOf } from '../chain/chain.ts';
import type { Hex } from '../chain/wallet.ts';
import type { PageConfig } from '../pageConfig.ts';
import type { LedgerStep } from './equityPoints.ts';

type LedgerSource = Pick<PageConfig, 'rpcUrl' | 'vault'>;

/**
 * Event of a position that changes its tokens or its debt. Amounts are what the event says or pays. An exit is none: it
 * pays the tokens themselves.
 */
interface LedgerEvent {
  readonly blockNumber: bigint;
  readonly logIndex: number;
  readonly apply: (before: LedgerStep) => Omit<LedgerStep, 'atMs'>;
}

async function readEvents({ rpcUrl, vault }: LedgerSource, positionKey: Hex): Promise<readonly LedgerEvent[]> {
  const reader = chainReaderOf(rpcUrl);
  const query = { address: vault, abi: vaultAbi, args: { positionKey }, strict: true } as const;
  const head = await reader.getBlockNumber({ cacheTime: 0 });
  const { items, unread, failure } = await readLogRanges(
    [{ from: 0n, to: head }],
    async ({ from: fromBlock, to: toBlock }) => {
      const range = { ...query, fromBlock, toBlock };
      const [opened, reduced, margins, settled] = await Promise.all([
        reader.getContractEvents({ ...range, eventName: 'PositionOpened' }),
        reader.getContractEvents({ ...range, eventName: 'PositionReduced' }),
        reader.getContractEvents({ ...range, eventName: 'MarginAdded' }),
        reader.getContractEvents({ ...range, eventName: 'PositionSettled' }),
      ]);
      return [
        ...opened.map(({ blockNumber, logIndex, args: { tokenUnits, principalUsdcUnits } }) => ({
          blockNumber,
          logIndex,
          isOpening: true,
          apply: () => ({ tokenUnits, principalUsdcUnits, paidFeeUsdcUnits: 0n, payoutUsdcUnits: 0n }),
        })),
        ...reduced.map(({ blockNumber, logIndex, args: { tokenUnits, distribution } }) => ({
          blockNumber,
          logIndex,
          isOpening: false,
          apply: ({ principalUsdcUnits: before }: LedgerStep) => ({
            tokenUnits,
            principalUsdcUnits: before - distribution.principalUsdcUnits - distribution.badDebtUsdcUnits,
            paidFeeUsdcUnits: distribution.lifetimeFeeUsdcUnits,
            payoutUsdcUnits: distribution.userUsdcUnits,
          }),
        })),
        ...margins.map(({ blockNumber, logIndex, args }) => ({
          blockNumber,
          logIndex,
          isOpening: false,
          apply: ({ tokenUnits, principalUsdcUnits: before }: LedgerStep) => ({
            tokenUnits,
            principalUsdcUnits: before - args.principalUsdcUnits,
            paidFeeUsdcUnits: args.lifetimeFeeUsdcUnits,
            payoutUsdcUnits: -(args.principalUsdcUnits + args.lifetimeFeeUsdcUnits),
          }),
        })),
        ...settled.map(({ blockNumber, logIndex, args: { distribution } }) => ({
          blockNumber,
          logIndex,
          isOpening: false,
          apply: () => ({
            tokenUnits: 0n,
            principalUsdcUnits: 0n,
            paidFeeUsdcUnits: distribution.lifetimeFeeUsdcUnits,
            payoutUsdcUnits: distribution.userUsdcUnits,
          }),
        })),
      ];
    },
    { concurrency: 2, firstBlocks: 10_000n, maxFailures: 1, isLast: ({ isOpening }) => isOpening },
  );
  if (unread.length > 0) throw failure;
  const events: readonly LedgerEvent[] = items;
  return events.toSorted(
    (left, right) => Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex,
  );
}

/** Read tokens and debt of a position after each of its events from the vault's log, the oldest first. */
export async function readLedger(source: LedgerSource, positionKey: Hex): Promise<readonly LedgerStep[]> {
  const events = await readEvents(source, positionKey);
  const reader = chainReaderOf(source.rpcUrl);
  const blocks = await Promise.all(events.map(({ blockNumber }) => reader.getBlock({ blockNumber })));
  const steps: LedgerStep[] = [];
  for (const [index, { apply }] of events.entries()) {
    const atMs = Number(blocks[index]?.timestamp ?? 0n) * 1_000;
    const before = steps.at(-1) ?? {
      atMs,
      tokenUnits: 0n,
      principalUsdcUnits: 0n,
      paidFeeUsdcUnits: 0n,
      payoutUsdcUnits: 0n,
    };
    steps.push({ atMs, ...apply(before) });
  }
  return steps;
}
