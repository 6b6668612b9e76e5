import { RecentMap } from '@core/runtime';
import type { ListedPosition } from './positions.ts';

/** Positions one process remembers: what its users look at again and again, in some 60 MB at most. */
const maxRemembered = 20_000;

/** A listed position and the row it was read from. */
export interface PositionRow extends ListedPosition {
  /** No two states of a position, or of what is listed of its market, have the same. */
  readonly rowVersion: string;
}

/**
 * PostgreSQL's own name of a row's state: the transaction that wrote it and its place, which every update changes. What
 * is listed of the market stands beside it.
 */
export const rowVersion = `concat_ws(' ', position.xmin, position.ctid, market.ticker, market.title) AS "rowVersion"`;

/**
 * Rows as they were read, by position: one that is shown again unchanged is neither sent by the database nor read a
 * second time, and is the very same object, so that what was made of it still holds.
 */
export class RememberedPositions {
  readonly #rows = new RecentMap<string, PositionRow>(maxRemembered);

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

  /** Takes in rows, and gives those that were known already as the objects they were. */
  take(rows: readonly PositionRow[]): readonly PositionRow[] {
    return rows.map((row) => {
      const before = this.#rows.get(row.id);
      const kept = before?.rowVersion === row.rowVersion ? before : row;
      this.#rows.set(kept.id, kept);
      return kept;
    });
  }
}
