import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import base, { stackLimits } from '../../vitest.base.ts';

/** Test files of another package under virtual time, those of real time included: `test:virtual` of the package. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    ...stackLimits,
    include: ['test/**/*.test.ts'],
    exclude: ['**/*.long.test.ts'],
    globalSetup: '@core/store/testing/global-setup',
    setupFiles: fileURLToPath(new URL('src/tests/virtualTime.ts', import.meta.url)),
    maxWorkers: 1,
  },
});
