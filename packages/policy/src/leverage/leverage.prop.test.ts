import { oneE12 } from '@core/market';
import { type Route, routeNames } from '@core/position';
import {
  constants,
  leverageBps,
  type OrderBook,
  pricePips,
  raw,
  tokenUnits,
  type UsdPips,
  usdcUnits,
  usdPips,
} from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleBook, sampleFacts, sampleNowMs, sampleSide, sampleSnapshot } from '../../testing/samples.ts';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { coveredValueOf, oddsShockOf } from './oddsShock.ts';
import { leverageLimitOf, sideModelOf } from './sideModel.ts';
import { readWatch } from './watch.ts';

const { maxLeverageBps, minNotionalUsdPips } = policyDefaults.quote;
const terms = { maxLeverageBps, minNotionalUsdPips, fees: policyDefaults.fees };

interface Situation {
  readonly book: OrderBook;
  readonly leftSeconds: number;
  readonly varianceE12: bigint;
  readonly aheadTokens: bigint;
  /** J of the phase. */
  readonly jumpBps: bigint;
  readonly openingRoute: Route;
}

/** Hourly markets with any jump: their rows have none. */
function configWith({ jumpBps, openingRoute }: Situation): PolicyConfig {
  const { hourly } = policyDefaults.crypto;
  return {
    ...policyDefaults,
    openingRoute,
    crypto: { ...policyDefaults.crypto, hourly: hourly && { ...hourly, jumpBps } },
  };
}

function limitAt(situation: Situation, notional: UsdPips): bigint {
  const snapshot = sampleSnapshot({
    facts: sampleFacts({ closeAtMs: sampleNowMs + situation.leftSeconds * 1_000 }),
    yes: sampleSide(situation.book, {
      realisedVarianceE12: situation.varianceE12,
      openLeveragedTokenUnits: tokenUnits(situation.aheadTokens),
    }),
  });
  const model = sideModelOf(snapshot, 'yes', { terms, config: configWith(situation) });
  return model === null ? 0n : raw(leverageLimitOf(model, notional));
}

const situations = fc.record({
  book: sampleBook(),
  leftSeconds: fc.integer({ min: 1, max: 7_200 }),
  varianceE12: fc.bigInt(0n, oneE12 / 100n),
  aheadTokens: fc.bigInt(0n, 10n ** 10n),
  jumpBps: fc.bigInt(0n, 20_000n),
  openingRoute: fc.constantFrom(...routeNames),
});
const notionals = fc.bigInt(50_000n, 10n ** 8n).map(usdPips);

/** A law over situations and the same ones made worse in a single respect. */
function neverBetter(worsen: (situation: Situation, by: bigint) => Situation): () => void {
  const law = fc.property(
    situations,
    notionals,
    fc.bigInt(1n, 10n ** 9n),
    (situation, notional, by) => limitAt(worsen(situation, by), notional) <= limitAt(situation, notional),
  );
  return () => fc.assert(law, { numRuns: 400 });
}

describe('the maximum leverage of a side never rises', () => {
  test('when time left falls', () => {
    expect(
      neverBetter((s, by) => ({ ...s, leftSeconds: Math.max(1, s.leftSeconds - Number(by % 7_200n)) })),
    ).not.toThrow();
  });

  test('when realised variance rises', () => {
    expect(neverBetter((s, by) => ({ ...s, varianceE12: s.varianceE12 + by }))).not.toThrow();
  });

  test('when more leveraged positions are ahead', () => {
    expect(neverBetter((s, by) => ({ ...s, aheadTokens: s.aheadTokens + by }))).not.toThrow();
  });

  test('when the bids lose size', () => {
    const law = neverBetter((s, by) => {
      const index = Number(by % BigInt(s.book.bids.length));
      const bids = s.book.bids.map((level, at) =>
        at === index
          ? { ...level, sizeTokenUnits: tokenUnits((raw(level.sizeTokenUnits) * (by % 1_000n)) / 1_000n + 1n) }
          : level,
      );
      return { ...s, book: { ...s.book, bids } };
    });
    expect(law).not.toThrow();
  });

  test('when the bids lose price, all of them or the lower ones', () => {
    const law = neverBetter((s, by) => {
      const from = Number(by % BigInt(s.book.bids.length));
      const bids = s.book.bids.map((level, at) => {
        const lower = raw(level.pricePips) - (at < from ? 0n : by % 500n);
        return { ...level, pricePips: pricePips(lower < 1n ? 1n : lower) };
      });
      return { ...s, book: { ...s.book, bids } };
    });
    expect(law).not.toThrow();
  });

  test('when the jump rises', () => {
    expect(neverBetter((s, by) => ({ ...s, jumpBps: s.jumpBps + (by % 20_000n) }))).not.toThrow();
  });

  test('when the notional rises, pip by pip as well as in strides', () => {
    fc.assert(
      fc.property(
        situations,
        notionals,
        fc.oneof(fc.constant(1n), fc.bigInt(1n, 10n ** 8n)),
        (situation, notional, more) => {
          const larger = usdPips(raw(notional) + more);
          expect(limitAt(situation, larger) <= limitAt(situation, notional)).toBe(true);
        },
      ),
      { numRuns: 800 },
    );
  });
});

