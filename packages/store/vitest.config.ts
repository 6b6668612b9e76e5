import { mergeConfig } from 'vitest/config';
import base from '../../vitest.base.ts';

// Most of the time is the database's.
export default mergeConfig(base, { test: { globalSetup: './testing/globalSetup.ts', maxWorkers: 2 } });
