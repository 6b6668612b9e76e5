import { mergeConfig } from 'vitest/config';
import base, { stackLimits } from '../../vitest.base.ts';

// Whole lives wait for blocks and the ends of grants: more files than processors.
export default mergeConfig(base, { test: { ...stackLimits, maxWorkers: 3 } });
