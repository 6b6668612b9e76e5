import { sampleExecution } from '@core/position/testing';
import { expect, test } from 'vitest';
import { policyDefaults } from './defaults.ts';

test('decisions about a position are tested with the numbers that the policy has', () => {
  expect(policyDefaults.execution).toEqual(sampleExecution);
});
