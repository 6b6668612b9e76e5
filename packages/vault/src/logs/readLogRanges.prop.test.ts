import * as fc from 'fast-check';
import { HttpRequestError, RpcRequestError } from 'viem';
import { expect, test } from 'vitest';
import { type BlockRange, blockCountOf, joinRanges } from './blockRanges.ts';
import { readInParts } from './readInParts.ts';
import { type LogReading, readLogRanges } from './readLogRanges.ts';

const refusalOf = (message: string) =>
  new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32_000, message } });
const tooLarge = () => refusalOf('this range is too large');
const throttled = () => refusalOf('rate limited');

const numbersOf = ({ from, to }: BlockRange): readonly bigint[] =>
  Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index));

const options = { concurrency: 4, firstBlocks: 64n, maxFailures: 3, wait: () => Promise.resolve() };

const range = fc
  .tuple(fc.bigInt(0n, 300n), fc.bigInt(0n, 300n))
  .map(([left, right]): BlockRange => (left < right ? { from: left, to: right } : { from: right, to: left }));

test('ranges: joined → the same blocks, the oldest first, with a gap between two of them', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), (ranges) => {
      const joined = joinRanges(ranges);
      const blocks = new Set(ranges.flatMap(numbersOf));
      expect(joined.flatMap(numbersOf)).toEqual([...blocks].toSorted((left, right) => Number(left - right)));
      joined.slice(1).forEach(({ from }, index) => expect(from > (joined[index]?.to ?? 0n) + 1n).toBe(true));
    }),
  );
});

test('read: random limits of blocks and results, answers in any order → every block once, in order', async () => {
  const node = fc.record({
    maxBlocks: fc.bigInt(1n, 400n),
    maxResults: fc.integer({ min: 1, max: 100 }),
    dense: range,
    concurrency: fc.integer({ min: 1, max: 6 }),
    firstBlocks: fc.bigInt(1n, 500n),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(range, { maxLength: 4 }), node, fc.scheduler(), async (ranges, limits, scheduler) => {
      const accepted: bigint[] = [];
      const read = scheduler.scheduleFunction(async (part: BlockRange) => {
        const { maxBlocks, maxResults, dense } = limits;
        const results = numbersOf(part).filter((block) => dense.from <= block && block <= dense.to);
        if (blockCountOf(part) > maxBlocks || results.length > maxResults) throw tooLarge();
        accepted.push(...numbersOf(part));
        return numbersOf(part);
      });
      const reading = await scheduler.waitFor(readLogRanges(ranges, read, { ...options, ...limits }));
      const blocks = joinRanges(ranges).flatMap(numbersOf);
      expect(reading).toEqual({ items: blocks, unread: [], failure: null });
      expect(accepted.toSorted((left, right) => Number(left - right))).toEqual(blocks);
    }),
    { numRuns: 60 },
  );
});

test('read: random refusals of any kind → each block is either read once or among the unread ones', async () => {
  const failures = fc.infiniteStream(
    fc.option(
      fc.constantFrom(tooLarge, throttled, () => new Error('no answer')),
      { freq: 2 },
    ),
  );
  await fc.assert(
    fc.asyncProperty(range, failures, async (whole, stream) => {
      const read = async (part: BlockRange) => {
        const failure = stream.next().value;
        if (failure) throw failure();
        return numbersOf(part);
      };
      const readings: LogReading<bigint>[] = [];
      const last = await readLogRanges([whole], read, { ...options, onProgress: (one) => readings.push(one) });
      for (const { items, unread } of [...readings, last]) {
        const blocks = [...items, ...unread.flatMap(numbersOf)].toSorted((left, right) => Number(left - right));
        expect(blocks).toEqual(numbersOf(whole));
      }
      expect(last.failure === null).toBe(last.unread.length === 0);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['refuses', tooLarge],
  ['throttles', throttled],
  ['does not answer', () => new HttpRequestError({ url: 'http://node' })],
])('read: a node that %s everything → all blocks are unread, after at most 60 requests', async (_name, failure) => {
  let requests = 0;
  const whole = { from: 3n, to: 1_000_000n };
  const read = () => {
    requests += 1;
    return Promise.reject(failure());
  };
  const reading = await readLogRanges([whole], read, { ...options, firstBlocks: 10_000n });
  expect(reading).toMatchObject({ items: [], unread: [whole] });
  expect(reading.failure).toBeInstanceOf(Error);
  expect(requests).toBeLessThanOrEqual(60);
});

test('read: the newest blocks come first', async () => {
  const progress: (bigint | undefined)[] = [];
  await readLogRanges([{ from: 0n, to: 99n }], async (part) => numbersOf(part), {
    concurrency: 1,
    firstBlocks: 10n,
    maxFailures: 1,
    onProgress: ({ unread }) => progress.push(unread.at(-1)?.to),
  });
  expect(progress).toEqual([89n, 69n, 29n, undefined]);
});

test('read: stopped → what was read stays, all other blocks are unread', async () => {
  const stop = new AbortController();
  const reading = await readLogRanges([{ from: 0n, to: 99n }], async (part) => numbersOf(part), {
    concurrency: 1,
    firstBlocks: 10n,
    maxFailures: 1,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  expect(reading).toEqual({ items: numbersOf({ from: 90n, to: 99n }), unread: [{ from: 0n, to: 89n }], failure: null });
});

test('read: a last item → no older block is read, each newer one is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt(0n, 999n), fc.bigInt(1n, 200n), async (last, maxBlocks) => {
      const read = async (part: BlockRange) => {
        if (blockCountOf(part) > maxBlocks) throw tooLarge();
        return numbersOf(part);
      };
      const whole = { from: 0n, to: 999n };
      const { items, unread } = await readLogRanges([whole], read, { ...options, isLast: (item) => item === last });
      expect(unread).toEqual([]);
      expect(items.filter((item) => item >= last)).toEqual(numbersOf({ from: last, to: 999n }));
    }),
    { numRuns: 40 },
  );
});

test('in parts: the size that a node takes is kept for the next range of the same client', async () => {
  const limit = fc.bigInt(1n, 2_000n);
  await fc.assert(
    fc.asyncProperty(limit, async (maxBlocks) => {
      const client = {};
      let refusals = 0;
      const refusalsOf = async (from: bigint) => {
        refusals = 0;
        const range = { from, to: from + 1_999n };
        const items = await readInParts(client, range, (part) => {
          if (blockCountOf(part) <= maxBlocks) return Promise.resolve(numbersOf(part));
          refusals += 1;
          return Promise.reject(tooLarge());
        });
        expect(items).toEqual(numbersOf(range));
        return refusals;
      };
      const first = await refusalsOf(0n);
      // Of every nine requests of a limited node one asks for more.
      expect(await refusalsOf(2_000n)).toBeLessThanOrEqual(first + Number(4_000n / maxBlocks) / 8);
      expect(await refusalsOf(4_000n)).toBeLessThanOrEqual(1 + Number(4_000n / maxBlocks) / 8);
    }),
    { numRuns: 40 },
  );
});

test('in parts: a throttled or failed part → its error at once', async () => {
  for (const failure of [throttled(), new Error('no answer')]) {
    let requests = 0;
    const reading = readInParts({}, { from: 0n, to: 99n }, () => {
      requests += 1;
      return Promise.reject(failure);
    });
    await expect(reading).rejects.toBe(failure);
    expect(requests).toBe(1);
  }
});
