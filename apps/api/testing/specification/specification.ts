import { existsSync, readFileSync } from 'node:fs';
import { wordsOfTheText } from './exceptions.ts';
import { type SpecifiedItem, specifiedItemsOf } from './specifiedItems.ts';

/** The specification itself lives outside the repository; the names it has are kept here. */
const specificationFile =
  process.env['SPECIFICATION'] ?? new URL('../../../../../shared/spec/customer-api.md', import.meta.url).pathname;
export const itemsFile = new URL('items.json', import.meta.url);
export const conformanceFile = new URL('../../../../docs/conformance.md', import.meta.url);

/** Read the items of the specification from its text; null when the text is absent. */
export function itemsOfText(): readonly SpecifiedItem[] | null {
  if (!existsSync(specificationFile)) return null;
  const words = new Set(Object.values(wordsOfTheText).flat());
  return specifiedItemsOf(readFileSync(specificationFile, 'utf8')).filter(({ name }) => !words.has(name));
}

/** The same, as it was read last. */
export function keptItems(): readonly SpecifiedItem[] {
  return JSON.parse(readFileSync(itemsFile, 'utf8'));
}
