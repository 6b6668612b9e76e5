import { mergeConfig } from 'vitest/config';
import base from '../../vitest.base.ts';

// Many tests wait for the next tick of a second.
export default mergeConfig(base, { test: { maxWorkers: 2 } });
