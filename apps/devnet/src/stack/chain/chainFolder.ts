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

const lineSchema = z.union([blockSchema, acceptedSchema]);

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
  #journal: number | null = null;

  constructor(root: string) {
    this.#root = root;
    mkdirSync(root, { recursive: true });
    this.pidFile = nodeFileOf(root);
    this.#sequence = Math.max(0, ...this.#sequences());
  }

  /** Return the stored chain, or null when there is none. */
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

  /** Append to the journal; a truncated last line is removed. */
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

  /** Replace everything by one gzipped state of the whole chain and an empty journal. */
  checkpoint(state: Buffer, head: JournalHead): void {
    const previous = this.#sequence;
    this.#sequence += 1;
    const file = this.#stateFile(this.#sequence);
    const draft = openSync(`${file}.draft`, 'w', 0o600);
    writeSync(draft, state);
    fsyncSync(draft);
    closeSync(draft);
    this.#beginJournal(head);
    // The new checkpoint counts from here on.
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

/** Return the complete lines of a file. */
function wholeLines(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
}
