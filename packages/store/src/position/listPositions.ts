import { activeStatuses, inactiveStatuses, type PositionStatus } from '@core/position';
import type { Sql } from '../database/sql.ts';
import type { PositionListQuery, PositionPage } from './positions.ts';
import { type PositionRow, type RememberedPositions, rowVersion } from './rememberedPositions.ts';

interface Condition {
  /** SQL with one `?`. */
  readonly text: string;
  readonly value: unknown;
}

/** Source of the rows of pages. */
interface PageSource {
  readonly sql: Sql;
  /** The columns of a record, of `position` and `market`. */
  readonly columns: string;
  readonly remembered: RememberedPositions;
}

const listed = 'FROM positions AS position JOIN markets AS market ON market.id = position.market_id';

/**
 * One keyset page. Conditions are fixed texts chosen by the query, values are always parameters, so there are few
 * distinct statements and each is prepared once.
 */
export async function listPositions(source: PageSource, query: PositionListQuery): Promise<PositionPage> {
  const { sql } = source;
  const filters = filtersOf(query);
  const cursorId = query.startingAfter ?? query.endingBefore;
  const sort = sortOf(query);
  const cursor = cursorId === undefined ? null : await findCursor(sql, query, { cursorId, column: sort.column });
  if (cursorId !== undefined && cursor === null) {
    return { kind: 'unknown_cursor' };
  }
  const values = filters.map(({ value }) => value);
  let where = textOf(filters);
  if (cursor !== null) {
    values.push(cursor.sortKeyMs === null ? sort.absent : new Date(cursor.sortKeyMs), cursorId);
    where += ` AND (${sort.key}, position.id) ${sort.isAscending ? '>' : '<'} ($${values.length - 1}::timestamptz, $${values.length})`;
  }
  const direction = sort.isAscending ? 'ASC' : 'DESC';
  values.push(query.limit + 1);
  const selection = `${listed} WHERE ${where} ORDER BY ${sort.key} ${direction}, position.id ${direction} LIMIT $${values.length}`;
  const rows = await rowsOf(source, selection, values);
  const page = rows.slice(0, query.limit);
  return {
    kind: 'page',
    // A page before the cursor is read backwards from it and turned around.
    data: query.endingBefore === undefined ? page : page.toReversed(),
    hasMore: rows.length > query.limit,
    totalCount: query.withTotalCount ? await countOf(sql, filters) : null,
  };
}

/**
 * Read the rows of a page. Their versions are read first, because most rows are unchanged. If one is new, all of them
 * are read, so that a page is always one snapshot.
 */
async function rowsOf(
  { sql, columns, remembered }: PageSource,
  selection: string,
  values: readonly unknown[],
): Promise<readonly PositionRow[]> {
  const statesText = `SELECT position.id, ${rowVersion} ${selection}`;
  const states = await sql.rows<PositionRow>({ name: nameOf(statesText), text: statesText }, values);
  const cached = remembered.all(states);
  if (cached !== null) return cached;
  const text = `SELECT ${columns}, ${rowVersion} ${selection}`;
  return remembered.take(await sql.rows<PositionRow>({ name: nameOf(text), text }, values));
}

function filtersOf(query: PositionListQuery): readonly Condition[] {
  const filters: Condition[] = [
    { text: 'position.partner_id = ?', value: query.partnerId },
    { text: 'position.wallet_address = lower(?)', value: query.walletAddress },
  ];
  const add = (text: string, value: unknown): void => {
    if (value !== undefined) {
      filters.push({ text, value });
    }
  };
  add('market.ticker = ?', query.ticker);
  add('market.event_ticker = ?', query.eventTicker);
  add('market.series_ticker = ?', query.seriesTicker);
  add('position.venue_token_id = ?', query.tokenId);
  add('position.status = ANY(?)', statusesOf(query));
  return filters;
}

function statusesOf({ status, state }: PositionListQuery): readonly PositionStatus[] | undefined {
  if (status !== undefined) {
    // Spec: `status=open` also returns positions currently being unwound.
    return status === 'open' ? ['open', 'unwinding'] : [status];
  }
  if (state !== undefined) {
    return state === 'active' ? activeStatuses : inactiveStatuses;
  }
  return undefined;
}

function textOf(filters: readonly Condition[]): string {
  return filters.map(({ text }, index) => text.replace('?', `$${index + 1}`)).join(' AND ');
}

/** Positions that are not closed sort last in both directions: they get the extreme that ends up there. */
function sortOf({ sortBy, sortDirection, endingBefore }: PositionListQuery): {
  readonly column: string;
  /** Key of a row whose column is null. */
  readonly absent: string;
  readonly key: string;
  readonly isAscending: boolean;
} {
  const absent = sortDirection === 'asc' ? 'infinity' : '-infinity';
  const column = sortBy === 'created_at' ? 'position.created_at' : 'position.closed_at';
  return {
    column,
    absent,
    key: sortBy === 'created_at' ? column : `coalesce(${column}, '${absent}'::timestamptz)`,
    isAscending: (sortDirection === 'asc') === (endingBefore === undefined),
  };
}

/** The cursor must be a position of the caller; whether it passes the filters does not matter. */
async function findCursor(
  sql: Sql,
  query: PositionListQuery,
  { cursorId, column }: { readonly cursorId: string; readonly column: string },
): Promise<{ readonly sortKeyMs: number | null } | null> {
  const text = `SELECT ${column} AS "sortKeyMs" FROM positions AS position
    WHERE position.id = $1 AND position.partner_id = $2 AND position.wallet_address = lower($3)`;
  return sql.row({ name: nameOf(text), text }, [cursorId, query.partnerId, query.walletAddress]);
}

async function countOf(sql: Sql, filters: readonly Condition[]): Promise<number> {
  const text = `SELECT count(*) AS "totalCount" FROM positions AS position
    JOIN markets AS market ON market.id = position.market_id WHERE ${textOf(filters)}`;
  const row = await sql.row<{ totalCount: bigint }>(
    { name: nameOf(text), text },
    filters.map(({ value }) => value),
  );
  return Number(row?.totalCount ?? 0n);
}

const names = new Map<string, string>();

/** A statement name per distinct text. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `positions_list_${names.size}`;
    names.set(text, name);
  }
  return name;
}
