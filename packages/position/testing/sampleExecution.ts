import type { ExecutionConfig } from '../src/index.ts';

/** The policy's default numbers; a test of the policy holds them equal. */
export const sampleExecution: ExecutionConfig = {
  maxOpenAttempts: 3,
  maxPartialAttempts: null,
  retryDelayMs: 5_000,
  liquidationRetryDelayMs: 2_000,
  maxCloseRetryDelayMs: 300_000,
  maxUnwindRetryDelayMs: 15_000,
  completeFillBps: 9_900n,
};
