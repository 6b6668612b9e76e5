import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { snapshotOf } from '../../testing/books.ts';
import { until } from '../../testing/localServers.ts';
import { type OnePoison, onePoison } from '../../testing/onePoison.ts';
import type { BookSnapshot } from '../port/venueClient.ts';
import { VenueFault, venueMalformedFault } from '../port/venueFault.ts';
import { BookReader } from './bookReader.ts';

const throttled = new VenueFault({
  code: 'venue_throttled',
  kind: 'retryable',
  effect: 'no',
  message: '429',
  retryAfterMs: 60_000,
});

const unavailable = new VenueFault({ code: 'venue_unavailable', kind: 'retryable', effect: 'no', message: '500' });

/** Reads of n tokens, one of which the venue cannot serve, until each of the others was read `rounds` times. */
async function readAround({ count, poisoned, kind }: OnePoison, rounds: number) {
  const reads = new Map<string, number>();
  const faults: string[] = [];
  const bad = String(poisoned);
  const read = (tokenId: string): Promise<BookSnapshot> => {
    const before = reads.get(tokenId) ?? 0;
    reads.set(tokenId, before + 1);
    const isBad = tokenId === bad && !(kind === 'throws once' && before > 0);
    if (!isBad) return Promise.resolve(snapshotOf({ tokenId }));
    if (kind === 'hangs') return new Promise(() => undefined);
    return Promise.reject(kind === 'rubbish' ? venueMalformedFault('rubbish') : throttled);
  };
  const books = new Map<string, number>();
  const reader = new BookReader({
    client: { book: read },
    timing: { sweepIntervalMs: 1, confirmAfterMs: 2, secondSourceMs: 2, minRetryMs: 5 },
    onBook: (tokenId) => books.set(tokenId, (books.get(tokenId) ?? 0) + 1),
    onFault: (tokenId) => faults.push(tokenId),
  });
  const tokens = Array.from({ length: count }, (_, token) => String(token));
  for (const tokenId of tokens) reader.add(tokenId);
  const healthy = tokens.filter((tokenId) => tokenId !== bad);
  await until(() => healthy.every((tokenId) => (books.get(tokenId) ?? 0) >= rounds));
  reader.close();
  return { reads: reads.get(bad) ?? 0, faults };
}

test.each(['throws once', 'throws always', 'rubbish'] as const)(
  'books read in batches: one token of 250 %s → the others are read on, its faults name it alone, in few reads',
  async (kind) => {
    const bad = '117';
    const counts = { batches: 0, singles: 0, refused: 0 };
    const books = new Map<string, number>();
    const faults = new Set<string>();
    const isRefused = (tokenIds: readonly string[]): boolean => {
      if (!tokenIds.includes(bad) || (kind === 'throws once' && counts.refused > 0)) return false;
      counts.refused += 1;
      return true;
    };
    const answerOf = async (tokenIds: readonly string[]): Promise<readonly BookSnapshot[]> => {
      if (isRefused(tokenIds)) throw kind === 'rubbish' ? venueMalformedFault('rubbish') : unavailable;
      return tokenIds.map((tokenId) => snapshotOf({ tokenId }));
    };
    const reader = new BookReader({
      client: {
        book: async (tokenId) => {
          counts.singles += 1;
          return (await answerOf([tokenId]))[0] ?? null;
        },
        books: (tokenIds) => {
          counts.batches += 1;
          return answerOf(tokenIds);
        },
      },
      timing: { sweepIntervalMs: 1, confirmAfterMs: 2, secondSourceMs: 2, minRetryMs: 5, maxRetryMs: 1_000 },
      onBook: (tokenId) => books.set(tokenId, (books.get(tokenId) ?? 0) + 1),
      onFault: (tokenId) => faults.add(tokenId),
    });
    const tokens = Array.from({ length: 250 }, (_, token) => String(token));
    for (const tokenId of tokens) reader.add(tokenId);
    const healthy = tokens.filter((tokenId) => tokenId !== bad || kind === 'throws once');
    await until(() => healthy.every((tokenId) => (books.get(tokenId) ?? 0) >= 20));
    reader.close();
    expect([...faults]).toEqual(kind === 'throws once' ? [] : [bad]);
    // Seven batches until it is alone; the others stay in batches.
    expect(counts.refused).toBeLessThan(30);
    expect(counts.batches).toBeGreaterThan(20);
  },
);

test('books: one token of n is bad → the others are read on, its faults name it alone', async () => {
  await fc.assert(
    fc.asyncProperty(onePoison(10), async (poison) => {
      const { reads, faults } = await readAround(poison, 5);
      expect(new Set(faults)).toEqual(new Set(poison.kind === 'hangs' ? [] : [String(poison.poisoned)]));
      // A read that hangs is not repeated, nor one that the venue refuses for a minute.
      expect(poison.kind === 'rubbish' || reads === 1).toBe(true);
    }),
    { numRuns: 12 },
  );
});
