import { liquidityPoolAbi, Purpose, vaultAbi } from '@core/vault';
import { parseEventLogs } from 'viem';
import { chainReaderOf } from '../chain/chain.ts';
import type { Hex } from '../chain/wallet.ts';
import { type PoolLog, readPoolLogs } from './poolLogs.ts';
import { oneShare, type PoolSource, utilisationOf } from './readPool.ts';

/** State of the pool at one moment. */
export interface PoolPoint {
  /** Unix seconds. */
  readonly atSeconds: number;
  /** Redemption price of one share, in USDC units. */
  readonly usdcUnits: bigint;
  /** Total value in USDC units and loans over assets; null where the node has no old state. */
  readonly totalUsdcUnits: bigint | null;
  readonly utilisationBps: number | null;
}

/** Loans of one outcome with their cap. Amounts in USDC units. */
export interface OutcomeLoan {
  readonly outcomeId: number;
  /** Token id of the venue, in decimal. */
  readonly tokenId: string;
  readonly loanUsdcUnits: bigint;
  readonly capUsdcUnits: bigint;
}

/** Realised or possible loss of the pool. */
export interface LossEvent {
  readonly kind: 'lost' | 'impaired' | 'cleared';
  readonly atSeconds: number;
  readonly positionKey: Hex;
  readonly outcomeId: number;
  readonly usdcUnits: bigint;
  /** Reason, in a sentence. */
  readonly reason: string;
  readonly hash: Hex;
}

/** History of the pool from its event log. */
export interface PoolHistory {
  readonly points: readonly PoolPoint[];
  readonly loans: readonly OutcomeLoan[];
  /** Losses, the newest first. */
  readonly losses: readonly LossEvent[];
}

type Reader = ReturnType<typeof chainReaderOf>;

/** Maximum number of blocks at which the pool is read; more would not change the line visibly. */
const maxBlocks = 60;

/** Read the history of the pool that follows from some of its events, the oldest first. */
export async function readPoolHistory(source: PoolSource, logs: readonly PoolLog[]): Promise<PoolHistory> {
  const reader = chainReaderOf(source.rpcUrl);
  const [points, loans, losses] = await Promise.all([
    readPoints(reader, source, logs),
    readLoans(reader, source, logs),
    readLosses(reader, source, logs),
  ]);
  return { points, loans, losses };
}

