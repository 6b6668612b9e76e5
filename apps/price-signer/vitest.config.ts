import { mergeConfig } from 'vitest/config';
import base, { stackLimits } from '../../vitest.base.ts';

export default mergeConfig(base, { test: stackLimits });
