import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { alertTable, runbookOf } from '@core/runtime';

/** Path below which the pages of the runbook are served, each under the name of its alert. */
export const runbookPath = '/operate/runbook/';

const root = new URL('../../../../', import.meta.url);

/** Return the text of the runbook page at a path; null for another path, or where only the programs are installed. */
export async function runbookTextAt(path: string): Promise<string | null> {
  const alert = alertTable.find(({ name }) => path === `${runbookPath}${name}`);
  if (alert === undefined) return null;
  const page = new URL(runbookOf(alert.name), root);
  return existsSync(page) ? readFile(page, 'utf8') : null;
}
