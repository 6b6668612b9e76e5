import { afterEach, expect, test } from 'vitest';
import { snapshotOf } from '../../testing/books.ts';
import { until } from '../../testing/localServers.ts';
import type { BookSnapshot } from '../port/venueClient.ts';
import { venueFault } from '../port/venueFault.ts';
import { BookReader, type ReaderTiming } from './bookReader.ts';

const readers: BookReader[] = [];
afterEach(() => {
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
  const asked: string[] = [];
  const waiting: { tokenId: string; answer: (snapshot: BookSnapshot | null) => void; fail: (error: Error) => void }[] =
    [];
  const got: string[] = [];
  const faults: string[] = [];
  const reader = new BookReader({
    client: {
      book: (tokenId) => {
        asked.push(tokenId);
        return new Promise((answer, fail) => waiting.push({ tokenId, answer, fail }));
      },
    },
    timing: { ...quiet, ...timing },
    onBook: (tokenId) => got.push(tokenId),
    onFault: (tokenId, { code }) => faults.push(`${tokenId} ${code}`),
  });
  readers.push(reader);
  const answerAll = (snapshot: BookSnapshot | null = snapshotOf()) => {
    for (const { answer } of waiting.splice(0)) {
      answer(snapshot);
    }
  };
  return { reader, asked, waiting, got, faults, answerAll };
};

test('never reads more at once than it may, and takes up the next as soon as one is done', async () => {
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

test('a token that is read already is not asked for twice at the same time', async () => {
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

test('a token that was heard is left alone, a silent one is confirmed', async () => {
  const { reader, asked, got, answerAll } = setup({ confirmAfterMs: 40 });
  reader.add('heard');
  reader.add('silent');
  answerAll();
  await until(() => got.length === 2);
  const hearing = setInterval(() => reader.heard('heard'), 5);
  await until(() => asked.filter((tokenId) => tokenId === 'silent').length === 2);
  clearInterval(hearing);
  expect(asked.filter((tokenId) => tokenId === 'heard')).toHaveLength(1);
});

test('a book the venue does not have is asked for again, but not soon', async () => {
  const { reader, asked, got, answerAll } = setup({ confirmAfterMs: 0, maxRetryMs: 100 });
  reader.add('1');
  answerAll(null);
  await new Promise((done) => setTimeout(done, 50));
  expect(asked).toHaveLength(1);
  await until(() => asked.length === 2);
  expect(got).toEqual([]);
});

test('faults are reported and the read repeated; anything else is a bug and not swallowed', async () => {
  const { reader, asked, waiting, faults, got, answerAll } = setup();
  reader.add('1');
  waiting.shift()?.fail(venueFault({ status: 503, text: '' }));
  await until(() => asked.length === 2);
  expect(faults).toEqual(['1 venue_unavailable']);
  answerAll();
  await until(() => got.length === 1);
});

test('after remove and close late answers go nowhere', async () => {
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
