import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { AppendedLines, type LineFile, type Logger, readLineFile, replaceFile } from '@core/runtime';
import { z } from 'zod';
import { freshCommand } from '../state/stateFolder.ts';

/** Schema of bytes as hex with `0x`. */
export const hexSchema = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform((text): `0x${string}` => `0x${text.slice(2)}`);

/** First line of a journal: the state on which its blocks are built. */
const headSchema = z.object({
  /** Time of the first block of a chain without a checkpoint, Unix seconds. */
  genesisSeconds: z.number().int(),
  /** Lead of the chain's clock over the machine's, seconds. */
  leadSeconds: z.number().int(),
});

/** A mined block: mined again from the same state it has the same hash. */
const blockSchema = z.object({
  number: z.number().int(),
  seconds: z.number().int(),
  hash: hexSchema,
  leadSeconds: z.number().int(),
  transactions: z.array(hexSchema),
});

/** Transactions that the chain accepted, written before a block with them is mined. */
const acceptedSchema = z.object({ accepted: z.array(hexSchema) });

const lineSchema = z.union([blockSchema, acceptedSchema, headSchema]);
type JournalLine = z.infer<typeof lineSchema>;

export type JournalHead = z.infer<typeof headSchema>;
export type JournalBlock = z.infer<typeof blockSchema>;

export interface ChainRecord {
  /** State to begin with; null for a chain that is mined again from its first block. */
  readonly stateFile: string | null;
  readonly head: JournalHead;
  readonly blocks: readonly JournalBlock[];
  /** Accepted transactions without a block, oldest first. */
  readonly waiting: readonly `0x${string}`[];
}

/** Return the file that names the node process. It is beside the folder, because it outlives its content. */
export const nodeFileOf = (root: string): string => `${root}.node.json`;

/**
 * Stored local chain: checkpoints of the whole chain, each followed by a journal of later blocks. Transactions are
 * written before their block is mined and the block right after, so that no mined transaction is lost.
 */
export class ChainFolder {
  readonly pidFile: string;
  readonly #root: string;
  #sequence: number;
  #journal: AppendedLines<JournalLine> | null = null;
  readonly #logger: Pick<Logger, 'warn'>;

  constructor(root: string, logger: Pick<Logger, 'warn'>) {
    this.#root = root;
    this.#logger = logger;
    mkdirSync(root, { recursive: true });
    // A node that was killed while it wrote a checkpoint.
    for (const name of readdirSync(root)) if (name.endsWith('.draft')) rmSync(path.join(root, name));
    this.pidFile = nodeFileOf(root);
    this.#sequence = Math.max(0, ...this.#sequences());
  }

  /** Return the stored chain, or null when there is none. @throws FriendlyError when its journal is damaged */
  read(): ChainRecord | null {
    let head: JournalHead | null = null;
    const blocks: JournalBlock[] = [];
    const accepted = new Set<`0x${string}`>();
    for (const line of readLineFile(this.#journalFile(this.#sequence)).lines) {
      if ('accepted' in line) for (const transaction of line.accepted) accepted.add(transaction);
      else if ('number' in line) blocks.push(line);
      else head = line;
    }
    if (head === null) return null;
    for (const { transactions } of blocks) for (const transaction of transactions) accepted.delete(transaction);
    return { stateFile: this.#unpackedState(), head, blocks, waiting: [...accepted] };
  }

  /** Append to the journal; a last line that was not written whole is cut off. */
  openJournal(head: JournalHead): void {
    this.#journal = this.#openedJournal(this.#sequence);
    if (this.#journal.lines.length === 0) this.#journal.append(head);
  }

  /** @throws Fault when the disk does not take it: nothing of it is in the journal then */
  append(entry: JournalBlock | z.infer<typeof acceptedSchema>): void {
    if (this.#journal === null) throw new Error('the journal is not open');
    this.#journal.append(entry);
  }

  /**
   * Replace everything by one gzipped state of the whole chain and an empty journal.
   * @throws Fault or FriendlyError when the disk does not take it: everything stays as it is then
   */
  checkpoint(state: Buffer, head: JournalHead): void {
    const previous = this.#sequence;
    const next = previous + 1;
    // A start that ended before its checkpoint counted may have left one.
    rmSync(this.#journalFile(next).file, { force: true });
    const journal = this.#openedJournal(next);
    try {
      journal.append(head);
      // The new checkpoint counts from here on.
      replaceFile(this.#stateFile(next), state);
    } catch (error) {
      journal.close();
      rmSync(this.#journalFile(next).file, { force: true });
      throw error;
    }
    this.close();
    this.#journal = journal;
    this.#sequence = next;
    rmSync(this.#stateFile(previous), { force: true });
    rmSync(this.#journalFile(previous).file, { force: true });
  }

  close(): void {
    this.#journal?.close();
    this.#journal = null;
  }

  #openedJournal(sequence: number): AppendedLines<JournalLine> {
    return new AppendedLines({ ...this.#journalFile(sequence), logger: this.#logger, isSynced: false });
  }

  #sequences(): readonly number[] {
    return readdirSync(this.#root).flatMap((name) => {
      const match = /^state-(\d+)\.json\.gz$/.exec(name);
      return match === null ? [] : [Number(match[1])];
    });
  }

  #stateFile = (sequence: number): string => path.join(this.#root, `state-${sequence}.json.gz`);
  #journalFile = (sequence: number): LineFile<JournalLine> => ({
    file: path.join(this.#root, `blocks-${sequence}.ndjson`),
    schema: lineSchema,
    remedy: `Start from scratch with \`${freshCommand}\`.`,
  });

  #unpackedState(): string | null {
    if (this.#sequence === 0) return null;
    const unpacked = path.join(this.#root, 'state.json');
    writeFileSync(unpacked, gunzipSync(readFileSync(this.#stateFile(this.#sequence))));
    return unpacked;
  }
}
