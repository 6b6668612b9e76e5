import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url));

/** Return the gzipped bytes of the initial bundle and of all parts together. */
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
  // The entry's static imports are loaded with it; viem is not part of the bundle.
  const statically = main?.[1].imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path) ?? [];
  const atOnce = [main?.[0] ?? '', ...statically].map((name) => bytesOf.get(basename(name)) ?? 0);
  const sum = (sizes: Iterable<number>): number => [...sizes].reduce((total, size) => total + size, 0);
  return { atOnce: sum(atOnce), whole: sum(bytesOf.values()) };
}

test('the client is at most 18.8 kB initially and 35.5 kB with all lazy parts, without viem', async () => {
  const { atOnce, whole } = await sizesOf();
  expect(atOnce).toBeGreaterThan(4_000);
  expect(atOnce).toBeLessThanOrEqual(18_800);
  expect(whole).toBeLessThanOrEqual(35_500);
});
