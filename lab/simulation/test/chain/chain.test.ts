import { LocalRpc, localRoles, startLocalChain } from '@core/contracts/local';
import { beforeAll, expect, test } from 'vitest';
import { runSimulated } from '../../src/run/runSimulated.ts';
import { comparedBodies, revertingCode } from './scenarios/comparedBodies.ts';
import type { Outcomes } from './scenarios/scenarios.ts';

interface Run {
  readonly digest: string;
  readonly results: Outcomes;
}

const program = new URL('./scenarioProcess.ts', import.meta.url);
let run: Run;
let repeated: Run;

const runScenarios = async (seed: number): Promise<Run> =>
  (await runSimulated(program, JSON.stringify({ seed }))) as Run;

beforeAll(async () => {
  run = await runScenarios(1);
  repeated = await runScenarios(1);
});

test('chain: a seed gives the same results, hashes and messages twice', () => {
  expect(repeated).toEqual(run);
});

test('pool: a transaction waits for the next block, in which the highest tip is first', () => {
  const { before, positions, nonces } = run.results.order;
  expect(before).toEqual({ height: 0, state: 'pending', receipt: null, nonces: { latest: 0, pending: 1 } });
  expect(positions).toEqual([2, 0, 1]);
  expect(nonces).toEqual({ latest: 1, pending: 1 });
});

test('pool: a transaction whose nonce leaves a gap waits until the gap is closed', () => {
  const { alone, closed, first, second } = run.results.gap;
  expect(alone).toEqual({ state: 'pending', nonces: { latest: 0, pending: 0 } });
  expect(closed).toEqual({ latest: 0, pending: 2 });
  expect(first).toMatchObject({ block: 3, index: 0 });
  expect(second).toMatchObject({ block: 3, index: 1 });
});

test('pool: a replacement needs a price that is 10% higher', () => {
  const { cheap, repeated: sentTwice, late, first, dear } = run.results.replacement;
  expect(cheap).toMatch(/^Replacement transaction underpriced/);
  expect(sentTwice).toMatch(/^Known transaction/);
  expect(late).toMatch(/^Transaction nonce too low/);
  expect([first, dear]).toEqual(['unknown', 'mined']);
});

test('blocks: times follow the clock of the world, and grow where a client mines at once', () => {
  const { beganSeconds, seconds, pendingSeconds, gas, clock } = run.results.times;
  expect(seconds.map((at) => at - beganSeconds)).toEqual([12, 24, 36, 37, 38]);
  expect(pendingSeconds - beganSeconds).toBe(39);
  expect(gas).toBeGreaterThanOrEqual(21_000);
  expect(clock).toMatch(/the world sets the time/);
});

test('tip floor: a transaction below it waits with all later ones of its sender, until it is replaced or the floor falls', () => {
  const { stuck, replaced, fallen, baseFeeWei, suggested } = run.results.tipFloor;
  expect(stuck).toEqual({
    states: ['pending', 'pending', 'mined', 'pending'],
    nonces: { latest: 0, pending: 2 },
  });
  expect(replaced).toEqual(['mined', 'unknown', 'mined', 'mined', 'pending']);
  expect(fallen).toEqual(['unknown', 'mined', 'mined', 'mined']);
  expect(baseFeeWei).toBe('90000000000');
  expect(suggested).toBe('0x7');
});

test('instant chain: mines each transaction at once, also after a reorganisation, and makes no block once halted', () => {
  const { atOnce, height, reorganised, second, halted, later } = run.results.instant;
  expect([atOnce, height]).toEqual(['mined', 1]);
  expect(reorganised).toEqual({ state: 'mined', height: 2 });
  expect([second, halted, later]).toEqual(['mined', 3, 3]);
});

test('reorganisation of 1: the old block, its receipts and logs are gone, and a dropped transaction can be sent again', () => {
  const { height, old, lost, returned, before, logsBefore, outcome, blocks, after, isSame, again } =
    run.results.oneBlock;
  expect(old?.hashes).toEqual([lost, returned]);
  expect(before).toMatchObject({ block: height, hash: old?.hash });
  expect(logsBefore).toEqual([lost, returned]);
  expect(outcome).toEqual({ commonBlock: height - 1, orphaned: [old?.hash], dropped: [lost] });
  expect(blocks.map(({ hashes }) => hashes)).toEqual([[], [returned]]);
  expect(blocks[0]?.hash).not.toBe(old?.hash);
  expect(after).toEqual({
    lost: ['unknown', null],
    returned: { block: height + 1, hash: blocks[1]?.hash, index: 0 },
    logs: [returned],
    oldBlock: null,
    oldLogs: 'blockHash cannot be found',
    alice: { latest: 0, pending: 0 },
    bob: { latest: 1, pending: 1 },
    height: height + 1,
  });
  expect([isSame, again]).toEqual([true, 'mined']);
});

