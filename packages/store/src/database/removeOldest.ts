import type { Statement } from './sql.ts';

/**
 * Delete rows of a table that are over by `$1`, the oldest first and at most `$2`: however many have piled up, no
 * statement takes long. Rows that others hold are left for the next time.
 */
export function removeOldest(named: {
  readonly name: string;
  readonly table: string;
  /** Column with the time at which a row expires; the comparison may exclude that instant. */
  readonly column: string;
  readonly comparison?: '<=' | '<';
}): Statement {
  const { name, table, column, comparison = '<=' } = named;
  return {
    name,
    text: `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
             SELECT ctid FROM ${table} WHERE ${column} ${comparison} $1
             ORDER BY ${column} LIMIT $2 FOR UPDATE SKIP LOCKED))`,
  };
}
