import { defineConfig } from 'vitest/config';

// Whole stacks run in `test/`: two at a time are as many as two cores take.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
