import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOf, openTestStore, sampleNowMs, type TestStore, walletOf } from '../../testing/index.ts';

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());

const blockOf = (number: number) => ({
  chainKey: 'c',
  blockNumber: BigInt(number),
  blockHash: hashOf(number),
  parentHash: hashOf(number - 1),
  blockTimeMs: sampleNowMs + number * 1_000,
});
const eventOf = (number: number, subject: string | null) => ({
  chainKey: 'c',
  blockNumber: BigInt(number),
  logIndex: 0,
  transactionHash: hashOf(number),
  transactionIndex: 0,
  contractAddress: walletOf(1),
  name: 'PositionCreated',
  subject,
  arguments: { collateral: 5n },
  blockTimeMs: sampleNowMs + number * 1_000,
});

test('events of an abandoned branch go, the subjects that lost some are named', async () => {
  const { chain } = opened.store;
  expect(await chain.cursor('c')).toBeNull();
  const { parentHash: _, ...tip } = blockOf(9);
  await chain.advance({
    cursor: { ...tip, finalizedNumber: 9n },
    blocks: [5, 6, 7, 8, 9].map(blockOf),
    events: [eventOf(5, 'a'), eventOf(6, 'b'), eventOf(8, 'a'), eventOf(9, null)],
  });
  expect((await chain.eventsOf('c', 'a')).map(({ blockNumber }) => blockNumber)).toEqual([5n, 8n]);
  expect(await chain.eventsOf('c', 'b')).toEqual([eventOf(6, 'b')]);
  expect(
    (await chain.blocksBelow({ chainKey: 'c', blockNumber: 7n, limit: 2 })).map(({ blockNumber }) => blockNumber),
  ).toEqual([7n, 6n]);
  expect(await chain.rollback('c', blockOf(6))).toEqual(['a']);
  expect(await chain.cursor('c')).toMatchObject({ blockNumber: 6n, blockHash: hashOf(6), finalizedNumber: 6n });
  expect((await chain.eventsNamed('c', 'PositionCreated')).map(({ subject }) => subject)).toEqual(['a', 'b']);
  expect(await chain.pruneBlocks('c', 6n)).toBe(1);
});
