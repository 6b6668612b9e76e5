import type { MarketSnapshot, ReferenceSnapshot } from '@core/market';
// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import { raw } from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleFacts, sampleNowMs, sampleSnapshot, sampleSport, sampleSportSnapshot } from '../../testing/samples.ts';
import { policyDefaults } from '../defaults.ts';
import { hardExitOf, type OwingSince } from './hardExit.ts';

const minute = 60_000;
const never: OwingSince = { owesSinceMs: null, wasHardExitInForce: false };

function game(startsInMs: number, reference: Partial<ReferenceSnapshot> = {}): MarketSnapshot {
  return sampleSportSnapshot({
    facts: sampleFacts({
      category: 'sport',
      closeAtMs: null,
      subject: { ...sampleSport, gameStartAtMs: sampleNowMs + startsInMs },
    }),
    reference: { ageMs: 100, elapsedBps: null, isLive: false, isEnded: false, ...reference },
  });
}

const inForce = (snapshot: MarketSnapshot, owing = never) => hardExitOf(snapshot, owing, policyDefaults).isInForce;

describe('the hard exit', () => {
  test('begins at the deadline of the phase', () => {
    const closing = (leftMs: number) => sampleSnapshot({ facts: sampleFacts({ closeAtMs: sampleNowMs + leftMs }) });
    expect(inForce(closing(5 * minute + 1))).toBe(false);
    expect(inForce(closing(5 * minute))).toBe(true);
    expect(inForce(game(5 * minute + 1))).toBe(false);
    expect(inForce(game(5 * minute))).toBe(true);
  });

  test('of a debt from before the start continues across the start, early starts included', () => {
    const before = { ...never, owesSinceMs: sampleNowMs - 60 * minute };
    expect(inForce(game(-minute), before)).toBe(true);
    expect(inForce(game(20 * minute, { isLive: true }), before)).toBe(true);
    expect(inForce(game(-minute), { ...never, owesSinceMs: sampleNowMs - minute })).toBe(false);
    expect(inForce(game(-minute))).toBe(false);
  });

  test('law: a hard exit stays in force in any later market, with its slip between the bounds', () => {
    const anyGame = fc
      .record({
        startsInMs: fc.integer({ min: -300 * minute, max: 300 * minute }),
        elapsedBps: fc.option(fc.integer({ min: -1_000, max: 12_000 })),
        isLive: fc.boolean(),
        isEnded: fc.boolean(),
        isUnknown: fc.boolean(),
      })
      .map(({ startsInMs, isUnknown, ...reference }) => {
        const snapshot = game(startsInMs, reference);
        return isUnknown ? { ...snapshot, facts: { ...snapshot.facts, subject: null } } : snapshot;
      });
    const owing = fc.option(fc.integer({ min: -600, max: 0 })).map((minutes) => ({
      owesSinceMs: minutes === null ? null : sampleNowMs + minutes * minute,
      wasHardExitInForce: false,
    }));
    fc.assert(
      fc.property(anyGame, anyGame, owing, (first, later, since) => {
        const exit = hardExitOf(first, since, policyDefaults);
        const memory = { ...since, wasHardExitInForce: exit.isInForce };
        if (exit.isInForce) expect(inForce(later, memory)).toBe(true);
        const { slipBps, maxSlipBps } = policyDefaults.model;
        expect(raw(exit.slipBps) >= raw(slipBps) && raw(exit.slipBps) <= raw(maxSlipBps)).toBe(true);
        if (!exit.isInForce) expect(exit.slipBps).toBe(slipBps);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the slip never narrows as the jump comes nearer', () => {
    const slipAt = (leftMs: number) =>
      raw(
        hardExitOf(
          sampleSnapshot({ facts: sampleFacts({ closeAtMs: sampleNowMs + leftMs }) }),
          { ...never, wasHardExitInForce: true },
          policyDefaults,
        ).slipBps,
      );
    expect([slipAt(120_000), slipAt(60_000), slipAt(0), slipAt(-1_000)]).toEqual([1_500n, 1_750n, 2_000n, 2_000n]);
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 200_000 }), fc.nat(100_000), (leftMs, sooner) => {
        expect(slipAt(leftMs - sooner) >= slipAt(leftMs)).toBe(true);
      }),
    );
  });
});
