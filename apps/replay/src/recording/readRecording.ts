import { type CryptoFacts, type SportFacts, typicalGameSeconds } from '@core/market';
import { policyDefaults } from '@core/policy';
import { type PricePips, pricePips, type VenueFeeSchedule } from '@core/pricing';
import { parse } from 'csv-parse/sync';
import { gameStartAtMsOf, type StartRule } from './gameStart.ts';
import type { RecordedMarket, RecordedRow, Recording } from './recordedMarket.ts';
import { sportClassOf } from './sportClass.ts';

type Row = Readonly<Record<string, string>>;

// Fee schedules of the venue: 7 % of p(1 − p) for crypto, and the 3 % of the recorded sport markets that charge.
const cryptoFee: VenueFeeSchedule = { ratePpm: 70_000n, exponent: 1n };
const sportFee: VenueFeeSchedule = { ratePpm: 30_000n, exponent: 1n };

const hourSeconds = 3_600;
/** Minimum of two-sided rows that make a history. */
const minRowCount = 10;

/**
 * Return the markets of two CSV texts, catalogue and quotes: of hourly crypto markets (`up_bid`, `up_ask`) or of games
 * (`bid`, `ask`). Prices are those of the first token.
 *
 * @throws Error for columns that are neither.
 */
export function readRecording(marketsCsv: string, quotesCsv: string, startRule: StartRule = 'early'): Recording {
  const markets = rowsOf(marketsCsv);
  const quotes = rowsOf(quotesCsv);
  const columns = new Set(Object.keys(quotes[0] ?? {}));
  const isCrypto = columns.has('up_bid') && columns.has('up_ask');
  if (!isCrypto && !(columns.has('bid') && columns.has('ask'))) {
    throw new Error('quotes need the columns market_id, t_unix and bid, ask or up_bid, up_ask');
  }
  const byMarket = new Map<string, RecordedRow[]>();
  for (const quote of quotes) {
    const marketId = quote['market_id'] ?? '';
    const series = byMarket.get(marketId) ?? [];
    byMarket.set(marketId, series);
    series.push(rowOf(quote, series));
  }
  const replayable: RecordedMarket[] = [];
  const leftOut = new Map<string, number>();
  for (const market of markets) {
    const rows = (byMarket.get(market['market_id'] ?? '') ?? []).toSorted((a, b) => a.atMs - b.atMs);
    const read = isCrypto ? cryptoMarketOf(market, rows) : gameMarketOf(market, rows, startRule);
    if (typeof read === 'string') leftOut.set(read, (leftOut.get(read) ?? 0) + 1);
    else replayable.push(read);
  }
  return { markets: replayable, leftOut };
}

function rowsOf(csv: string): readonly Row[] {
  return parse<Row>(csv, { columns: true, skip_empty_lines: true, trim: true });
}

/**
 * Return a row of quotes. Where one side is empty and the other missing, the other keeps its last price: a token
 * without asks is close to its maximum, with its bids below.
 */
function rowOf(quote: Row, earlier: readonly RecordedRow[]): RecordedRow {
  const bid = priceOf(quote['up_bid'] ?? quote['bid']);
  const ask = priceOf(quote['up_ask'] ?? quote['ask']);
  const isBare = bid === null && ask === null;
  const lastSeen = (side: 'bidPricePips' | 'askPricePips') => earlier.findLast((row) => row[side] !== null)?.[side];
  return {
    atMs: Number(quote['t_unix']) * 1_000,
    bidPricePips: isBare && quote['empty_side'] === 'no_ask' ? (lastSeen('bidPricePips') ?? null) : bid,
    askPricePips: isBare && quote['empty_side'] === 'no_bid' ? (lastSeen('askPricePips') ?? null) : ask,
  };
}

/** Return a written price in pips; null when it is empty or no price. */
function priceOf(text: string | undefined): PricePips | null {
  if (text === undefined || text === '') return null;
  const pips = Math.round(Number(text) * 10_000);
  return Number.isInteger(pips) && pips >= 1 && pips <= 9_999 ? pricePips(BigInt(pips)) : null;
}

function hasHistory(rows: readonly RecordedRow[]): boolean {
  return rows.filter((row) => row.bidPricePips !== null && row.askPricePips !== null).length >= minRowCount;
}

/** Return an hourly market, or the reason for leaving it out. */
function cryptoMarketOf(market: Row, rows: readonly RecordedRow[]): RecordedMarket | string {
  if (!hasHistory(rows)) return 'fewer than ten two-sided rows';
  const closeSeconds = Number(market['end_unix']);
  if (closeSeconds - Number(market['start_unix']) !== hourSeconds) return 'not hourly';
  const outcome = market['outcome_up_inferred_from_spot'] ?? '';
  if (outcome === '') return 'outcome unknown';
  const hardExitMs = closeSeconds * 1_000 - (policyDefaults.crypto.hourly?.hardExitSeconds ?? 0) * 1_000;
  // A recording that ends before cannot show that the debt was repaid by then.
  if ((rows.at(-1)?.atMs ?? 0) < hardExitMs) return 'recording ends before the hard exit';
  const asset = (market['asset'] ?? '').toUpperCase();
  const subject: CryptoFacts = { kind: 'crypto', asset, cadence: 'hourly', isAssetSupported: true };
  return {
    marketId: market['market_id'] ?? '',
    subject,
    className: asset,
    clusterId: String(closeSeconds),
    closeAtMs: closeSeconds * 1_000,
    isYesWinner: outcome === '1',
    venueFee: cryptoFee,
    rows,
  };
}

/** Return a line of a game, or the reason for leaving it out. */
function gameMarketOf(market: Row, rows: readonly RecordedRow[], startRule: StartRule): RecordedMarket | string {
  if (!hasHistory(rows)) return 'fewer than ten two-sided rows';
  if (market['outcome_yes'] !== '0' && market['outcome_yes'] !== '1') return 'outcome unknown';
  const gameStartAtMs = gameStartAtMsOf(rows, startRule);
  if (gameStartAtMs === null) return 'never priced in play';
  const [kind = '', slug = ''] = [market['kind'], market['slug']];
  const { sport, line } = sportClassOf(kind, market['league'] ?? '');
  const subject: SportFacts = { kind: 'sport', sport, sportName: sport, line, marketType: kind, gameStartAtMs };
  const lengthMs = typicalGameSeconds[sport] * 1_000;
  return {
    marketId: market['market_id'] ?? '',
    subject,
    className: line === 'winner' ? sport : `${sport} ${line}`,
    // Kind first, then the end of the line; the middle names the game.
    clusterId: /^[a-z]+-(.+?-\d{4}-\d{2}-\d{2})/.exec(slug)?.[1] ?? slug,
    closeAtMs: gameStartAtMs + lengthMs,
    isYesWinner: market['outcome_yes'] === '1',
    venueFee: sportFee,
    rows,
  };
}
