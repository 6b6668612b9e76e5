import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorPages } from './errorPages.ts';

const folder = new URL('../../../../docs/errors/', import.meta.url);

test('docs/errors: contains exactly the generated pages (run `pnpm gen` when this fails)', () => {
  const pages = errorPages();
  expect(readdirSync(folder).toSorted()).toEqual([...pages.keys()].toSorted());
  for (const [name, text] of pages) expect(readFileSync(new URL(name, folder), 'utf8')).toBe(text);
});

test('errorPages: every page has its own code and an example in valid JSON', () => {
  for (const [name, text] of errorPages()) {
    if (name === 'README.md') continue;
    const example: unknown = JSON.parse(text.slice(text.indexOf('```json') + 7, text.lastIndexOf('```')));
    expect(example).toMatchObject({ error: { code: name.replace('.md', '') } });
  }
});