describe('the shock', () => {
  const phases = fc.record({
    leftSeconds: fc.bigInt(1n, 100_000n),
    jumpBps: fc.bigInt(0n, 20_000n),
    shockMultiplierBps: fc.constantFrom(0n, 35_000n),
  });

  test('is at least one, grows with the jump, and doubled variance never lowers it', () => {
    fc.assert(
      fc.property(phases, fc.bigInt(0n, oneE12), fc.bigInt(0n, 5_000n), (phase, realisedVarianceE12, more) => {
        const inputs = { phase, realisedVarianceE12, isReferenceSilent: false };
        const shock = oddsShockOf(inputs, policyDefaults.model);
        const jumpier = { ...inputs, phase: { ...phase, jumpBps: phase.jumpBps + more } };
        expect(shock >= oneE12).toBe(true);
        expect(oddsShockOf(jumpier, policyDefaults.model) >= shock).toBe(true);
        expect(oddsShockOf({ ...inputs, isReferenceSilent: true }, policyDefaults.model) >= shock).toBe(true);
        expect(oddsShockOf(inputs, policyDefaults.model)).toBe(shock);
      }),
    );
  });

  test('the covered value lies between nothing and the value itself', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, oneE12), fc.bigInt(oneE12, 1_000n * oneE12), (netValue, shock) => {
        const covered = coveredValueOf(netValue, shock);
        expect(covered >= 0n && covered <= netValue).toBe(true);
      }),
    );
  });
});

describe('the watch', () => {
  const watched = fc.record({
    book: sampleBook(),
    tokens: fc.bigInt(1n, 10n ** 10n).map(tokenUnits),
    debtUsdcUnits: fc.bigInt(0n, 10n ** 10n).map(usdcUnits),
    shockE12: fc.bigInt(oneE12, 5n * oneE12),
    venueFee: fc.constant({ ratePpm: 70_000n, exponent: 1n }),
    isHardExitInForce: fc.boolean(),
  });

  test('covered debt: nothing is sold; uncovered: all of it is repaid', () => {
    fc.assert(
      fc.property(watched, (inputs) => {
        const reading = readWatch(inputs);
        const isCovered = reading.debtE12 <= reading.coveredValueE12;
        const hasDebt = raw(inputs.debtUsdcUnits) > 0n;
        expect(reading.isUnwindDue).toBe(hasDebt && (inputs.isHardExitInForce || !isCovered));
        // Without debt nothing is due again, whatever the book does: one unwind ends the matter.
        const repaid = readWatch({ ...inputs, debtUsdcUnits: usdcUnits(0n) });
        expect(repaid.isUnwindDue).toBe(false);
      }),
    );
  });
});

test('limits are whole steps within the service', () => {
  fc.assert(
    fc.property(situations, notionals, (situation, notional) => {
      const limit = limitAt(situation, notional);
      expect(limit % raw(constants.leverageStepBps)).toBe(0n);
      expect(limit >= 0n && limit <= raw(leverageBps(100_000n))).toBe(true);
    }),
  );
});
