import { mergeConfig } from 'vitest/config';
import base from '../../vitest.base.ts';

// Each file starts a whole stack, and the first one builds the pages: one after the other.
export default mergeConfig(base, { test: { fileParallelism: false } });
