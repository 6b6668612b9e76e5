import { selectListOf } from '../database/columns.ts';
import type { Sql } from '../database/sql.ts';

/** One page of finalized markets. Cursors are the sort values of the market they name. */
export interface FinalizedQuery {
  readonly category?: string;
  readonly eventTicker?: string;
  readonly seriesTicker?: string;
  /** Substring of the title, or exactly the ticker (both without regard to case), or exactly a token id. */
  readonly query?: string;
  readonly sort: 'ticker' | 'discovered';
  /** 1 to 100. */
  readonly limit: number;
  readonly cursor: {
    readonly at: { readonly ticker: string; readonly discoveredAtMs: number };
    readonly direction: 'after' | 'before';
  } | null;
  readonly withTotalCount: boolean;
}

export interface FinalizedPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly totalCount: number | null;
}

interface Condition {
  /** SQL in which each `?` is the value. */
  readonly text: string;
  readonly value: unknown;
}

/** What is shown in lists at all. */
const listed = ["status = 'finalized'", "category IN ('crypto', 'sport')"];
/** Tickers in the order of their bytes, as every process sorts them, whatever the database's collation. */
const ticker = 'ticker COLLATE "C"';

function conditionsOf(query: FinalizedQuery): readonly Condition[] {
  const conditions: Condition[] = [];
  const add = (text: string, value: unknown): void => {
    if (value !== undefined) conditions.push({ text, value });
  };
  add('category = ?', query.category);
  add('event_ticker = ?', query.eventTicker);
  add('series_ticker = ?', query.seriesTicker);
  add('(strpos(lower(title), lower(?)) > 0 OR ticker = lower(?) OR yes_token_id = ? OR no_token_id = ?)', query.query);
  return conditions;
}

/** The statement of a page, and its values; a plan test reads both. */
export function finalizedStatementOf(query: FinalizedQuery, fields: readonly string[]) {
  const conditions = conditionsOf(query);
  const values: unknown[] = conditions.map(({ value }) => value);
  const where = [...listed, ...textsOf(conditions)];
  const { cursor, sort, limit } = query;
  const isBackward = cursor?.direction === 'before';
  if (cursor !== null) {
    const { discoveredAtMs } = cursor.at;
    values.push(cursor.at.ticker);
    const ofTicker = `${ticker} ${isBackward ? '<' : '>'} $${values.length}`;
    if (sort === 'ticker') where.push(ofTicker);
    else {
      values.push(new Date(discoveredAtMs));
      const at = `$${values.length}::timestamptz`;
      // The first condition alone bounds the index; the second drops the rest of the same instant.
      where.push(`discovered_at ${isBackward ? '>=' : '<='} ${at} AND (discovered_at <> ${at} OR ${ofTicker})`);
    }
  }
  values.push(limit + 1);
  const direction = isBackward ? 'DESC' : 'ASC';
  const order =
    sort === 'ticker'
      ? `${ticker} ${direction}`
      : `discovered_at ${isBackward ? 'ASC' : 'DESC'}, ${ticker} ${direction}`;
  const text = `SELECT ${selectListOf(fields)} FROM markets WHERE ${where.join(' AND ')} ORDER BY ${order} LIMIT $${values.length}`;
  return { statement: { name: nameOf(text), text }, values };
}

/** One page, cut by the database. */
export async function listFinalized<Row extends object>(
  sql: Sql,
  query: FinalizedQuery,
  fields: readonly string[],
): Promise<FinalizedPage<Row>> {
  const { statement, values } = finalizedStatementOf(query, fields);
  const rows = await sql.rows<Row>(statement, values);
  const page = rows.slice(0, query.limit);
  return {
    // A page before the cursor is read backwards from it and turned around.
    rows: query.cursor?.direction === 'before' ? page.toReversed() : page,
    hasMore: rows.length > query.limit,
    totalCount: query.withTotalCount ? await countOf(sql, query) : null,
  };
}

async function countOf(sql: Sql, query: FinalizedQuery): Promise<number> {
  const conditions = conditionsOf(query);
  const where = [...listed, ...textsOf(conditions)].join(' AND ');
  const text = `SELECT count(*) AS "totalCount" FROM markets WHERE ${where}`;
  const values = conditions.map(({ value }) => value);
  const row = await sql.row<{ totalCount: bigint }>({ name: nameOf(text), text }, values);
  return Number(row?.totalCount ?? 0n);
}

function textsOf(conditions: readonly Condition[]): readonly string[] {
  return conditions.map(({ text }, index) => text.replaceAll('?', `$${index + 1}`));
}

const names = new Map<string, string>();

/** A statement name per distinct text; the texts are few, because values are always parameters. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `markets_finalized_${names.size}`;
  names.set(text, name);
  return name;
}
