import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { policyDefaults as config } from '../defaults.ts';
import { decideGrantFills, type EndedGrant, grantMemoryMs } from './grantFills.ts';

const { unfilledCount, fillWindowMs: windowMs } = config.grant;
const start = 1_000_000_000;
const grantAt = (endedAtMs: number, isFilled: boolean, changes: Partial<EndedGrant> = {}): EndedGrant => ({
  category: 'crypto',
  kind: 'opening',
  isFilled,
  endedAtMs,
  ...changes,
});
const decide = (grants: readonly EndedGrant[], nowMs: number) => decideGrantFills(grants, { nowMs, config });
const hasFillers = (grants: readonly EndedGrant[], nowMs: number): boolean =>
  decide(grants, nowMs).every((fills) => fills.hasFillers);
const anyTime = fc.integer({ min: start - grantMemoryMs(config), max: start });
const anyGrants = fc.array(fc.tuple(anyTime, fc.boolean()).map(([time, isFilled]) => grantAt(time, isFilled)));
/** Unfilled grants after the start, all within a window. */
const anyRow = fc
  .array(fc.nat(windowMs), { minLength: unfilledCount, maxLength: 8 })
  .map((offsets) => offsets.map((offset) => grantAt(start + 1 + offset, false)));
const lastOf = (grants: readonly EndedGrant[]): number => Math.max(...grants.map(({ endedAtMs }) => endedAtMs));

describe('fillers of a category', () => {
  test('are away after a row of unfilled grants, for one window, whatever was before', () => {
    fc.assert(
      fc.property(anyGrants, anyRow, fc.nat(3 * windowMs), (before, row, laterMs) => {
        const grants = [...before, ...row];
        const last = lastOf(row);
        expect(hasFillers(grants, last + laterMs)).toBe(laterMs >= windowMs);
      }),
    );
  });

  test('are back with the next fill, at once', () => {
    fc.assert(
      fc.property(anyGrants, anyRow, fc.nat(windowMs), (before, row, laterMs) => {
        const last = lastOf(row);
        expect(hasFillers([...before, ...row, grantAt(last + laterMs, true)], last + laterMs)).toBe(true);
      }),
    );
  });

  test('are away again after one unfilled trial, and are not after a filled one', () => {
    fc.assert(
      fc.property(
        anyRow,
        fc.tuple(fc.nat(windowMs), fc.nat(windowMs - 1)),
        fc.boolean(),
        (row, [afterMs, laterMs], isFilled) => {
          const times = row.map(({ endedAtMs }) => endedAtMs);
          const trialMs = Math.max(lastOf(row) + windowMs, Math.min(...times) + windowMs + afterMs);
          expect(hasFillers(row, trialMs)).toBe(true);
          expect(hasFillers([...row, grantAt(trialMs, isFilled)], trialMs + laterMs)).toBe(isFilled);
        },
      ),
    );
  });

  test('are there with fewer unfilled grants, and after any silence of a window', () => {
    fc.assert(
      fc.property(fc.array(anyTime, { maxLength: unfilledCount - 1 }), anyGrants, (times, others) => {
        expect(
          hasFillers(
            times.map((time) => grantAt(time, false)),
            start,
          ),
        ).toBe(true);
        expect(hasFillers(others, start + windowMs)).toBe(true);
      }),
    );
  });

  test('are judged by kind and category, in any order of the grants, with the counts of the window', () => {
    const sale = { kind: 'sale' } as const;
    const sport = { category: 'sport' } as const;
    const grants = [
      grantAt(start - windowMs, true),
      ...[30, 20, 10].map((ms) => grantAt(start - ms, false)),
      ...[30, 20, 10].map((ms) => grantAt(start - ms, false, sport)),
      grantAt(start - 5, true, sport),
      grantAt(start - 9, false, sale),
      grantAt(start - windowMs, true, { ...sale, ...sport }),
    ];
    const fills = { windowMs, filledCount: 0, unfilledCount: 3, lastFilledAtMs: null, lastUnfilledAtMs: start - 10 };
    const decided = [
      { ...fills, category: 'crypto', kind: 'opening', hasFillers: false },
      {
        ...fills,
        ...sport,
        kind: 'opening',
        filledCount: 1,
        lastFilledAtMs: start - 5,
        hasFillers: true,
      },
      { ...fills, ...sale, category: 'crypto', unfilledCount: 1, lastUnfilledAtMs: start - 9, hasFillers: true },
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(grants, { minLength: grants.length }), (shuffled) => {
        const result = decide(shuffled, start);
        expect(result).toHaveLength(decided.length);
        expect(result).toEqual(expect.arrayContaining(decided));
      }),
    );
  });
});
