import { afterEach, expect, test, vi } from 'vitest';
import { snapshotOf } from '../../testing/books.ts';
import { until } from '../../testing/localServers.ts';
import type { BookSnapshot } from '../port/venueClient.ts';
import { venueFault } from '../port/venueFault.ts';
import { BookReader, type ReaderTiming } from './bookReader.ts';

const readers: BookReader[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const reader of readers.splice(0)) {
    reader.close();
  }
});

const quiet: ReaderTiming = {
  sweepIntervalMs: 5,
  confirmAfterMs: 60_000,
  secondSourceMs: 60_000,
  maxConcurrentReads: 3,
  minRetryMs: 10,
  maxRetryMs: 40,
};

/** A client whose reads the test answers one by one. */
const setup = (timing: Partial<ReaderTiming> = {}) => {
  const requests: string[] = [];
  const waiting: { tokenId: string; answer: (snapshot: BookSnapshot | null) => void; fail: (error: Error) => void }[] =
    [];
  const reads: string[] = [];
  const faults: string[] = [];
  const reader = new BookReader({
    client: {
      book: (tokenId) => {
        requests.push(tokenId);
        return new Promise((answer, fail) => waiting.push({ tokenId, answer, fail }));
      },
    },
    timing: { ...quiet, ...timing },
    onBook: (tokenId) => reads.push(tokenId),
    onFault: (tokenId, { code }) => faults.push(`${tokenId} ${code}`),
  });
  readers.push(reader);
  const answerAll = (snapshot: BookSnapshot | null = snapshotOf()) => {
    for (const { answer } of waiting.splice(0)) {
      answer(snapshot);
    }
  };
  return { reader, asked: requests, waiting, got: reads, faults, answerAll };
};

test('reads stay within the concurrency limit, and the next starts with the end of one', async () => {
  const { reader, asked, waiting, got, answerAll } = setup({ sweepIntervalMs: 60_000 });
  for (let token = 0; token < 10; token += 1) {
    reader.add(String(token));
  }
  expect(asked).toEqual(['0', '1', '2']);
  waiting.shift()?.answer(snapshotOf());
  await until(() => asked.length === 4);
  for (let round = 0; round < 4; round += 1) {
    answerAll();
    await new Promise((done) => setTimeout(done, 1));
  }
  await until(() => got.length === 10);
  expect(asked).toHaveLength(10);
});

test('a token has at most one read at a time', async () => {
  const { reader, asked, got, answerAll } = setup();
  reader.add('1');
  reader.want('1');
  reader.wantAll();
  await new Promise((done) => setTimeout(done, 20));
  expect(asked).toEqual(['1']);
  // What was wanted while a read was under way is read once more after it.
  answerAll();
  await until(() => asked.length === 2);
  answerAll();
  await until(() => got.length === 2);
});

// On a clock of the test's own: a busy machine would let both fall silent.
test('active tokens are not read, silent ones are confirmed', async () => {
  vi.useFakeTimers();
  const { reader, asked, got, answerAll } = setup({ confirmAfterMs: 40 });
  reader.add('heard');
  reader.add('silent');
  answerAll();
  await vi.advanceTimersByTimeAsync(1);
  expect(got).toHaveLength(2);
  const hearing = setInterval(() => reader.heard('heard'), 5);
  await vi.advanceTimersByTimeAsync(60);
  clearInterval(hearing);
  expect(asked.filter((tokenId) => tokenId === 'silent')).toHaveLength(2);
  expect(asked.filter((tokenId) => tokenId === 'heard')).toHaveLength(1);
});

test('a book the venue does not have is asked for again, but not soon', async () => {
  vi.useFakeTimers();
  const { reader, asked, got, answerAll } = setup({ confirmAfterMs: 0, maxRetryMs: 100 });
  reader.add('1');
  answerAll(null);
  await vi.advanceTimersByTimeAsync(50);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toHaveLength(2);
  expect(got).toEqual([]);
});

test('faults are reported and the read repeated; a bug is thrown', async () => {
  const { reader, asked, waiting, faults, got, answerAll } = setup();
  reader.add('1');
  waiting.shift()?.fail(venueFault({ status: 503, text: '' }));
  await until(() => asked.length === 2);
  expect(faults).toEqual(['1 venue_unavailable']);
  answerAll();
  await until(() => got.length === 1);
});

test('late answers after remove and close are ignored', async () => {
  const { reader, waiting, got, faults } = setup();
  reader.add('1');
  reader.add('2');
  reader.remove('1');
  reader.heard('1');
  reader.want('1');
  reader.close();
  waiting[0]?.answer(snapshotOf());
  waiting[1]?.fail(venueFault({ status: 503, text: '' }));
  await new Promise((done) => setTimeout(done, 20));
  expect({ got, faults }).toEqual({ got: [], faults: [] });
});

test('many waiting tokens are read in batches, few one by one; a token without a book is asked for later', async () => {
  const batches: number[] = [];
  const singles: string[] = [];
  const tokensWithBook = new Set<string>();
  const reader = new BookReader({
    client: {
      book: async (tokenId) => {
        singles.push(tokenId);
        return snapshotOf({ tokenId });
      },
      books: async (tokenIds) => {
        batches.push(tokenIds.length);
        return tokenIds.filter((tokenId) => tokenId !== '777').map((tokenId) => snapshotOf({ tokenId }));
      },
    },
    // A second read of the one without a book would be read singly, and have one.
    timing: { ...quiet, maxRetryMs: 60_000 },
    onBook: (tokenId) => tokensWithBook.add(tokenId),
  });
  readers.push(reader);
  for (let token = 0; token < 2_000; token += 1) reader.add(String(token));
  await until(() => tokensWithBook.size === 1_999);
  expect(Math.max(...batches)).toBeLessThanOrEqual(100);
  expect(batches.length + singles.length).toBeLessThan(70);
  expect(tokensWithBook.has('777')).toBe(false);
});
