import { FriendlyError } from '@core/runtime';
import type { Client } from 'pg';
import { requireMigrated } from '../database/requireMigrated.ts';
import { openSession } from '../database/session.ts';

/** Table of an export: what the chain and the venue do not give back. */
interface CopiedTable {
  readonly name: string;
  /** Condition of the rows that matter after a rebuild; all rows when absent. */
  readonly where?: string;
  /** Columns that the new database assigns. */
  readonly assigned?: readonly string[];
}

const ofPositions = 'position_key IN (SELECT position_key FROM positions)';

/**
 * Tables in an order in which no row refers to a later one. Positions, their transactions, usage and events are absent:
 * the keeper folds them from the chain again, with the quotes and outcomes that are here.
 */
const copiedTables: readonly CopiedTable[] = [
  { name: 'service_binding' },
  { name: 'market_sharing' },
  { name: 'partners' },
  { name: 'api_keys' },
  { name: 'stopped_oracles' },
  { name: 'exit_times' },
  { name: 'exit_sales' },
  // Versions are those of a sequence, which starts again.
  { name: 'markets', where: 'id IN (SELECT market_id FROM positions)', assigned: ['version'] },
  {
    name: 'quotes',
    where: `${ofPositions} OR position_key IN (SELECT position_key FROM reservations WHERE state = 'live')`,
  },
  {
    // Their reasons are on no chain. Without a nonce they are history, and no keeper acts on them.
    name: 'intents',
    where: `operation IN ('refund', 'defer_close', 'authorize_unwind') AND state IN ('final', 'reverted', 'dropped')`,
    assigned: ['signer_address', 'nonce'],
  },
];

/** Rows by table. */
export type CopiedCounts = Readonly<Record<string, number>>;

const batchSize = 500;
const separator = '\t';
/** Name of the last line, which has the number of rows: a file that was cut off is not taken for a whole one. */
const endName = 'end';

/**
 * Write what only the database knows, as it is at one moment: a line per row with its table, and a last line with their
 * number.
 * @throws FriendlyError when the database does not answer or lacks migrations.
 */
export async function exportService(databaseUrl: string, write: (line: string) => void): Promise<CopiedCounts> {
  await requireMigrated(databaseUrl);
  return withClient(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const counts: Record<string, number> = {};
    for (const table of copiedTables) {
      counts[table.name] = await exportTable(client, table, write);
    }
    await client.query('COMMIT');
    write(`${endName}${separator}${totalOf(counts)}\n`);
    return counts;
  });
}

async function exportTable(
  client: Client,
  { name, where = 'true', assigned = [] }: CopiedTable,
  write: (line: string) => void,
): Promise<number> {
  await client.query(
    `DECLARE copied NO SCROLL CURSOR FOR
     SELECT (to_jsonb(one) - '{${assigned.join()}}'::text[])::text AS row FROM ${name} AS one WHERE ${where}`,
  );
  let count = 0;
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${batchSize} FROM copied`);
    for (const { row } of rows) write(`${name}${separator}${row}\n`);
    count += rows.length;
    if (rows.length < batchSize) break;
  }
  await client.query('CLOSE copied');
  return count;
}

/**
 * Put an export into a migrated database. Existing rows stay, so that a second run adds nothing.
 * @returns Number of rows that were added, by table.
 * @throws FriendlyError when the lines are not a whole export, or are of another vault or of a newer version.
 */
export async function importService(databaseUrl: string, lines: readonly string[]): Promise<CopiedCounts> {
  await requireMigrated(databaseUrl);
  const rowsByTable = wholeExportOf(lines);
  return withClient(databaseUrl, async (client) => {
    await client.query('BEGIN');
    await refuseOtherVault(client, rowsByTable.get('service_binding') ?? []);
    const counts: Record<string, number> = {};
    for (const { name } of copiedTables) {
      counts[name] = 0;
      const rows = rowsByTable.get(name) ?? [];
      for (let from = 0; from < rows.length; from += batchSize) {
        counts[name] += await addRows(client, name, rows.slice(from, from + batchSize));
      }
    }
    await client.query('COMMIT');
    return counts;
  });
}

/** Return the rows of each table. @throws FriendlyError for anything but a whole export. */
function wholeExportOf(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const rowsByTable = new Map<string, string[]>(copiedTables.map(({ name }) => [name, []]));
  const last = lines.at(-1);
  for (const line of lines.slice(0, -1)) {
    const at = line.indexOf(separator);
    const rows = rowsByTable.get(line.slice(0, at));
    if (rows === undefined)
      throw new FriendlyError(`The export has rows of ${line.slice(0, 40)}, which is no table of it`);
    rows.push(line.slice(at + 1));
  }
  if (last === `${endName}${separator}${lines.length - 1}`) return rowsByTable;
  throw new FriendlyError(
    'The export is not whole: its last line must name the number of its rows. Take another file.',
  );
}

async function refuseOtherVault(client: Client, [binding]: readonly string[]): Promise<void> {
  if (binding === undefined) return;
  const { rows } = await client.query(
    `SELECT own.vault_address AS own, other.vault_address AS other
     FROM service_binding AS own, jsonb_populate_record(null::service_binding, $1::jsonb) AS other
     WHERE (own.chain_id, own.vault_address) <> (other.chain_id, other.vault_address)`,
    [binding],
  );
  if (rows.length === 0) return;
  throw new FriendlyError(
    `The export is of the vault ${rows[0]?.other}, the database of ${rows[0]?.own}: set DATABASE_URL to an empty one.`,
  );
}

async function addRows(client: Client, name: string, rows: readonly string[]): Promise<number> {
  // The names alone are read here: numbers go to the database as they were written.
  const sample: object = JSON.parse(rows[0] ?? '{}');
  const columns = Object.keys(sample)
    .map((column) => `"${column.replaceAll('"', '')}"`)
    .join(', ');
  try {
    const { rowCount } = await client.query(
      `INSERT INTO ${name} (${columns}) SELECT ${columns}
       FROM jsonb_populate_recordset(null::${name}, $1::jsonb) ON CONFLICT DO NOTHING`,
      [`[${rows.join(',')}]`],
    );
    return rowCount ?? 0;
  } catch (cause) {
    if (Reflect.get(Object(cause), 'code') !== undefinedColumn) throw cause;
    throw new FriendlyError('The export is of a newer version than this one: run the version that wrote it.', {
      cause,
    });
  }
}

/** Code of PostgreSQL for a column that a table lacks. */
const undefinedColumn = '42703';

const totalOf = (counts: CopiedCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

async function withClient<Result>(databaseUrl: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = await openSession({ databaseUrl });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
