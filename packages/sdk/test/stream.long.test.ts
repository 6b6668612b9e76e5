import { expect, test } from 'vitest';
import { expectedNumbers, readThroughCuts } from '../testing/readThroughCuts.ts';

test('stream: a thousand cut connections → no event is missing or repeated, all arrive in order', async () => {
  const stream = await readThroughCuts(1_000);
  expect(stream.cutCount).toBeGreaterThanOrEqual(1_000);
  expect(stream.received.length).toBeGreaterThan(0);
  expect(stream.received).toEqual(expectedNumbers(stream));
});
