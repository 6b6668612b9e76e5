import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { policyDefaults } from '../defaults.ts';
import { policyAtPace } from './policyAtPace.ts';

const lives = (blockSeconds: number): readonly number[] =>
  Object.values(policyAtPace(policyDefaults, blockSeconds).grant.validForSeconds);

test('pace: the policy holds for chains with a block every two seconds or faster', () => {
  for (const blockSeconds of [0, 1, 2]) expect(policyAtPace(policyDefaults, blockSeconds)).toEqual(policyDefaults);
});

test('pace: a slower chain → every grant lives for three blocks, or for as long as the vault takes', () => {
  const { maxSeconds } = policyDefaults.grant;
  const property = fc.property(fc.integer({ min: 3, max: 60 }), (blockSeconds) => {
    for (const seconds of lives(blockSeconds)) {
      expect(seconds).toBeLessThanOrEqual(maxSeconds);
      expect(seconds === maxSeconds || seconds >= 3 * blockSeconds).toBe(true);
    }
  });
  fc.assert(property);
});
