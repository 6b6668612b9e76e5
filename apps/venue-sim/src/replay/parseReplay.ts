import { parse } from 'csv-parse/sync';
import { parseDecimal } from '../units/decimals.ts';

/** Rejection of a CSV that cannot be replayed, returned as 400 with this text. */
export class ReplayRefusal extends Error {}

/** One recorded quote of the first token; a side without a quote is null. */
export interface RecordedQuote {
  /** Milliseconds after the first row of the market. */
  readonly afterMs: number;
  readonly bidPricePips: bigint | null;
  readonly askPricePips: bigint | null;
}

export interface RecordedSeries {
  readonly marketId: string;
  /** Instant of the first row in the record, epoch milliseconds. */
  readonly firstMs: number;
  readonly quotes: readonly RecordedQuote[];
  /** True for the columns of an up/down market. */
  readonly isUpDown: boolean;
}

const maximumMarkets = 50;

/** Parse a price cell: empty, 0 and 1 mean no quote; digits beyond a pip are truncated. */
function priceCell(text: string | undefined, row: number): bigint | null {
  const written = text?.trim() ?? '';
  if (written === '') return null;
  const pips = parseDecimal(written.slice(0, written.includes('.') ? written.indexOf('.') + 5 : undefined), 4);
  if (pips === null || pips > 10_000n) throw new ReplayRefusal(`row ${row}: "${written}" is no price`);
  return pips === 0n || pips === 10_000n ? null : pips;
}

function instantCell(text: string | undefined, row: number): number {
  if (text === undefined || !/^\d{1,11}(\.\d+)?$/.test(text.trim())) {
    throw new ReplayRefusal(`row ${row}: t_unix "${text ?? ''}" is no time in seconds`);
  }
  return Math.round(Number(text) * 1000);
}

function rowsOf(csv: string): Record<string, string>[] {
  try {
    return parse<Record<string, string>>(csv, { columns: true, skip_empty_lines: true, trim: true, bom: true });
  } catch (error) {
    throw new ReplayRefusal(error instanceof Error ? error.message : 'the body is no CSV');
  }
}

/**
 * Parse a recorded quote series: columns market_id and t_unix, and bid and ask or up_bid and up_ask.
 *
 * @param marketId Keeps this market only; null keeps all.
 * @throws ReplayRefusal that names the row or column at fault.
 */
export function parseReplay(csv: string, marketId: string | null): RecordedSeries[] {
  const rows = rowsOf(csv);
  const [first] = rows;
  if (first === undefined) throw new ReplayRefusal('the CSV has no rows');
  const isUpDown = 'up_bid' in first;
  const [bidColumn, askColumn] = isUpDown ? ['up_bid', 'up_ask'] : ['bid', 'ask'];
  for (const column of ['market_id', 't_unix', bidColumn, askColumn]) {
    if (!(column in first)) {
      throw new ReplayRefusal(`column ${column} is missing (market_id, t_unix and bid, ask or up_bid, up_ask)`);
    }
  }
  const byMarket = new Map<string, { firstMs: number; quotes: RecordedQuote[] }>();
  for (const [index, row] of rows.entries()) {
    const id = row['market_id'] ?? '';
    if (marketId !== null && id !== marketId) continue;
    const atMs = instantCell(row['t_unix'], index + 2);
    const series = byMarket.get(id) ?? { firstMs: atMs, quotes: [] };
    byMarket.set(id, series);
    const afterMs = atMs - series.firstMs;
    if (afterMs < (series.quotes.at(-1)?.afterMs ?? 0)) {
      throw new ReplayRefusal(`row ${index + 2}: the times of market ${id} go back`);
    }
    const bidPricePips = priceCell(row[bidColumn], index + 2);
    const askPricePips = priceCell(row[askColumn], index + 2);
    const isCrossed = bidPricePips !== null && askPricePips !== null && bidPricePips >= askPricePips;
    // A crossed row is an error of the recorder: the previous quote stays in effect.
    if (!isCrossed) series.quotes.push({ afterMs, bidPricePips, askPricePips });
  }
  if (byMarket.size === 0) throw new ReplayRefusal(`market ${marketId ?? ''} is not in the CSV`);
  if (byMarket.size > maximumMarkets) {
    throw new ReplayRefusal(`${byMarket.size} markets at once are too many: name one with ?market=`);
  }
  return [...byMarket].map(([id, series]) => ({ marketId: id, isUpDown, ...series }));
}

/** Return the coarsest tick that fits every recorded price. */
export function tickOf(series: RecordedSeries): bigint {
  const ticks = [100n, 50n, 25n, 10n, 1n];
  const lies = (tick: bigint): boolean =>
    series.quotes.every(
      ({ bidPricePips, askPricePips }) => (bidPricePips ?? 0n) % tick === 0n && (askPricePips ?? 0n) % tick === 0n,
    );
  return ticks.find(lies) ?? 1n;
}
