import { type MarketSnapshot, unseenMarketOf } from '@core/market';
import { sampleFacts } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import { sampleNowMs, samplePosition } from '@core/position/testing';
import { describe, expect, test } from 'vitest';
import { HardExits } from './hardExits.ts';

const minute = 60_000;
const marketKey = 'market-1';
const facts = sampleFacts({ ticker: marketKey, category: 'sport', subject: null, closeAtMs: null });
/** 40 minutes after the positions open. */
const startMs = sampleNowMs + 40 * minute;

/** Minutes after `sampleNowMs`, in a tennis match; live when the score feed says so. */
function gameAt(minutes: number, { isLive = false, gameStartAtMs = startMs } = {}): MarketSnapshot {
  const subject = {
    kind: 'sport',
    sport: 'tennis',
    sportName: 'tennis',
    line: 'winner',
    marketType: 'moneyline',
  } as const;
  const unseen = unseenMarketOf({ ...facts, subject: { ...subject, gameStartAtMs } }, sampleNowMs + minutes * minute);
  return { ...unseen, reference: isLive ? { ageMs: 0, elapsedBps: null, isLive, isEnded: false } : null };
}

function hourly(minutes: number, closeAtMs = sampleNowMs + 50 * minute): MarketSnapshot {
  const subject = { kind: 'crypto', asset: 'BTC', cadence: 'hourly', isAssetSupported: true } as const;
  return unseenMarketOf({ ...facts, category: 'crypto', subject, closeAtMs }, sampleNowMs + minutes * minute);
}

const openPosition = (number: number, minutes = 0) =>
  samplePosition(number, { openedAtMs: sampleNowMs + minutes * minute });
const [one, other] = [openPosition(1), openPosition(2)];
const keysOf = (...positions: readonly { readonly positionKey: string }[]): readonly string[] =>
  positions.map(({ positionKey }) => positionKey).toSorted();

function watching(first: MarketSnapshot, ...positions: readonly ReturnType<typeof openPosition>[]) {
  const exits = new HardExits(policyDefaults);
  const put = (position: ReturnType<typeof openPosition>, snapshot: MarketSnapshot, wasInForce = false) =>
    exits.put(position, { marketKey, snapshot }, wasInForce);
  for (const position of positions) put(position, first);
  return {
    exits,
    put,
    evaluate: (snapshot: MarketSnapshot) => exits.evaluate({ marketKey, snapshot }),
    takeNew: (minutes: number) => exits.takeNew(sampleNowMs + minutes * minute).toSorted(),
  };
}

describe('the hard exit', () => {
  test('is due for every debt of a market at once, including later ones, until it is removed', () => {
    const { exits, put, takeNew } = watching(hourly(0), one, other);
    expect(takeNew(44.99)).toEqual([]);
    expect(takeNew(45)).toEqual(keysOf(one, other));
    expect(takeNew(45)).toEqual([]);
    const late = openPosition(3);
    put(late, hourly(46));
    expect(takeNew(46)).toEqual(keysOf(late));
    expect([...exits.inForce].toSorted()).toEqual(keysOf(one, other, late));
    for (const { positionKey } of [one, other, late]) exits.remove(positionKey);
    expect(exits.inForce.size).toBe(0);
    // One that opens in another hour has its own.
    put(late, hourly(60, sampleNowMs + 110 * minute));
    expect(takeNew(60)).toEqual([]);
  });

  test('stays in force whatever the market becomes, and when its position is put again', () => {
    const { exits, put, evaluate, takeNew } = watching(gameAt(0), one);
    expect(takeNew(35)).toEqual(keysOf(one));
    const putOff = gameAt(36, { gameStartAtMs: startMs + 300 * minute });
    evaluate(putOff);
    put(one, putOff);
    expect([...exits.inForce]).toEqual(keysOf(one));
  });

  test('before a game comes into force with a game that goes live early', () => {
    const { evaluate, takeNew } = watching(gameAt(0), one);
    evaluate(gameAt(19));
    expect(takeNew(19)).toEqual([]);
    evaluate(gameAt(20, { isLive: true }));
    expect(takeNew(20)).toEqual(keysOf(one));
  });

  test('before a game comes into force when the clock jumps over it, even if an evaluation comes first', () => {
    const { evaluate, takeNew } = watching(gameAt(0), one);
    evaluate(gameAt(41));
    expect(takeNew(41)).toEqual(keysOf(one));
  });

  test('in the past is not replaced by that of a postponed game, if an evaluation comes first', () => {
    const { evaluate, takeNew } = watching(gameAt(0), one);
    evaluate(gameAt(36, { gameStartAtMs: startMs + 300 * minute }));
    expect(takeNew(36)).toEqual(keysOf(one));
  });

  test('moves with its game until it has passed', () => {
    const { evaluate, takeNew } = watching(gameAt(0), one);
    evaluate(gameAt(10, { gameStartAtMs: startMs + 60 * minute }));
    expect(takeNew(94.99)).toEqual([]);
    evaluate(gameAt(11, { gameStartAtMs: startMs - 10 * minute }));
    expect(takeNew(25)).toEqual(keysOf(one));
  });

  test('of a debt from in play is that of the game, beside one that came into force at its start', () => {
    const inPlay = openPosition(3, 45);
    const { put, evaluate, takeNew } = watching(gameAt(0), one);
    put(inPlay, gameAt(46));
    expect(takeNew(46)).toEqual(keysOf(one));
    evaluate(gameAt(50));
    expect(takeNew(50)).toEqual([]);
    // 90 % of the 112 minutes of a tennis match.
    evaluate(gameAt(40 + 101));
    expect(takeNew(141)).toEqual(keysOf(inPlay));
  });

  test('is in force for a position known to be past it, until it is removed', () => {
    const { exits, put, takeNew } = watching(gameAt(0), one);
    put(other, gameAt(1), true);
    expect(takeNew(1)).toEqual(keysOf(other));
    exits.remove(other.positionKey);
    expect(exits.inForce.size).toBe(0);
  });

  test('costs an evaluation nothing for positions already past it', () => {
    let readCount = 0;
    const counted = Object.defineProperty({ ...one }, 'openedAtMs', {
      get: () => {
        readCount += 1;
        return sampleNowMs + 45 * minute;
      },
    });
    const { evaluate } = watching(gameAt(46), counted);
    readCount = 0;
    for (let minutes = 47; minutes < 60; minutes += 1) evaluate(gameAt(minutes));
    expect(readCount).toBe(0);
    evaluate(gameAt(60, { gameStartAtMs: startMs - minute }));
    expect(readCount).toBe(1);
  });
});
