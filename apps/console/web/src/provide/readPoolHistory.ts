import { liquidityPoolAbi, Purpose, vaultAbi } from '@core/vault';
import { parseEventLogs } from 'viem';
import { chainReaderOf } from '../chain/chain.ts';
import type { Hex } from '../chain/wallet.ts';
import { oneShare, type PoolPlace } from './readPool.ts';

/** What one share brought who left, in USDC units, at one moment. */
export interface SharePricePoint {
  /** Unix seconds. */
  readonly atSeconds: number;
  readonly usdcUnits: bigint;
}

/** What one outcome has borrowed, and how much it may. Amounts in USDC units. */
export interface OutcomeLoan {
  readonly outcomeId: number;
  /** Token of the venue, as a decimal number. */
  readonly tokenId: string;
  readonly loanUsdcUnits: bigint;
  readonly capUsdcUnits: bigint;
}

/** Something that cost the pool, or may. */
export interface LossEvent {
  readonly kind: 'lost' | 'impaired' | 'cleared';
  readonly atSeconds: number;
  readonly positionKey: Hex;
  readonly outcomeId: number;
  readonly usdcUnits: bigint;
  /** Why, in a sentence. */
  readonly reason: string;
  readonly hash: Hex;
}

/** What the pool's own log says. */
export interface PoolHistory {
  readonly points: readonly SharePricePoint[];
  readonly loans: readonly OutcomeLoan[];
  /** The newest first. */
  readonly losses: readonly LossEvent[];
}

type Reader = ReturnType<typeof chainReaderOf>;

/** Blocks at which the price is read; more would draw no other line. */
const drawnBlocks = 60;

async function readLogs(reader: Reader, { pool }: PoolPlace) {
  return reader.getContractEvents({ address: pool, abi: liquidityPoolAbi, fromBlock: 'earliest', strict: true });
}

type PoolLog = Awaited<ReturnType<typeof readLogs>>[number];

/** Everything that has happened in the pool, from its events. */
export async function readPoolHistory(place: PoolPlace): Promise<PoolHistory> {
  const reader = chainReaderOf(place.rpcUrl);
  const logs = await readLogs(reader, place);
  const [points, loans, losses] = await Promise.all([
    readPoints(reader, place, logs),
    readLoans(reader, place, logs),
    readLosses(reader, place, logs),
  ]);
  return { points, loans, losses };
}

/** The price after each block in which the pool's book moved, and now. */
async function readPoints(
  reader: Reader,
  { pool }: PoolPlace,
  logs: readonly PoolLog[],
): Promise<readonly SharePricePoint[]> {
  const moved = [...new Set(logs.map(({ blockNumber }) => blockNumber))];
  const step = Math.max(1, moved.length / drawnBlocks);
  const drawn = moved.filter((_block, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  const blocks = [...new Set([...drawn, await reader.getBlockNumber()])];
  const points = await Promise.all(
    blocks.map(async (blockNumber) => {
      const [block, price] = await Promise.all([
        reader.getBlock({ blockNumber }),
        // A node that keeps no old state refuses: that block's own events may still say it.
        reader
          .readContract({
            address: pool,
            abi: liquidityPoolAbi,
            functionName: 'convertToAssets',
            args: [oneShare],
            blockNumber,
          })
          .catch(() => statedPriceOf(logs.filter((log) => log.blockNumber === blockNumber))),
      ]);
      return price === null ? [] : [{ atSeconds: Number(block.timestamp), usdcUnits: price }];
    }),
  );
  return points.flat();
}

/** The price that a request or a deposit states by itself, rounded down; null without one. */
function statedPriceOf(logs: readonly PoolLog[]): bigint | null {
  for (const log of logs) {
    if (log.eventName === 'RedeemRequested' && log.args.shares > 0n) {
      return (log.args.capUsdcUnits * oneShare) / log.args.shares;
    }
    if (log.eventName === 'Deposit' && log.args.shares > 0n) return (log.args.assets * oneShare) / log.args.shares;
  }
  return null;
}

/** What every outcome has borrowed now. */
export async function readLoansNow(place: PoolPlace): Promise<readonly OutcomeLoan[]> {
  const reader = chainReaderOf(place.rpcUrl);
  return readLoans(reader, place, await readLogs(reader, place));
}

/** Every outcome that has borrowed something now, the largest loan first. */
async function readLoans(
  reader: Reader,
  { pool, vault }: PoolPlace,
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

async function readLosses(reader: Reader, place: PoolPlace, logs: readonly PoolLog[]): Promise<readonly LossEvent[]> {
  const found = await Promise.all(
    logs.map(async (log) => {
      const loss = lossOf(log);
      if (loss === null) return [];
      const [block, reason] = await Promise.all([
        reader.getBlock({ blockNumber: log.blockNumber }),
        loss.kind === 'lost' ? lossReason(reader, place, log) : markTexts[loss.kind],
      ]);
      return [{ ...loss, reason, atSeconds: Number(block.timestamp), hash: log.transactionHash }];
    }),
  );
  return found.flat().toReversed();
}

const markTexts = {
  impaired: 'Guardian or owner marked the loan as likely lost: who leaves bears it already.',
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

/** How the position ended, as the vault says in the same transaction. */
async function lossReason(reader: Reader, { vault }: PoolPlace, log: PoolLog): Promise<string> {
  const receipt = await reader.getTransactionReceipt({ hash: log.transactionHash });
  const ofVault = receipt.logs.filter(({ address }) => address.toLowerCase() === vault.toLowerCase());
  for (const event of parseEventLogs({ abi: vaultAbi, logs: ofVault })) {
    if (event.eventName === 'PositionSettled') return 'The market ended, and the payout was less than the loan.';
    if (event.eventName === 'PositionRefunded') return 'Its opening ended with less USDC in the account than the loan.';
    if (event.eventName === 'PositionReduced') {
      return event.args.purpose === Purpose.Liquidate
        ? 'It was liquidated, and its tokens brought less than the loan.'
        : 'Its last tokens were sold for less than the loan.';
    }
  }
  return 'The vault booked it without another event.';
}
