import { defineConfig } from 'vitest/config';

/**
 * What every room's tests share. Limits are generous, because they are there to end a hanging test, not to measure one:
 * the chain, the database and another room's tests may be using the same two cores.
 */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'tidy/**/*.test.ts', 'run/**/*.test.ts', 'publish/**/*.test.ts'],
    testTimeout: 400_000,
    hookTimeout: 400_000,
    expect: { poll: { timeout: 40_000 } },
  },
});