/** Read the pool after each block that changed it, and now. */
async function readPoints(
  reader: Reader,
  { pool }: PoolSource,
  logs: readonly PoolLog[],
): Promise<readonly PoolPoint[]> {
  const moved = [...new Set(logs.map(({ blockNumber }) => blockNumber))];
  const step = Math.max(1, moved.length / maxBlocks);
  const sampledBlocks = moved.filter((_block, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  const blocks = [...new Set([...sampledBlocks, await reader.getBlockNumber()])];
  const points = await Promise.all(
    blocks.map(async (blockNumber) => {
      const call = { address: pool, abi: liquidityPoolAbi, blockNumber } as const;
      const [block, price, totalShares, book] = await Promise.all([
        reader.getBlock({ blockNumber }),
        // A node without old state rejects the reads: the events of that block may still contain the price.
        reader
          .readContract({ ...call, functionName: 'convertToAssets', args: [oneShare] })
          .catch(() => statedPriceOf(logs.filter((log) => log.blockNumber === blockNumber))),
        reader.readContract({ ...call, functionName: 'totalSupply' }).catch(() => null),
        reader.readContract({ ...call, functionName: 'bookOf' }).catch(() => null),
      ]);
      if (price === null) return [];
      const totalUsdcUnits = totalShares === null ? null : (totalShares * price) / oneShare;
      const utilisationBps = book === null ? null : utilisationOf(book);
      return [{ atSeconds: Number(block.timestamp), usdcUnits: price, totalUsdcUnits, utilisationBps }];
    }),
  );
  return points.flat();
}

/** Return the price that a withdrawal request or a deposit states, rounded down; null without one. */
function statedPriceOf(logs: readonly PoolLog[]): bigint | null {
  for (const log of logs) {
    if (log.eventName === 'RedeemRequested' && log.args.shares > 0n) {
      return (log.args.capUsdcUnits * oneShare) / log.args.shares;
    }
    if (log.eventName === 'Deposit' && log.args.shares > 0n) return (log.args.assets * oneShare) / log.args.shares;
  }
  return null;
}

/** Read the current loans of every outcome. */
export async function readLoansNow(source: PoolSource): Promise<readonly OutcomeLoan[]> {
  const reader = chainReaderOf(source.rpcUrl);
  return readLoans(reader, source, await readPoolLogs(source));
}

/** Read every outcome with outstanding loans, the largest first. */
async function readLoans(
  reader: Reader,
  { pool, vault }: PoolSource,
  logs: readonly PoolLog[],
): Promise<readonly OutcomeLoan[]> {
  const ids = new Set(logs.flatMap((log) => (log.eventName === 'Lent' ? [log.args.outcomeId] : [])));
  const loans = await Promise.all(
    [...ids].map(async (outcomeId) => {
      const [[loanUsdcUnits, capUsdcUnits], { tokenId }] = await Promise.all([
        reader.readContract({ address: pool, abi: liquidityPoolAbi, functionName: 'outcomeLoanOf', args: [outcomeId] }),
        reader.readContract({ address: vault, abi: vaultAbi, functionName: 'outcomeOf', args: [outcomeId] }),
      ]);
      return { outcomeId, tokenId: String(tokenId), loanUsdcUnits, capUsdcUnits };
    }),
  );
  return loans
    .filter(({ loanUsdcUnits }) => loanUsdcUnits > 0n)
    .toSorted((left, right) => Number(right.loanUsdcUnits - left.loanUsdcUnits));
}

async function readLosses(reader: Reader, source: PoolSource, logs: readonly PoolLog[]): Promise<readonly LossEvent[]> {
  const losses = await Promise.all(
    logs.map(async (log) => {
      const loss = lossOf(log);
      if (loss === null) return [];
      const [block, reason] = await Promise.all([
        reader.getBlock({ blockNumber: log.blockNumber }),
        loss.kind === 'lost' ? lossReason(reader, source, log) : markTexts[loss.kind],
      ]);
      return [{ ...loss, reason, atSeconds: Number(block.timestamp), hash: log.transactionHash }];
    }),
  );
  return losses.flat().toReversed();
}

const markTexts = {
  impaired: 'Guardian or owner marked the loan as impaired: redemptions already bear the loss.',
  cleared: 'The owner cleared the mark.',
} as const;

function lossOf(log: PoolLog): Pick<LossEvent, 'kind' | 'positionKey' | 'outcomeId' | 'usdcUnits'> | null {
  if (log.eventName === 'Booked' && log.args.booking.badDebtUsdcUnits > 0n) {
    const { positionKey, outcomeId, booking } = log.args;
    return { kind: 'lost', positionKey, outcomeId, usdcUnits: booking.badDebtUsdcUnits };
  }
  if (log.eventName !== 'Impaired') return null;
  const { positionKey, outcomeId, usdcUnits } = log.args;
  return { kind: usdcUnits === 0n ? 'cleared' : 'impaired', positionKey, outcomeId, usdcUnits };
}

/** Return how the position ended, from the vault's events of the same transaction. */
async function lossReason(reader: Reader, { vault }: PoolSource, log: PoolLog): Promise<string> {
  const receipt = await reader.getTransactionReceipt({ hash: log.transactionHash });
  const ofVault = receipt.logs.filter(({ address }) => address.toLowerCase() === vault.toLowerCase());
  for (const event of parseEventLogs({ abi: vaultAbi, logs: ofVault })) {
    if (event.eventName === 'PositionSettled') return 'The market payout was less than the loan.';
    if (event.eventName === 'PositionRefunded') return 'The opening was refunded with less USDC than the loan.';
    if (event.eventName === 'PositionReduced') {
      return event.args.purpose === Purpose.Liquidate
        ? 'The liquidation proceeds were less than the loan.'
        : 'The last tokens were sold for less than the loan.';
    }
  }
  return 'The vault recorded the loss without a reason.';
}
