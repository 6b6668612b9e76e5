import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchQueue, type Finish } from './batchQueue.ts';

interface Item {
  readonly key: string;
  readonly number: number;
}

/** Queue whose batches are prepared one after the other when the test lets them. */
function startQueue(maxCount: number) {
  const batches: (readonly Item[])[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const queue = new BatchQueue<Item, number>({
    maxCount,
    keyOf: ({ key }) => key,
    async prepare(items) {
      batches.push(items);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return items.map(({ number }): Finish<number> => {
        return () => (number % 7 === 3 ? Promise.reject(new Error('failed')) : Promise.resolve(number));
      });
    },
  });
  /** Let every batch be prepared, those of waiting items too. */
  const openAll = async (): Promise<void> => {
    for (let index = 0; index < gates.length; index += 1) {
      gates[index]?.resolve();
      await new Promise(setImmediate);
    }
  };
  return { queue, batches, gates, openAll };
}

describe('batches of work', () => {
  test('law: each item is prepared once, in its order, alone while nothing of its key is prepared', async () => {
    const items = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 5 }), async (keys, maxCount) => {
        const { queue, batches, openAll } = startQueue(maxCount);
        const numbered = keys.map((key, number) => ({ key, number }));
        const results = Promise.allSettled(numbered.map((item) => queue.run(item)));
        const firsts = [...new Set(keys)].map((key) => [numbered.find((item) => item.key === key)]);
        expect(batches).toEqual(firsts);
        await openAll();
        const ends = (await results).map((result) => (result.status === 'fulfilled' ? result.value : 'failed'));
        expect(ends).toEqual(numbered.map(({ number }) => (number % 7 === 3 ? 'failed' : number)));
        for (const key of new Set(keys)) {
          const ofKey = batches.filter(([first]) => first?.key === key);
          expect(ofKey.flat()).toEqual(numbered.filter((item) => item.key === key));
          const full = ofKey.slice(1, -1).filter((batch) => batch.length !== maxCount);
          expect(full).toEqual([]);
          expect(Math.max(...ofKey.map((batch) => batch.length))).toBeLessThanOrEqual(maxCount);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a batch that cannot be prepared fails its own items alone', async () => {
    const { queue, gates, openAll } = startQueue(2);
    const failing = queue.run({ key: 'a', number: 1 });
    const next = [queue.run({ key: 'a', number: 2 }), queue.run({ key: 'b', number: 4 })];
    gates[0]?.reject(new Error('no answer'));
    await expect(failing).rejects.toThrow('no answer');
    await openAll();
    expect(await Promise.all(next)).toEqual([2, 4]);
    // The key is free again: an item begins at once.
    const later = queue.run({ key: 'a', number: 5 });
    await openAll();
    expect(await later).toBe(5);
  });
});
