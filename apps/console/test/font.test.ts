import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fontFiles } from '../testing/font/fontFiles.ts';

test('font: font and license of the pages → those of the package, in at most 12 kB', async () => {
  const files = await fontFiles();
  const others = [...files].filter(
    ([file, bytes]) => !readFileSync(new URL(`../web/${file}`, import.meta.url)).equals(bytes),
  );
  expect(others.map(([file]) => file)).toEqual([]);
  expect(files.get('src/font/inter.woff2')?.length).toBeLessThanOrEqual(12_000);
});
