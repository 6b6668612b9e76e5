import { expect, test } from 'vitest';
import { throttles } from './throttles.ts';

test('throttles: equal the limits of the specification', () => {
  expect(throttles).toEqual({
    partner: { requests: 120, windowSeconds: 60 },
    wallet: { requests: 60, windowSeconds: 60 },
    address: { requests: 30, windowSeconds: 60 },
    tokens: { requests: 1800, windowSeconds: 60 },
    quoteCreation: { requests: 1, windowSeconds: 1 },
    sampleEvents: { requests: 1, windowSeconds: 30 },
  });
});
