import { mergeConfig } from 'vitest/config';
import base, { stackLimits } from '../../vitest.base.ts';

// Whole programs are started, killed and waited for: more files than processors.
export default mergeConfig(base, {
  test: { ...stackLimits, globalSetup: '@core/store/testing/global-setup', maxWorkers: 3 },
});
