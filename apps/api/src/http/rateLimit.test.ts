import { describe, expect, test } from 'vitest';
import { rateHeadersOf, shownStateOf } from './rateLimit.ts';

const roomy = { allowed: true, limit: 60, remaining: 59, resetMs: 59_001 };
const tight = { allowed: true, limit: 1, remaining: 0, resetMs: 400 };
const refusal = { allowed: false, limit: 60, remaining: 0, resetMs: 12_000 };

describe('which bucket is shown', () => {
  test('the one with the smallest share left', () => {
    expect(shownStateOf([roomy, tight])).toBe(tight);
    expect(shownStateOf([roomy])).toBe(roomy);
    expect(shownStateOf([])).toBeNull();
  });

  test('on a refusal the one that refused', () => {
    expect(shownStateOf([tight, refusal])).toBe(refusal);
  });
});

describe('headers', () => {
  test('reset is in seconds, rounded up', () => {
    expect(rateHeadersOf([roomy])).toEqual({
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '59',
      'X-RateLimit-Reset': '60',
    });
  });

  test('a refusal says how long to wait, at least one second', () => {
    expect(rateHeadersOf([refusal])).toMatchObject({ 'Retry-After': '12' });
    expect(rateHeadersOf([{ ...refusal, resetMs: 0 }])).toMatchObject({ 'Retry-After': '1' });
  });
});
