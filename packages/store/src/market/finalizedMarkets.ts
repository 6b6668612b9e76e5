import type { MarketFilters } from '@core/market';
import { keysOf } from '@core/position';
import { selectListOf } from '../database/columns.ts';
import type { Sql } from '../database/sql.ts';

/** One page of finalized markets. Cursors are the sort values of the market they name. */
export interface FinalizedQuery extends MarketFilters {
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

/** Conditions of every list. */
const listed = ["status = 'finalized'", "category IN ('crypto', 'sport')"];
/** Tickers in the order of their bytes, as every process sorts them, whatever the database's collation. */
const ticker = 'ticker COLLATE "C"';

const partOfTitle = 'strpos(lower(title), lower(?)) > 0';
/** The title's pieces have an index; a title that has those of the search need not have them side by side. */
const byPieces = `text_pieces(lower(title)) @> search_pieces(lower(?)) AND ${partOfTitle}`;
const named = 'lower(ticker) = lower(?) OR yes_token_id = ? OR no_token_id = ?';
/** Condition of each filter, the same as its predicate in memory. */
const conditionTexts: Readonly<Record<keyof MarketFilters, string>> = {
  category: 'category = ?',
  eventTicker: 'event_ticker = ?',
  seriesTicker: 'series_ticker = ?',
  query: `(${partOfTitle} OR ${named})`,
};
/**
 * A search that finds no more than these is put in order afterwards. One that finds more is met every few rows along
 * the order of the page, which is followed until the page is full.
 */
const maxSorted = 2_000;

/** @param found Ids of what the search finds, when those are few. */
function conditionsOf(query: FinalizedQuery, found: readonly string[] | null): readonly Condition[] {
  const conditions: readonly Condition[] = keysOf(conditionTexts)
    .filter((name) => query[name] !== undefined && (found === null || name !== 'query'))
    .map((name) => ({ text: conditionTexts[name], value: query[name] }));
  return found === null ? conditions : [...conditions, { text: 'id = ANY(?)', value: found }];
}

/** The statement of a page, and its values; a plan test reads both. */
export function finalizedStatementOf(
  query: FinalizedQuery,
  fields: readonly string[],
  found: readonly string[] | null = null,
) {
  const conditions = conditionsOf(query, found);
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
  const matches = await findFew(sql, query);
  const { statement, values } = finalizedStatementOf(query, fields, matches);
  const rows = await sql.rows<Row>(statement, values);
  const page = rows.slice(0, query.limit);
  return {
    // A page before the cursor is read backwards from it and turned around.
    rows: query.cursor?.direction === 'before' ? page.toReversed() : page,
    hasMore: rows.length > query.limit,
    totalCount: query.withTotalCount ? (matches?.length ?? (await countOf(sql, query))) : null,
  };
}

/** The ids of all that a search finds, or null when they are many or nothing is searched for. */
async function findFew(sql: Sql, query: FinalizedQuery): Promise<readonly string[] | null> {
  if (query.query === undefined) return null;
  const { text, values } = selectionOf(query);
  const few = `${text} LIMIT ${maxSorted + 1}`;
  const rows = await sql.rows<{ id: string }>({ name: nameOf(few), text: few }, values);
  return rows.length > maxSorted ? null : rows.map(({ id }) => id);
}

async function countOf(sql: Sql, query: FinalizedQuery): Promise<number> {
  const { text: selection, values } = selectionOf(query);
  const text = `SELECT count(*) AS "totalCount" FROM (${selection}) AS selected`;
  const row = await sql.row<{ totalCount: bigint }>({ name: nameOf(text), text }, values);
  return Number(row?.totalCount ?? 0n);
}

/** All that a query is about, in whatever order it is found. Each part of a search has indexes of its own. */
function selectionOf(query: FinalizedQuery): { readonly text: string; readonly values: readonly unknown[] } {
  const { query: searched, ...rest } = query;
  const conditions = conditionsOf(rest, null);
  const values = conditions.map(({ value }) => value);
  const selected = `SELECT id FROM markets WHERE ${[...listed, ...textsOf(conditions)].join(' AND ')}`;
  if (searched === undefined) return { text: selected, values };
  const parts = [byPieces, `(${named}) AND (${partOfTitle}) IS NOT TRUE`].map((part) => `${selected} AND ${part}`);
  const place = `$${values.length + 1}`;
  return { text: parts.join(' UNION ALL ').replaceAll('?', place), values: [...values, searched] };
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
