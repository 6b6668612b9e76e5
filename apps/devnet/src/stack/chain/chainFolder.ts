import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';

const hex = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform((text) => text as `0x${string}`);

/** First line of a journal: what the blocks after it stand on. */
const headSchema = z.object({
  /** Time of the first block of a chain without a checkpoint, Unix seconds. */
  genesisSeconds: z.number().int(),
  /** What the chain's clock is ahead of the machine's, seconds. */
  leadSeconds: z.number().int(),
});

/** A block as it was mined: mined again from the same state it has the same hash. */
const blockSchema = z.object({
  number: z.number().int(),
  seconds: z.number().int(),
  hash: hex,
  leadSeconds: z.number().int(),
  transactions: z.array(hex),
});

/** Transactions the chain has accepted, written before a block with them is mined. */
const acceptedSchema = z.object({ accepted: z.array(hex) });

const lineSchema = z.union([blockSchema, acceptedSchema]);

export type JournalHead = z.infer<typeof headSchema>;
export type JournalBlock = z.infer<typeof blockSchema>;

export interface ChainRecord {
  /** State to begin with; null for a chain that is mined again from its first block. */
  readonly stateFile: string | null;
  readonly head: JournalHead;
  readonly blocks: readonly JournalBlock[];
  /** Accepted transactions that are in no block, oldest first. */
  readonly waiting: readonly `0x${string}`[];
}

/** Names the process of the folder's node; beside the folder, because it outlives what is in there. */
export const nodeFileOf = (root: string): string => `${root}.node.json`;

/**
 * What the local chain keeps: checkpoints of the whole chain, and after each a journal of every block since. A block is
 * in the journal a moment after it was mined and its transactions before, so nothing that was mined can be lost.
 */
export class ChainFolder {
  readonly pidFile: string;
  readonly #root: string;
  #sequence: number;
  #journal: number | null = null;

  constructor(root: string) {
    this.#root = root;
    mkdirSync(root, { recursive: true });
    this.pidFile = nodeFileOf(root);
    this.#sequence = Math.max(0, ...this.#sequences());
  }

  /** What was kept; null when there is nothing to go on from. */
  read(): ChainRecord | null {
    const [text, ...lines] = wholeLines(this.#journalFile(this.#sequence));
    if (text === undefined) return null;
    const blocks: JournalBlock[] = [];
    const accepted = new Set<`0x${string}`>();
    for (const line of lines) {
      const entry = lineSchema.parse(JSON.parse(line));
      if ('accepted' in entry) for (const transaction of entry.accepted) accepted.add(transaction);
      else blocks.push(entry);
    }
    for (const { transactions } of blocks) for (const transaction of transactions) accepted.delete(transaction);
    return {
      stateFile: this.#unpackedState(),
      head: headSchema.parse(JSON.parse(text)),
      blocks,
      waiting: [...accepted],
    };
  }

  /** Goes on writing behind what was read; a line that was cut off is cut away. */
  openJournal(head: JournalHead): void {
    const file = this.#journalFile(this.#sequence);
    const lines = wholeLines(file);
    if (lines.length === 0) return this.#beginJournal(head);
    writeFileSync(`${file}.draft`, `${lines.join('\n')}\n`);
    renameSync(`${file}.draft`, file);
    this.#journal = openSync(file, 'a', 0o600);
  }

  append(entry: JournalBlock | z.infer<typeof acceptedSchema>): void {
    if (this.#journal === null) throw new Error('the journal is not open');
    writeSync(this.#journal, `${JSON.stringify(entry)}\n`);
  }

  /** Replaces everything by one state of the whole chain, packed with gzip, and an empty journal after it. */
  checkpoint(state: Buffer, head: JournalHead): void {
    const previous = this.#sequence;
    this.#sequence += 1;
    const file = this.#stateFile(this.#sequence);
    const draft = openSync(`${file}.draft`, 'w', 0o600);
    writeSync(draft, state);
    fsyncSync(draft);
    closeSync(draft);
    this.#beginJournal(head);
    // From here on the new checkpoint is the one that counts.
    renameSync(`${file}.draft`, file);
    rmSync(this.#stateFile(previous), { force: true });
    rmSync(this.#journalFile(previous), { force: true });
  }

  close(): void {
    if (this.#journal !== null) closeSync(this.#journal);
    this.#journal = null;
  }

  #beginJournal(head: JournalHead): void {
    this.close();
    this.#journal = openSync(this.#journalFile(this.#sequence), 'w', 0o600);
    writeSync(this.#journal, `${JSON.stringify(head)}\n`);
  }

  #sequences(): readonly number[] {
    return readdirSync(this.#root).flatMap((name) => {
      const match = /^state-(\d+)\.json\.gz$/.exec(name);
      return match === null ? [] : [Number(match[1])];
    });
  }

  #stateFile = (sequence: number): string => path.join(this.#root, `state-${sequence}.json.gz`);
  #journalFile = (sequence: number): string => path.join(this.#root, `blocks-${sequence}.ndjson`);

  #unpackedState(): string | null {
    if (this.#sequence === 0) return null;
    const unpacked = path.join(this.#root, 'state.json');
    writeFileSync(unpacked, gunzipSync(readFileSync(this.#stateFile(this.#sequence))));
    return unpacked;
  }
}

/** Lines that were written to their end. */
function wholeLines(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
}
