import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Folders of tests in every package. */
const folders = ['src', 'test', 'tidy', 'run', 'publish'];

/** Campaigns, and programs that are killed again and again: only `test:long` runs these files. */
const longFiles = '**/*.long.test.ts';
const isLong = process.env['TEST_LONG'] === '1';

/**
 * Settings that every package's tests share. The time limits end a hanging test and measure none. Files share their
 * worker's modules: most of the time of small ones would be imports.
 */
export default defineConfig({
  test: {
    isolate: false,
    setupFiles: fileURLToPath(new URL('./vitest.setup.ts', import.meta.url)),
    include: isLong ? [longFiles] : folders.map((folder) => `${folder}/**/*.test.ts`),
    exclude: ['**/node_modules/**', ...(isLong ? [] : [longFiles])],
    testTimeout: isLong ? 600_000 : 60_000,
    hookTimeout: isLong ? 600_000 : 180_000,
    expect: { poll: { timeout: 40_000 } },
  },
});

/**
 * Time limits where tests start whole stacks. A start takes ten seconds on an idle machine and several times that on a
 * busy one.
 */
export const stackLimits = isLong ? {} : { testTimeout: 300_000, hookTimeout: 400_000 };
