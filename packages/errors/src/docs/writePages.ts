import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { errorPages } from './errorPages.ts';

/** Folder of the generated pages. Pages of codes that no longer exist are removed. */
const folder = new URL('../../../../docs/errors/', import.meta.url);
mkdirSync(folder, { recursive: true });
const pages = errorPages();
for (const name of readdirSync(folder)) {
  if (!pages.has(name)) rmSync(new URL(name, folder));
}
for (const [name, text] of pages) writeFileSync(new URL(name, folder), text);
