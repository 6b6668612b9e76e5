import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { FileDraft, FriendlyError } from '@core/runtime';
import { exportService, importService, migrate } from '@core/store';
import type { Call, Operated, Operations } from './command.ts';

/**
 * Write what only the database knows to a file, readable by its owner only. It is there as a whole or not at all.
 * @throws FriendlyError when the file cannot be written
 */
export async function exportDatabase({ databaseUrl }: Operations, { args: [file = ''] }: Call): Promise<Operated> {
  const draft = new FileDraft(file);
  try {
    const rows = await exportService(databaseUrl(), (line) => draft.write(line));
    draft.place();
    return { value: { file, rows } };
  } finally {
    draft.end();
  }
}

/**
 * Make a database with which the service works again: migrations, and the rows of an export. Positions come from the
 * chain when the keeper starts.
 * @throws FriendlyError when the export cannot be read, or does not belong to this database.
 */
export async function rebuildDatabase({ databaseUrl }: Operations, { option }: Call): Promise<Operated> {
  const url = databaseUrl();
  const applied = await migrate(url);
  const file = option('from');
  const added = file === undefined ? {} : await importService(url, await linesOf(file));
  const next = 'Start the keeper: it reads all positions from DEPLOYMENT_BLOCK on.';
  return { value: { applied, added, next } };
}

async function linesOf(file: string): Promise<readonly string[]> {
  try {
    const lines: string[] = [];
    for await (const line of createInterface({ input: createReadStream(file) })) lines.push(line);
    return lines;
  } catch (cause) {
    throw new FriendlyError(`The export cannot be read: ${String(Reflect.get(Object(cause), 'message'))}`, { cause });
  }
}
