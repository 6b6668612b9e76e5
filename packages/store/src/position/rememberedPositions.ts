import { LRUCache } from 'lru-cache';
import type { ListedPosition } from './positions.ts';

/** Positions that one process caches, in some 60 MB at most. */
const maxRemembered = 20_000;

/** A listed position and the row it was read from. */
export interface PositionRow extends ListedPosition {
  /** Version of a row: no two states of a position, or of its listed market, share one. */
  readonly rowVersion: string;
}

/**
 * PostgreSQL's own name of a row's state: the transaction that wrote it and its place, which every update changes. What
 * is listed of the market stands beside it.
 */
export const rowVersion = `concat_ws(' ', position.xmin, position.ctid, market.ticker, market.title) AS "rowVersion"`;

/**
 * Cache of rows by position. An unchanged row is neither sent by the database nor parsed again. It stays the same
 * object, so that what was derived from it is still valid.
 */
export class RememberedPositions {
  readonly #rows = new LRUCache<string, PositionRow>({ max: maxRemembered });

  /** The rows of these states in their order, or null when one of them is not known. */
  all(states: readonly Pick<PositionRow, 'id' | 'rowVersion'>[]): readonly PositionRow[] | null {
    const rows: PositionRow[] = [];
    for (const { id, rowVersion: version } of states) {
      const row = this.#rows.get(id);
      if (row === undefined || row.rowVersion !== version) return null;
      rows.push(row);
    }
    for (const row of rows) this.#rows.set(row.id, row);
    return rows;
  }

  /** Cache rows and return them; an unchanged row is the object that was cached before. */
  take(rows: readonly PositionRow[]): readonly PositionRow[] {
    return rows.map((row) => {
      const before = this.#rows.get(row.id);
      const current = before?.rowVersion === row.rowVersion ? before : row;
      this.#rows.set(current.id, current);
      return current;
    });
  }
}
