import { leverageBps, pricePips, usdcUnits } from '@core/pricing';
import { expect, test } from 'vitest';
import { sampleNowMs, samplePosition } from '../../testing/samples.ts';
import type { Position } from '../record/position.ts';
import type { PositionUnwind } from '../record/positionHistory.ts';
import { ladderOf } from './ladder.ts';

const times = (quarters: bigint) => leverageBps(quarters * 2_500n);
const rungs = [
  { rung: 1, triggerPricePips: pricePips(4_800n), targetLeverageBps: times(14n) },
  { rung: 2, triggerPricePips: pricePips(4_600n), targetLeverageBps: times(9n) },
];
const committed = (changes: Partial<Position> = {}): Position =>
  samplePosition(1, {
    riskMode: 'committed',
    quotedRisk: { exitSeconds: 60, plannedUnwinds: rungs, signature: '0x' },
    ...changes,
  });
const unwind = (sequence: number, rung: number | null, after: bigint): PositionUnwind => ({
  sequence,
  executedAtMs: sampleNowMs + sequence * 1_000,
  beforeLeverageBps: times(20n),
  afterLeverageBps: times(after),
  reason: null,
  rung,
  blockNumber: 1n,
});
const statuses = (position: Position, unwinds: readonly PositionUnwind[]) =>
  ladderOf(position, unwinds).map(({ status, triggeredAtMs, executedSequence }) => [
    status,
    triggeredAtMs === null ? null : triggeredAtMs - sampleNowMs,
    executedSequence,
  ]);
const planned = ['planned', null, null];
const superseded = ['superseded', null, null];

test('a ladder is planned until its rungs are reached, in as many sales as the book takes', () => {
  expect(statuses(committed(), [])).toEqual([planned, planned]);
  expect(statuses(committed({ chainState: 'pending', principalUsdcUnits: usdcUnits(0n) }), [])).toEqual([
    planned,
    planned,
  ]);
  const sold = [unwind(0, 1, 17n), unwind(1, 1, 14n)];
  expect(statuses(committed({ structuralLeverageBps: times(14n) }), sold)).toEqual([['triggered', 0, 1], planned]);
});

test('a rung is superseded by earlier repayment: a lower rung, another unwind, margin, the end', () => {
  expect(statuses(committed({ structuralLeverageBps: times(9n) }), [unwind(0, 2, 9n)])).toEqual([
    superseded,
    ['triggered', 0, 0],
  ]);
  expect(statuses(committed({ structuralLeverageBps: times(12n) }), [unwind(0, null, 12n)])).toEqual([
    superseded,
    planned,
  ]);
  expect(statuses(committed({ principalUsdcUnits: usdcUnits(0n) }), [unwind(0, null, 4n)])).toEqual([
    superseded,
    superseded,
  ]);
  expect(statuses(committed({ chainState: 'settled' }), [])).toEqual([superseded, superseded]);
});

test('an adaptive position has no ladder', () => {
  expect(ladderOf(samplePosition(1), [unwind(0, null, 4n)])).toEqual([]);
});
