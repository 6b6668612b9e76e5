import { mergeConfig } from 'vitest/config';
import base from '../../vitest.base.ts';

// Whole stacks run in `test/`: two at a time are as many as two cores take.
export default mergeConfig(base, { test: { globalSetup: '@core/store/testing/global-setup', maxWorkers: 2 } });
