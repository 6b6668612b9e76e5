import { Fault } from '@core/errors';
import {
  AppendedLines,
  type FileOperations,
  FriendlyError,
  type LineFile,
  type Logger,
  readLineFile,
} from '@core/runtime';
import { isAddressEqual } from 'viem';
import {
  type EndLine,
  type JournalLine,
  lineSchema,
  type Movement,
  type Opened,
  type SignedCall,
  type SignedOrder,
  type TradedMarket,
} from './journalLines.ts';

/** State that the lines of a journal add up to. */
export class JournalState {
  opened: Opened | null = null;
  /** Signatures of each transaction whose end is not known, by key, the newest last. */
  readonly calls = new Map<string, readonly SignedCall[]>();
  /** Orders whose end is not known, by hash. */
  readonly orders = new Map<string, SignedOrder>();
  readonly markets = new Map<string, TradedMarket>();
  readonly movements: Movement[] = [];
  throughBlock: bigint | null = null;
  gasWei = 0n;

  apply(line: JournalLine): void {
    switch (line.kind) {
      case 'opened':
        this.opened = line;
        this.throughBlock ??= line.blockNumber;
        return;
      case 'call':
        this.calls.set(line.id, [...(this.calls.get(line.id) ?? []), line]);
        return;
      case 'call_end':
        this.calls.delete(line.id);
        this.gasWei += line.gasWei;
        return;
      case 'order':
        this.orders.set(line.id, line);
        return;
      case 'order_end':
        this.orders.delete(line.id);
        return;
      case 'market':
        this.markets.set(line.conditionId, line);
        return;
      case 'booked':
        this.movements.push(...line.movements);
        this.throughBlock = line.throughBlock;
        return;
      case 'gas':
        this.gasWei += line.wei;
    }
  }
}

const formatOf = (file: string): LineFile<JournalLine> => ({
  file,
  schema: lineSchema,
  remedy:
    'A transaction or order may be lost with it: once the account has none waiting, remove the damaged part and start again.',
});

const stateOf = (lines: readonly JournalLine[]): JournalState => {
  const state = new JournalState();
  for (const line of lines) state.apply(line);
  return state;
};

/** Read the state of a journal and leave its file. @throws FriendlyError when a line before the last is damaged */
export const readJournal = (file: string): JournalState => stateOf(readLineFile(formatOf(file)).lines);

/** Room that a disk must have after a failure: a hundred transactions and orders. */
const roomBytes = 2 ** 18;

/**
 * Journal of the filler: an append-only file. Every transaction and order is on the disk before it leaves the process,
 * and its end afterwards. Accounts are booked from the chain. Opening it removes transactions and orders that ended.
 * See apps/filler/DECISIONS.md#the-journal-is-an-append-only-file.
 */
export class Journal {
  /** Sum of the lines in the file. */
  readonly state: JournalState;
  readonly #lines: AppendedLines<JournalLine>;
  /** Ends that are not in the file yet, oldest first. */
  readonly #ends: EndLine[] = [];
  #problem: string | null = null;

  /** @throws FriendlyError when the file cannot be opened, or a line before the last is damaged */
  constructor(file: string, logger: Pick<Logger, 'warn'>, files?: FileOperations) {
    const compact = (lines: readonly JournalLine[]): readonly JournalLine[] => linesOf(stateOf(lines));
    this.#lines = new AppendedLines({ ...formatOf(file), logger, isSynced: true, compact, ...(files && { files }) });
    this.state = stateOf(this.#lines.lines);
  }

  /** Reason for which the file takes no line; null while it does. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Write a line. @throws Fault retryable when the file does not take it: what it is about must not happen then */
  write(line: JournalLine): void {
    this.#attempt(() => this.#append(line));
  }

  /**
   * Write the end of a transaction or order. Where the file does not take it, it is written before the next line, and a
   * start before that resolves it again.
   */
  end(line: EndLine): void {
    this.#ends.push(line);
    this.retry();
  }

  /** Write what is left, and after a failure check that there is room again. Return the problem that remains. */
  retry(): string | null {
    try {
      this.#attempt(() => {
        if (this.#problem !== null) this.#lines.checkRoom(roomBytes);
      });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
    return this.#problem;
  }

  /** Record a market before anything is traded in it. */
  noteMarket({ conditionId, yesTokenId, noTokenId }: TradedMarket): void {
    if (!this.state.markets.has(conditionId)) this.write({ kind: 'market', conditionId, yesTokenId, noTokenId });
  }

  /**
   * Begin the accounts, or check that the journal belongs to this account.
   * @throws FriendlyError when it belongs to another account, vault or chain.
   */
  async begin(owner: Pick<Opened, 'chainId' | 'vault' | 'account'>, readStart: () => Promise<Opened>): Promise<void> {
    const { opened } = this.state;
    if (opened === null) return this.write(await readStart());
    const isSame =
      opened.chainId === owner.chainId &&
      isAddressEqual(opened.vault, owner.vault) &&
      isAddressEqual(opened.account, owner.account);
    if (isSame) return;
    throw new FriendlyError(
      `The journal belongs to account ${opened.account} at vault ${opened.vault} on chain ${opened.chainId}: set FILLER_JOURNAL to another file.`,
    );
  }

  close(): void {
    this.#lines.close();
  }

  /** Write the ends that are left, then do the work. */
  #attempt(work: () => void): void {
    try {
      for (let end = this.#ends[0]; end !== undefined; [end] = this.#ends) {
        this.#append(end);
        this.#ends.shift();
      }
      work();
      this.#problem = null;
    } catch (error) {
      if (error instanceof Fault) this.#problem = error.message;
      throw error;
    }
  }

  #append(line: JournalLine): void {
    this.#lines.append(line);
    this.state.apply(line);
  }
}

/** Return the lines that add up to the same state. */
function linesOf(state: JournalState): readonly JournalLine[] {
  const { opened, throughBlock, movements, gasWei } = state;
  return [
    ...(opened === null ? [] : [opened]),
    ...[...state.markets.values()].map((market) => ({ kind: 'market' as const, ...market })),
    ...(gasWei === 0n ? [] : [{ kind: 'gas' as const, wei: gasWei }]),
    ...(throughBlock === null ? [] : [{ kind: 'booked' as const, throughBlock, movements }]),
    ...[...state.calls.values()].flat(),
    ...state.orders.values(),
  ];
}
