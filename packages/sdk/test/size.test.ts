import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url));

/** Bytes of the bundle, gzipped: the part that is loaded at once, and all parts together. */
async function sizesOf(): Promise<{ readonly atOnce: number; readonly whole: number }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: 'out',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: ['viem', 'viem/*'],
  });
  const bytesOf = new Map(outputFiles.map(({ path, contents }) => [basename(path), gzipSync(contents).length]));
  const main = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('src/index.ts'));
  // What the entry imports statically comes with it; viem is no file of the bundle.
  const statically = main?.[1].imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path) ?? [];
  const atOnce = [main?.[0] ?? '', ...statically].map((name) => bytesOf.get(basename(name)) ?? 0);
  const sum = (sizes: Iterable<number>): number => [...sizes].reduce((total, size) => total + size, 0);
  return { atOnce: sum(atOnce), whole: sum(bytesOf.values()) };
}

test('the client fits a page: at most 16 kB at once and 25 kB with all that is loaded later, viem left out', async () => {
  const { atOnce, whole } = await sizesOf();
  expect(atOnce).toBeGreaterThan(4_000);
  expect(atOnce).toBeLessThanOrEqual(16_000);
  expect(whole).toBeLessThanOrEqual(25_000);
});
