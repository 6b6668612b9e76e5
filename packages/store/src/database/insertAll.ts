import { columnOf, rowJsonOf } from './columns.ts';
import type { Sql, Statement } from './sql.ts';

/**
 * Insert any number of records into a table in one statement, and send none when there are none.
 *
 * @param onConflict What the statement does with rows that are there already; by default they make it fail.
 */
export function insertAllInto<Field extends string>(
  { name, table, onConflict = '' }: { readonly name: string; readonly table: string; readonly onConflict?: string },
  fields: readonly Field[],
): (sql: Sql, records: readonly Readonly<Record<Field, unknown>>[]) => Promise<void> {
  // Quoted, because a column may have the name of a keyword.
  const columns = fields.map((field) => `"${columnOf(field)}"`).join(', ');
  const rows = `SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`;
  const statement: Statement = { name, text: `INSERT INTO ${table} (${columns}) ${rows} ${onConflict}` };
  return async (sql, records) => {
    if (records.length === 0) return;
    await sql.count(statement, [`[${records.map((record) => rowJsonOf(fields, record)).join()}]`]);
  };
}
