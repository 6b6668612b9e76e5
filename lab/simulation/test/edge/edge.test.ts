import { beforeAll, expect, test } from 'vitest';
import { runSimulated } from '../../src/run/runSimulated.ts';

const program = new URL('./edgeProgram.ts', import.meta.url);
let first: Record<string, unknown> = {};
let second: Record<string, unknown> = {};
let other: Record<string, unknown> = {};

const run = async (seed: string): Promise<Record<string, unknown>> =>
  (await runSimulated(program, seed)) as Record<string, unknown>;

beforeAll(async () => {
  [first, second, other] = await Promise.all([run('7'), run('7'), run('8')]);
});

test('a seed → every instant and every message again; another seed → others', () => {
  expect(second).toEqual(first);
  expect(other['digest']).not.toBe(first['digest']);
  expect(other['randomness']).not.toEqual(first['randomness']);
});

test('timers, ticks, promises and immediates → the order of Node', () => {
  expect(first['order']).toEqual([
    'promise',
    'tick',
    'immediate',
    'timer of 1 ms',
    'timer of 0 ms',
    'timer of 2 ms',
    '4 ms',
    'refreshed',
  ]);
});

test('an hour → passes at once, on every clock', () => {
  expect(first['clocks']).toEqual({
    date: 3_600_000,
    mono: 3_600_000,
    hr: '3600000000000',
    newDate: '2026-11-26T19:05:00.006Z',
    isDate: true,
    given: '1970-01-01T00:00:00.000Z',
    ahead: 900,
  });
});

test('waits → end at their instant; files and hashes take no time', () => {
  expect(first['waits']).toEqual({
    delay: [250, 'done'],
    aborted: [70, 'ABORT_ERR'],
    timeout: [1_500, 'TimeoutError'],
    interval: [50, 'done'],
    immediate: [0, 'done'],
    file: [0, 'done'],
    digest: [0, 'done'],
  });
});

test('HTTP over the network in memory → whole and packed answers, the virtual date, refusals, a port used again', () => {
  expect(first['http']).toEqual({ isWhole: true, date: true, refused: 'ECONNREFUSED', again: 'again' });
});

test('a program dies → its peers see a reset, what it sent arrives, what it does afterwards reaches no one', () => {
  expect(first['deaths']).toEqual({ cut: [50, 'ECONNRESET'], asked: ['/cut', '/last'], isTicking: false });
});

test('a paused program → its timers and requests wait, and are served in its order afterwards', () => {
  expect(first['pauses']).toEqual({
    impatient: [1_000, 'TimeoutError'],
    ticksInPause: 2,
    patient: [4_000, 'done'],
    ticksAfter: 5,
  });
});

test('an answer that never arrives → the time-out of the caller', () => {
  expect(first['lostMessages']).toEqual({ mute: [2_000, 'TimeoutError'], heard: 'done' });
});

test('a paused program accepts later; a dead one opens no server', () => {
  expect(first['accepts']).toEqual({ early: 'TimeoutError', acceptedInPause: 0, late: 'done', successor: true });
});

test('the options of an agent → hold for every program', () => {
  expect(first['agents']).toBe('UND_ERR_RES_EXCEEDED_MAX_SIZE');
});

test('WebSockets → messages in order, and the end of a server that dies', () => {
  expect(first['sockets']).toEqual(['there back', 'closed 1006']);
});
