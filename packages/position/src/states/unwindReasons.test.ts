import { describe, expect, test } from 'vitest';
import { unwindReasonOf, unwindReasons } from './unwindReasons.ts';

describe('unwind reasons', () => {
  test.each(Object.entries(unwindReasons))('%s has a sentence of its own', (reason, { sentence }) => {
    expect(sentence).toMatch(/^[A-Z][^.]*\.$/);
    expect(unwindReasonOf(reason)).toBe(reason);
    expect(Object.values(unwindReasons).filter((other) => other.sentence === sentence)).toHaveLength(1);
  });

  test.each(['', 'moon_phase', 'toString'])('the value %j of another release is unknown', (value) => {
    expect(unwindReasonOf(value)).toBe('unknown');
  });
});
