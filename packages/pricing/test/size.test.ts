import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url));

test('the package is at most 10 KB gzip and uses no Node module', async () => {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    // A browser build fails on any Node module.
    platform: 'browser',
    target: 'es2022',
    metafile: true,
  });
  const [file] = result.outputFiles;
  expect(gzipSync(file?.contents ?? new Uint8Array(), { level: 9 }).length).toBeLessThanOrEqual(10 * 1024);
  expect(Object.keys(result.metafile.inputs).every((path) => /(^|\/)src\//.test(path))).toBe(true);
  expect(Object.values(result.metafile.outputs).flatMap((output) => output.imports)).toEqual([]);
});
