import { FriendlyError } from '@core/runtime';
import { isAddressEqual } from 'viem';
import { AppendedLines, readLines } from './appendedLines.ts';
import {
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

/** Read the state of a journal without changing its file. */
export function readJournal(file: string): JournalState {
  const state = new JournalState();
  for (const line of readLines(file)) state.apply(lineSchema.parse(line));
  return state;
}

/**
 * Journal of the filler: an append-only file. Every transaction and order is on the disk before it leaves the process,
 * and its end afterwards. Accounts are booked from the chain. Opening it removes transactions and orders that ended.
 * See apps/filler/DECISIONS.md#the-journal-is-an-append-only-file.
 */
export class Journal {
  readonly state: JournalState;
  readonly #lines: AppendedLines;

  constructor(file: string) {
    this.state = readJournal(file);
    this.#lines = new AppendedLines(file, linesOf(this.state));
  }

  write(line: JournalLine): void {
    this.#lines.append(line);
    this.state.apply(line);
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
}

/** Return the lines that add up to the same state. */
function linesOf(state: JournalState): readonly JournalLine[] {
  const { opened, throughBlock, movements, gasWei } = state;
  if (opened === null) return [];
  return [
    opened,
    ...[...state.markets.values()].map((market) => ({ kind: 'market' as const, ...market })),
    { kind: 'gas', wei: gasWei },
    { kind: 'booked', throughBlock: throughBlock ?? opened.blockNumber, movements },
    ...[...state.calls.values()].flat(),
    ...state.orders.values(),
  ];
}
