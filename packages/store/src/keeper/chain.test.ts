import { hashOf, sampleNowMs, samplePosition, walletOf } from '@core/position/testing';
import { pricePips } from '@core/pricing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../testing/index.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

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

test('a rollback deletes events of the abandoned branch and returns their subjects', async () => {
  const { chain } = testStore.store;
  expect(await chain.cursor('c')).toBeNull();
  const { parentHash: _, ...tip } = blockOf(9);
  await chain.advance({
    cursor: { ...tip, finalizedNumber: 9n },
    blocks: [5, 6, 7, 8, 9].map(blockOf),
    events: [eventOf(5, 'a'), eventOf(6, 'b'), eventOf(8, 'a'), eventOf(9, null)],
  });
  expect((await chain.eventsOf('c', ['a'])).map(({ blockNumber }) => blockNumber)).toEqual([5n, 8n]);
  expect(await chain.eventsOf('c', ['b'])).toEqual([eventOf(6, 'b')]);
  expect(
    (await chain.blocksBelow({ chainKey: 'c', blockNumber: 7n, limit: 2 })).map(({ blockNumber }) => blockNumber),
  ).toEqual([7n, 6n]);
  expect(await chain.rollback('c', blockOf(6))).toEqual(['a']);
  expect(await chain.cursor('c')).toMatchObject({ blockNumber: 6n, blockHash: hashOf(6), finalizedNumber: 6n });
  expect((await chain.eventsNamed('c', 'PositionCreated')).map(({ subject }) => subject)).toEqual(['a', 'b']);
  await chain.addMissed({ blocks: [3, 4].map(blockOf), events: [] });
  const prune = (limit: number) => chain.pruneBlocks({ chainKey: 'c', belowBlockNumber: 6n, limit });
  expect([await prune(2), await prune(2)]).toEqual([2, 1]);
});

test('adds missed events below the cursor and changes no existing one', async () => {
  const { chain } = testStore.store;
  const { parentHash: _, ...tip } = { ...blockOf(9), chainKey: 'missed' };
  const placed = (number: number, subject: string | null) => ({ ...eventOf(number, subject), chainKey: 'missed' });
  await chain.advance({ cursor: { ...tip, finalizedNumber: 9n }, blocks: [], events: [placed(5, 'a')] });
  expect(await chain.verifiedNumber('missed')).toBeNull();
  await chain.addMissed({ blocks: [], events: [{ ...placed(5, 'a'), name: 'Other' }, placed(7, 'b')] });
  expect(await chain.eventPlaces({ chainKey: 'missed', from: 5n, to: 7n })).toEqual([
    { blockNumber: 5n, logIndex: 0, name: 'PositionCreated' },
    { blockNumber: 7n, logIndex: 0, name: 'PositionCreated' },
  ]);
  await chain.setVerified('missed', 8n);
  await chain.advance({ cursor: { ...tip, blockNumber: 12n, finalizedNumber: 12n }, blocks: [], events: [] });
  expect(await chain.verifiedNumber('missed')).toBe(8n);
  await chain.rollback('missed', { ...blockOf(6), chainKey: 'missed' });
  expect(await chain.verifiedNumber('missed')).toBe(6n);
});

test('postponed positions: listed with the oldest events first, and selected by key', async () => {
  const { chain } = testStore.store;
  await chain.postpone({ chainKey: 'p', positionKeys: ['0x1', '0x2'], fromBlock: 9n });
  await chain.postpone({ chainKey: 'p', positionKeys: ['0x2', '0x3'], fromBlock: 7n });
  const second = { positionKey: '0x2', fromBlock: 7n };
  const all = [second, { positionKey: '0x3', fromBlock: 7n }, { positionKey: '0x1', fromBlock: 9n }];
  expect(await chain.postponed('p')).toEqual(all);
  expect(await chain.postponedAmong('p', ['0x2', '0x4'])).toEqual([second]);
  expect(await chain.postponedAmong('other', ['0x2'])).toEqual([]);
  await chain.removePostponed('p', '0x2');
  expect(await chain.postponedAmong('p', ['0x2'])).toEqual([]);
});

test('ended grants: each with its own authorisation, fills and quoted price, the newest first, others left out', async () => {
  const { chain, positions } = testStore.store;
  const position = samplePosition(1, { positionKey: hashOf(1), entryPricePips: pricePips(5_050n) });
  await positions.put({ position, transactions: [], unwinds: [], partialCloses: [], ledger: [] });
  const { parentHash: _, ...tip } = { ...blockOf(20), chainKey: 'g' };
  const event = (number: number, name: string, changes: object = {}) => ({
    ...eventOf(number, 'g1'),
    chainKey: 'g',
    name,
    arguments: { number },
    ...changes,
  });
  await chain.advance({
    cursor: { ...tip, finalizedNumber: 9n },
    blocks: [],
    events: [
      event(1, 'GrantAuthorized'),
      event(2, 'GrantEnded'),
      event(3, 'GrantAuthorized'),
      event(4, 'GrantFilled'),
      event(5, 'GrantFilled'),
      event(5, 'GrantEnded', { logIndex: 1 }),
      event(6, 'GrantAuthorized', { logIndex: 1 }),
      event(7, 'GrantFilled', { subject: 'g2' }),
      event(7, 'GrantEnded', { logIndex: 1 }),
      event(8, 'GrantEnded', { subject: 'g3' }),
      event(9, 'GrantAuthorized'),
      event(9, 'GrantAuthorized', { logIndex: 1, subject: hashOf(1) }),
      event(9, 'GrantEnded', { logIndex: 2, subject: hashOf(1) }),
    ],
  });
  const read = async (sinceNumber: number, limit: number) => {
    const rows = await chain.endedGrants({ chainKey: 'g', sinceMs: sampleNowMs + sinceNumber * 1_000, limit });
    return rows.map((row) => [
      row.blockNumber,
      row.authorization,
      row.authorizedAtMs,
      row.isEndedByFill,
      row.fills,
      row.entryPricePips,
    ]);
  };
  const grants = [
    [9n, { number: 9 }, sampleNowMs + 9_000, false, [], 5_050n],
    [7n, { number: 6 }, sampleNowMs + 6_000, false, [], null],
    [5n, { number: 3 }, sampleNowMs + 3_000, true, [{ number: 4 }, { number: 5 }], null],
    [2n, { number: 1 }, sampleNowMs + 1_000, false, [], null],
  ];
  expect(await read(0, 9)).toEqual(grants);
  expect(await read(3, 9)).toEqual(grants.slice(0, 3));
  expect(await read(0, 4)).toEqual(grants.slice(0, 3));
  expect(await chain.endedGrants({ chainKey: 'other', sinceMs: 0, limit: 9 })).toEqual([]);
});
