import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { policyDefaults as config } from '../defaults.ts';
import { decideExitTime, type ExitTime, exitMsOf, type MeasuredExits, policyAtExit } from './exitTime.ts';

const hourMs = 3_600_000;
const measured = (p95Ms: number, saleCount = 50): MeasuredExits => ({ saleCount, p95Ms });
const anyMeasured = fc.record({ saleCount: fc.nat(200), p95Ms: fc.option(fc.nat(120_000)) });
const anyBefore = fc.option(
  fc.record({ exitSeconds: fc.integer({ min: 3, max: 16 }).map((steps) => steps * 5), changedAtMs: fc.nat(hourMs) }),
);
const anyCategory = fc.constantFrom('crypto' as const, 'sport' as const);
const sportAfter = (before: ExitTime | null, exits: MeasuredExits, nowMs: number) =>
  decideExitTime(before, exits, { category: 'sport', nowMs, config });
const after = (before: ExitTime | null, exits: MeasuredExits, nowMs: number) =>
  decideExitTime(before, exits, { category: 'crypto', nowMs, config });

describe('the exit time of a category', () => {
  test('is that of the risk table once measured, and sixty seconds before', () => {
    const lowest: ExitTime = { exitSeconds: 15, changedAtMs: 0 };
    const secondsAt = (p95Ms: number) => after(lowest, measured(p95Ms), 1).exitSeconds;
    expect([0, 2_500, 2_501, 5_000, 10_000, 15_000, 30_000, 35_001].map(secondsAt)).toEqual([
      15, 15, 20, 20, 30, 40, 70, 80,
    ]);
    expect(after(null, measured(1, 0), 1).exitSeconds).toBe(60);
    expect(after(null, measured(1, 49), 1).exitSeconds).toBe(60);
    expect(after(lowest, { saleCount: 0, p95Ms: null }, 1).exitSeconds).toBe(60);
    expect(sportAfter({ exitSeconds: 80, changedAtMs: 0 }, measured(1_000), hourMs).exitSeconds).toBe(75);
    expect(sportAfter({ exitSeconds: 60, changedAtMs: 0 }, measured(1_000), hourMs).exitSeconds).toBe(60);
  });

  test('is assumed with few sales, and longer with none', () => {
    expect(exitMsOf(measured(99_000, 49), config)).toBe(15_000);
    expect(exitMsOf(measured(99_000, 50), config)).toBe(99_000);
    expect(exitMsOf({ saleCount: 0, p95Ms: null }, config)).toBe(30_000);
  });

  test('rises at once, falls by one step an hour, and stays on the steps between its bounds', () => {
    fc.assert(
      fc.property(fc.tuple(anyBefore, anyMeasured), fc.nat(3 * hourMs), anyCategory, ([before, exits], ...rest) => {
        const [laterMs, category] = rest;
        const decide = category === 'sport' ? sportAfter : after;
        const changedAtMs = before?.changedAtMs ?? 0;
        const nowMs = changedAtMs + laterMs;
        const next = decide(before, exits, nowMs);
        const was = before?.exitSeconds ?? 60;
        const falls = next.exitSeconds < was;
        expect(next.exitSeconds % 5).toBe(0);
        expect(next.exitSeconds).toBeLessThanOrEqual(80);
        expect(next.exitSeconds).toBeGreaterThanOrEqual(Math.min(was, category === 'sport' ? 60 : 15));
        expect(was - next.exitSeconds).toBeLessThanOrEqual(5);
        expect(falls && laterMs < hourMs).toBe(false);
        // The same measurement a moment later changes nothing.
        expect(decide(next, exits, nowMs)).toEqual(next);
      }),
      { numRuns: 1_000 },
    );
  });

  test('never falls when sales take longer, and a category closes only after its leverage has fallen', () => {
    fc.assert(
      fc.property(anyBefore, fc.nat(60_000), fc.nat(60_000), (before, quicker, longer) => {
        const [less, more] = [
          after(before, measured(quicker), hourMs),
          after(before, measured(quicker + longer), hourMs),
        ];
        expect(more.exitSeconds).toBeGreaterThanOrEqual(less.exitSeconds);
        expect(less.isOpen || !more.isOpen).toBe(true);
        expect(more.isOpen || more.exitSeconds > 70).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    expect(after(null, measured(30_000), 1).isOpen).toBe(true);
    expect(after(null, measured(30_001), 1).isOpen).toBe(false);
    expect(after(null, { saleCount: 0, p95Ms: null }, 1).isOpen).toBe(true);
  });

  test('comes down step by step after a slow hour', () => {
    let time: ExitTime = after(null, measured(40_000), 0);
    const seconds: number[] = [];
    for (let hour = 0; hour <= 14; hour += 1) {
      time = after(time, measured(5_000), hour * hourMs);
      seconds.push(time.exitSeconds);
    }
    expect(seconds).toEqual([80, 75, 70, 65, 60, 55, 50, 45, 40, 35, 30, 25, 20, 20, 20]);
  });

  test('is the one number that a policy differs in', () => {
    expect(policyAtExit(config, 60)).toBe(config);
    const { model, ...rest } = policyAtExit(config, 20);
    expect(model).toEqual({ ...config.model, exitSeconds: 20n });
    expect({ ...rest, model: config.model }).toEqual(config);
  });
});
