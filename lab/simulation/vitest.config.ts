import { mergeConfig } from 'vitest/config';
import base, { stackLimits } from '../../vitest.base.ts';

// Worlds keep a processor busy: one a core.
export default mergeConfig(base, {
  test: { ...stackLimits, globalSetup: '@core/store/testing/global-setup', maxWorkers: 2 },
});
