import { mergeConfig } from 'vitest/config';
import base from '../../vitest.base.ts';

// The long files run a whole stack each, and mostly wait for restarts.
export default mergeConfig(base, { test: { maxWorkers: 2 } });
