import { expect, test } from 'vitest';
import { ArgumentError } from '../../src/run/arguments.ts';
import { physicsFlags, physicsOf } from '../../src/run/physicsFlags.ts';
import { runSimulated } from '../../src/run/runSimulated.ts';
import { defaultPhysics, feesOf, type Physics, paceOf, viewOf } from '../../src/world/physics.ts';

const flagValues: Readonly<Record<string, string>> = {
  block: '12000',
  'tip-floor': '25',
  'base-fee': '90',
  'node-lag': '1',
  'max-batch': '20',
  'max-log-blocks': '100',
  finality: 'absent',
  tick: '0.1',
  'venue-answer': '40',
  'taker-delay': '3000',
  'venue-settle': '2500',
  'clocks-apart': '900',
};
const changed: Physics = {
  blockMs: 12_000,
  tipFloorGwei: 25,
  baseFeeGwei: 90,
  nodeLagBlocks: 1,
  maxBatchCalls: 20,
  maxLogBlocks: 100,
  finality: 'absent',
  tickPips: 10,
  venueAnswerMs: 40,
  takerDelayMs: 3_000,
  venueSettleMs: 2_500,
  clocksApartMs: 900,
};

test('flags: each setting of the physics has one; what is not given has its default', () => {
  expect(Object.keys(flagValues)).toEqual(Object.keys(physicsFlags));
  expect(physicsOf(flagValues)).toEqual(changed);
  expect(physicsOf({})).toEqual(defaultPhysics);
  expect(() => physicsOf({ block: '500' })).toThrow(ArgumentError);
  expect(() => physicsOf({ tick: '2' })).toThrow(ArgumentError);
});

test('physics of the chain: pace, fees and view of the node', () => {
  expect([paceOf(changed), paceOf({ blockMs: 0 })]).toEqual([12_000, 'instant']);
  expect(feesOf(changed)).toEqual({
    tipFloorWei: 25_000_000_000n,
    baseFeeWei: 90_000_000_000n,
    suggestedTipWei: 25_000_000_000n,
  });
  expect(feesOf(defaultPhysics)).toEqual({ tipFloorWei: 0n, baseFeeWei: null, suggestedTipWei: null });
  expect(viewOf(changed)).toMatchObject({ behindBlocks: 1, finality: 'absent', maxBatchCalls: 20, maxLogBlocks: 100 });
  expect(viewOf(defaultPhysics).finality).toEqual({ safeBlocks: 3, finalizedBlocks: 3 });
});

interface Observed {
  readonly markets: readonly {
    readonly kind: string;
    readonly bookTick: string;
    readonly spreadPips: number;
    readonly midPips: number;
    readonly takerMs: number;
    readonly settleMs: number;
  }[];
  readonly answerMs: number;
  readonly offsets: readonly number[];
  readonly lines: readonly string[];
}

const observe = async (physics: Physics): Promise<Observed> =>
  (await runSimulated(new URL('./venueProcess.ts', import.meta.url), JSON.stringify(physics))) as Observed;

test('venue of a world: tick, delays and clocks are those of its physics', async () => {
  const [usual, other] = await Promise.all([observe(defaultPhysics), observe(changed)]);
  const kinds = usual.markets.map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(['crypto', 'in-play', 'pre-game']));
  expect(other.markets.map(({ kind }) => kind)).toEqual(kinds);
  for (const market of usual.markets) {
    expect(market).toMatchObject({ bookTick: '0.01', takerMs: 0, settleMs: 0 });
    expect(market.spreadPips).toBeGreaterThanOrEqual(100);
  }
  for (const market of other.markets) {
    expect(market).toMatchObject({ bookTick: '0.001', takerMs: 3_000, settleMs: 2_500 });
    expect(market.spreadPips).toBeLessThan(100);
  }
  expect(usual.markets.filter(({ kind }) => kind === 'in-play').map(({ midPips }) => midPips)).toContain(7_500);
  expect(other.answerMs - usual.answerMs).toBeGreaterThanOrEqual(40);
  expect(usual.offsets).toEqual([0, 0, 0]);
  expect(usual.lines).toEqual([]);
  expect(other.lines).toHaveLength(3);
  expect(Math.max(...other.offsets.map(Math.abs))).toBeGreaterThan(0);
  expect(Math.max(...other.offsets.map(Math.abs))).toBeLessThanOrEqual(900);
});
