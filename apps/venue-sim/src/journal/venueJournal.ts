import { AppendedLines, type Logger } from '@core/runtime';
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
  readonly #lines: AppendedLines<JournalLine>;
  #isPaused = false;
  #listedMs = Number.NEGATIVE_INFINITY;

  /**
   * Read the file, compact it, and append to it from then on.
   * @throws FriendlyError when it cannot be opened, or a line before the last is damaged
   */
  constructor(file: string, logger: Pick<Logger, 'warn'>) {
    const remedy = 'Remove the file to begin a new venue.';
    const isSynced = false;
    this.#lines = new AppendedLines({ file, schema: lineSchema, remedy, logger, isSynced, compact: latestLines });
    this.history = historyOf(this.#lines.lines);
  }

  write(line: JournalLine): void {
    if (!this.#isPaused) this.#lines.append(line);
  }

  /** Record a listing, once for all markets of the same instant. */
  writeListing(atMs: number): void {
    if (this.#isPaused || atMs === this.#listedMs) return;
    this.write({ kind: 'listing', atMs });
    this.#listedMs = atMs;
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
    this.#lines.close();
  }
}

/** Return the inputs, and the last state of each order and trade. */
function latestLines(lines: readonly JournalLine[]): readonly JournalLine[] {
  const latest = new Map(lines.map((line, index) => [keyOf(line, index), line] as const));
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
