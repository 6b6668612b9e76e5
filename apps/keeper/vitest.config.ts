import { mergeConfig } from 'vitest/config';
import base, { stackLimits } from '../../vitest.base.ts';

// Whole stacks run in `test/` and mostly wait: more of them than processors.
export default mergeConfig(base, {
  test: { ...stackLimits, globalSetup: '@core/store/testing/global-setup', maxWorkers: 4 },
});
