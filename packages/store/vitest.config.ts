import { defineConfig } from 'vitest/config';

// Each file has a disposable database server of its own unless TEST_DATABASE_URL names one.
export default defineConfig({ test: { include: ['src/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 30_000 } });
