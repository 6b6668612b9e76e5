import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { errorPages } from './errorPages.ts';

/** Writes `docs/errors` from the table and removes pages of codes that no longer exist. */
const folder = new URL('../../../../docs/errors/', import.meta.url);
mkdirSync(folder, { recursive: true });
const pages = errorPages();
for (const name of readdirSync(folder)) {
  if (!pages.has(name)) rmSync(new URL(name, folder));
}
for (const [name, text] of pages) writeFileSync(new URL(name, folder), text);
