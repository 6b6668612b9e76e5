import { mergeConfig } from 'vitest/config';
import base, { stackLimits } from '../../vitest.base.ts';

// Two files start a whole stack each.
export default mergeConfig(base, { test: { ...stackLimits, maxWorkers: 2 } });
