import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Folders of tests in every package. */
const folders = ['src', 'test', 'tidy', 'run', 'publish'];

/** Tests of real time and real processes (`test:real`), and campaigns (`test:long`). All other tests are the gate. */
const otherRings = { real: '**/*.real.test.ts', long: '**/*.long.test.ts' } as const;
const ring = process.env['TEST_RING'];
const isGate = ring !== 'real' && ring !== 'long';

/** Folder for the results of all packages, which name the files to run once more. */
const resultsFolder = process.env['TEST_RESULTS'];
const resultsFile = `${path.basename(process.cwd())}.json`;
const limitMs = { real: 300_000, long: 600_000 };

/**
 * Settings that every package's tests share. The time limits end a hanging test and measure none. Files share their
 * worker's modules: most of the time of small ones would be imports.
 */
export default defineConfig({
  test: {
    isolate: false,
    // Node runs the sources as they are, in tests as in programs: no transformation in each package.
    experimental: { viteModuleRunner: false },
    setupFiles: fileURLToPath(new URL('./vitest.setup.ts', import.meta.url)),
    include: isGate ? folders.map((folder) => `${folder}/**/*.test.ts`) : [otherRings[ring]],
    exclude: ['**/node_modules/**', ...(isGate ? Object.values(otherRings) : [])],
    testTimeout: isGate ? 60_000 : limitMs[ring],
    hookTimeout: isGate ? 180_000 : limitMs[ring],
    expect: { poll: { timeout: 40_000 } },
    ...(resultsFolder === undefined
      ? {}
      : { reporters: ['default', ['json', { outputFile: path.join(resultsFolder, resultsFile) }]] }),
  },
});

/**
 * Time limits where tests start whole stacks. A start takes ten seconds on an idle machine and several times that on a
 * busy one.
 */
export const stackLimits = isGate ? { testTimeout: 120_000, hookTimeout: 240_000 } : { hookTimeout: 600_000 };