test('reorganisation of 32: transactions are mined again in order, those behind a dropped one wait for its nonce', () => {
  const { height, before, tooDeep, old, commonBlock, orphaned, dropped, after, now, states, nonces, end } =
    run.results.manyBlocks;
  const numbers = Array.from({ length: 34 }, (_, index) => index + 1);
  expect(height).toBe(34);
  expect(before).toEqual({ alice: numbers, bob: numbers });
  expect(tooDeep).toMatch(/cannot replace its newest 33 blocks/);
  expect(commonBlock).toBe(2);
  expect(orphaned).toEqual(old.slice(2).map(({ hash }) => hash));
  expect(dropped).toHaveLength(1);
  const moved = numbers.map((number) => (number > commonBlock ? number + 1 : number));
  expect(after).toEqual({ alice: moved, bob: moved.map((number, nonce) => (nonce < 20 ? number : null)), height: 35 });
  expect(now.slice(0, 2)).toEqual(old.slice(0, 2));
  const oldHashes = new Set(orphaned);
  expect(now.filter(({ hash }) => oldHashes.has(hash))).toEqual([]);
  const times = now.map(({ seconds }) => seconds);
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  expect(new Set(times).size).toBe(times.length);
  expect(states).toEqual({ waiting: 'pending', behindLost: 'pending' });
  expect(nonces).toEqual({ alice: { latest: 34, pending: 34 }, bob: { latest: 20, pending: 20 } });
  expect(end).toEqual({ bob: { latest: 34, pending: 34 }, waiting: 'mined' });
});

test('reorganisation: follows a return of a client to its own snapshot, and gives empty blocks other hashes', () => {
  const { reverted, commonBlock, height, old, now } = run.results.afterClientRevert;
  expect(reverted).toEqual({ height: 3, state: 'unknown' });
  expect([commonBlock, height]).toEqual([1, 4]);
  expect(now.map(({ hashes, seconds }) => [hashes, seconds])).toEqual(old.map(({ seconds }) => [[], seconds]));
  expect(new Set([...old, ...now].map(({ hash }) => hash)).size).toBe(4);
});

const atHead = {
  newer: false,
  newerHash: false,
  newerCall: null,
  transaction: 'mined',
  receipt: 2,
  logs: 1,
  oldLogs: 1,
};

test('node behind the chain: answers all as of its own head', () => {
  const { early, later, height } = run.results.lagging;
  expect(early.full).toMatchObject({ ...atHead, height: 3, latest: 3 });
  expect(early.late).toMatchObject({
    height: 0,
    latest: 0,
    nonces: { latest: 0, pending: 0 },
    isPaid: false,
    transaction: 'unknown',
    receipt: null,
    logs: 0,
    newer: true,
    newerHash: true,
    newerCall: 'Received invalid block tag 3. Latest block number is 0',
    newerLogs: 0,
    oldLogs: 0,
  });
  expect(height).toBe(6);
  expect(later.late).toEqual(early.full);
});

test('node at a fixed height: stays there while the chain grows', () => {
  const { early, later } = run.results.lagging;
  expect(early.stopped).toMatchObject({
    ...atHead,
    height: 2,
    newer: true,
    newerHash: true,
    newerCall: expect.any(String),
  });
  expect(later.stopped).toEqual(early.stopped);
});

test('limits: refuse larger batches, wider ranges and more logs', () => {
  const { batches, ranges } = run.results.limits;
  expect(batches.map(({ body }) => JSON.parse(body))).toEqual([
    [expect.objectContaining({ id: 1, result: '0xa' }), expect.objectContaining({ id: 2, result: '0xa' })],
    [{ jsonrpc: '2.0', id: 1, error: { code: -32_600, message: 'batch too large' } }],
  ]);
  const tooWide = 'eth_getLogs is limited to a 5 block range';
  expect(ranges).toEqual([null, tooWide, tooWide, 'query returned more than 3 results']);
});

test('finality tags: present at a depth, late, or absent', () => {
  const { height, here, deep, finalLogs, late, absent } = run.results.limits;
  expect(here).toEqual({ safe: height, finalized: height });
  expect(deep).toEqual({ safe: height - 2, finalized: height - 6 });
  expect(finalLogs).toBe(4);
  expect(late).toEqual({ safe: height - 2, finalized: 0 });
  expect(JSON.parse(absent).error).toEqual({ code: -32_000, message: 'finalized block not found' });
});

test('faults: a lost answer leaves its transaction, others refuse or delay', () => {
  const { outcomes, asked, nonces } = run.results.faults;
  expect(outcomes.lost).toBeNull();
  expect(nonces).toEqual({ latest: 1, pending: 1 });
  expect(JSON.parse(outcomes.error?.body ?? '')).toMatchObject({ error: { code: -32_005 } });
  expect(outcomes.status?.status).toBe(429);
  expect(outcomes.late.ms).toBeGreaterThanOrEqual(5_000);
  expect(JSON.parse(outcomes.late.answer?.body ?? '')).toMatchObject({ result: '0x0' });
  expect(asked[0]).toBe('caller: eth_sendRawTransaction');
});

test('node that is killed: refuses connections while the chain grows, and starts again at its port', () => {
  const { dead, isSameUrl, grown } = run.results.faults;
  expect([dead, isSameUrl, grown]).toEqual([null, true, 1]);
});

test('answers: are those of the local chain', async () => {
  const chain = await startLocalChain({ blockIntervalMs: 0 });
  try {
    const { owner, bob } = localRoles();
    const { contractAddress } = await new LocalRpc(chain.rpcUrl).send(owner, {
      data: revertingCode,
      gasLimit: 1_048_576n,
    });
    const post = async (body: string): Promise<string> => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(chain.rpcUrl, { method: 'POST', headers, body })).text();
    };
    const answers: string[] = [];
    for (const body of comparedBodies(contractAddress ?? '', bob.address)) answers.push(await post(body));
    const { bodies, malformed } = run.results.answers;
    expect(bodies.map(parsed)).toEqual(answers.map(parsed));
    expect(parsed(malformed.body)).toEqual(parsed(await post('{')));
  } finally {
    await chain.close();
  }
});

const parsed = (body: string): unknown => JSON.parse(body);
