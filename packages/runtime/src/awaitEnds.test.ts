import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { awaitEnds } from './awaitEnds.ts';

const failureOf = (promise: Promise<unknown>): Promise<string | null> =>
  promise.then(
    () => null,
    (error: Error) => error.message,
  );

test('any parts, some of which never end: the end comes at the limit, and exactly those are named', async () => {
  vi.useFakeTimers();
  const kinds = fc.array(fc.constantFrom('ends', 'ends late', 'hangs'), { maxLength: 8 });
  const law = fc.asyncProperty(kinds, async (parts) => {
    const endOf: Readonly<Record<string, () => Promise<void>>> = {
      ends: () => Promise.resolve(),
      'ends late': () => new Promise((resolve) => setTimeout(resolve, 90)),
      hangs: () => new Promise(() => undefined),
    };
    const endings = parts.map((kind, index) => [`part ${index}`, endOf[kind]?.() ?? Promise.resolve()] as const);
    const failure = failureOf(awaitEnds(endings, 100));
    await vi.advanceTimersByTimeAsync(100);
    const hanging = parts.flatMap((kind, index) => (kind === 'hangs' ? [`part ${index}`] : []));
    const message = hanging.length === 0 ? null : `${hanging.join(', ')}: no end within 100 ms`;
    expect(await failure).toBe(message);
    expect(vi.getTimerCount()).toBe(0);
  });
  await fc.assert(law, { numRuns: 50 });
  vi.useRealTimers();
});

test('a part that fails: its failure at once', async () => {
  const never = new Promise<void>(() => undefined);
  const endings = [['hangs', never] as const, ['fails', Promise.reject(new Error('no connection'))] as const];
  expect(await failureOf(awaitEnds(endings, 60_000))).toBe('no connection');
});
