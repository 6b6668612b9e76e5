import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { OrderRecord, TradeRecord } from '../orders/records.ts';
import type { SettlementMatch } from '../settlement/settlement.ts';

const resolution = z.union([z.literal(0), z.literal(1), z.literal('void')]);

/** Orders, trades and matches as stored by the venue, with their market as a slug. */
type Kept<Value extends { readonly market: unknown }> = Omit<Value, 'market'> & { readonly market: string };

/** Schema of a record. Only the market is checked, because the venue alone writes the journal. */
const keptSchema = <Value extends { readonly market: unknown }>() =>
  z.custom<Kept<Value>>((value) => z.looseObject({ market: z.string() }).safeParse(value).success);

const lineSchema = z.discriminatedUnion('kind', [
  /** First line, from which all worlds follow. A journal without `strikes` has the default ones. */
  z.object({ kind: z.literal('opened'), seed: z.string(), strikesPerAsset: z.number().default(0), atMs: z.number() }),
  /** Instant at which markets were listed; a replay lists the same ones. */
  z.object({ kind: z.literal('listing'), atMs: z.number() }),
  z.object({ kind: z.literal('scenario'), atMs: z.number(), body: z.unknown() }),
  z.object({ kind: z.literal('replay'), atMs: z.number(), query: z.unknown(), csv: z.string() }),
  /** Lead of the venue's clock over the machine's. */
  z.object({ kind: z.literal('lead'), leadMs: z.number() }),
  z.object({ kind: z.literal('resolved'), slug: z.string(), resolution, closedMs: z.number() }),
  z.object({ kind: z.literal('order'), order: keptSchema<OrderRecord>() }),
  z.object({ kind: z.literal('trade'), trade: keptSchema<TradeRecord>() }),
  /** Match that a trade's settlement sends; needed until the trade is mined or has failed. */
  z.object({ kind: z.literal('match'), tradeId: z.string(), match: keptSchema<SettlementMatch>() }),
]);

export type JournalLine = z.output<typeof lineSchema>;
type LineOf<Kind extends JournalLine['kind']> = Extract<JournalLine, { readonly kind: Kind }>;

/** History of a venue, oldest first. */
export interface VenueHistory {
  readonly opened: LineOf<'opened'>;
  /** Inputs of the worlds and the catalogue, oldest first. */
  readonly inputs: readonly (LineOf<'listing'> | LineOf<'scenario'> | LineOf<'replay'>)[];
  readonly leadMs: number;
  readonly resolved: ReadonlyMap<string, LineOf<'resolved'>>;
  readonly orders: readonly LineOf<'order'>['order'][];
  readonly trades: readonly LineOf<'trade'>['trade'][];
  /** By trade. */
  readonly matches: ReadonlyMap<string, LineOf<'match'>['match']>;
}

const finalStatuses: ReadonlySet<string> = new Set(['CONFIRMED', 'FAILED']);

/**
 * Journal of the inputs of the worlds and of the orders and trades of outside accounts: one line each, written before
 * the response. Quotes, takers and prices are not in it, because they follow from the seed and the time.
 */
export class VenueJournal {
  /** Null for a new venue. */
  readonly history: VenueHistory | null;
  readonly #file: number;
  #isPaused = false;
  #listedMs = Number.NEGATIVE_INFINITY;

  /** Read the file, compact it, and append to it from then on. */
  constructor(file: string) {
    mkdirSync(path.dirname(file), { recursive: true });
    const lines = keptLines(existsSync(file) ? readFileSync(file, 'utf8') : '');
    writeFileSync(`${file}.draft`, lines.map((line) => `${encodeLine(line)}\n`).join(''));
    renameSync(`${file}.draft`, file);
    this.#file = openSync(file, 'a');
    this.history = historyOf(lines);
  }

  write(line: JournalLine): void {
    if (!this.#isPaused) writeSync(this.#file, `${encodeLine(line)}\n`);
  }

  /** Record a listing, once for all markets of the same instant. */
  writeListing(atMs: number): void {
    if (this.#isPaused || atMs === this.#listedMs) return;
    this.#listedMs = atMs;
    this.write({ kind: 'listing', atMs });
  }

  /** Append a line; nothing is written during the replay. */
  async whilePaused(work: () => Promise<void>): Promise<void> {
    this.#isPaused = true;
    try {
      await work();
    } finally {
      this.#isPaused = false;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Parse the lines without a truncated last one, and keep the last state of each order and trade. */
function keptLines(text: string): readonly JournalLine[] {
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  const latest = new Map<string, JournalLine>();
  for (const [index, written] of lines.entries()) {
    const line = decodeLine(written);
    latest.set(keyOf(line, index), line);
  }
  for (const line of latest.values()) {
    if (line.kind === 'trade' && finalStatuses.has(line.trade.status)) latest.delete(`match ${line.trade.id}`);
  }
  return [...latest.values()];
}

function keyOf(line: JournalLine, index: number): string {
  if (line.kind === 'order') return `order ${line.order.id}`;
  if (line.kind === 'trade') return `trade ${line.trade.id}`;
  if (line.kind === 'match') return `match ${line.tradeId}`;
  return line.kind === 'lead' ? 'lead' : `input ${index}`;
}

function historyOf(lines: readonly JournalLine[]): VenueHistory | null {
  const opening = lines.find((line) => line.kind === 'opened');
  if (opening === undefined) return null;
  const inputs = lines.filter((line) => line.kind === 'listing' || line.kind === 'scenario' || line.kind === 'replay');
  return {
    opened: opening,
    inputs,
    leadMs: lines.find((line) => line.kind === 'lead')?.leadMs ?? 0,
    resolved: new Map(lines.flatMap((line) => (line.kind === 'resolved' ? [[line.slug, line] as const] : []))),
    orders: lines.flatMap((line) => (line.kind === 'order' ? [line.order] : [])),
    trades: lines.flatMap((line) => (line.kind === 'trade' ? [line.trade] : [])),
    matches: new Map(lines.flatMap((line) => (line.kind === 'match' ? [[line.tradeId, line.match] as const] : []))),
  };
}

/** Prefix of whole numbers beyond 53 bits, which are written as text. No text of a record begins with it. */
const bigintMark = 'bigint:';

const encodeLine = (line: JournalLine): string =>
  JSON.stringify(line, (_key, value: unknown) => (typeof value === 'bigint' ? `${bigintMark}${value}` : value));

function decodeLine(text: string): JournalLine {
  const value: unknown = JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(bigintMark) ? BigInt(value.slice(bigintMark.length)) : value,
  );
  return lineSchema.parse(value);
}
