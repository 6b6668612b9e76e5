import { type OrderBook, pricePips, rateBps, raw, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleBook, sampleFacts, sampleNowMs, sampleSide, sampleSnapshot } from '../../testing/samples.ts';
import type { AttestationRequest, AttestationTerms } from './attestationTerms.ts';
import { decideAttestation } from './decideAttestation.ts';
import { decideCountersignature } from './decideCountersignature.ts';
import { jointTermsOf } from './jointTerms.ts';

const purposes = ['open', 'close', 'unwind', 'liquidate'] as const;

/** One market as two signers see it: each has a book, an average and a variance of its own. */
const sampleView = fc.record({
  book: sampleBook(),
  average: fc.bigInt(50n, 9_900n),
  varianceE12: fc.bigInt(0n, 10n ** 9n),
});
const sampleScene = fc.record({
  purpose: fc.constantFrom(...purposes),
  tick: fc.constantFrom(10n, 100n),
  leftSeconds: fc.integer({ min: 1, max: 3_600 }),
  tokens: fc.bigInt(5_000_000n, 10n ** 10n),
  sizeShare: fc.bigInt(1n, 100n),
  debtPips: fc.bigInt(1n, 9_000n),
});
type Scene = typeof sampleScene extends fc.Arbitrary<infer Value> ? Value : never;
type View = typeof sampleView extends fc.Arbitrary<infer Value> ? Value : never;

function snapshotOf(scene: Scene, { book, average, varianceE12 }: View) {
  const twap = { pricePips: pricePips(average), sampleCount: 30, lastSampleAgeMs: 200 };
  return sampleSnapshot({
    facts: sampleFacts({ closeAtMs: sampleNowMs + scene.leftSeconds * 1_000, tickPricePips: pricePips(scene.tick) }),
    yes: sampleSide(book, { twap, realisedVarianceE12: varianceE12 }),
  });
}

function requestOf({ purpose, tokens, sizeShare, debtPips }: Scene): AttestationRequest {
  const size = (tokens * sizeShare) / 100n;
  return {
    purpose,
    side: 'yes',
    tokenUnits: tokenUnits(size < 5_000_000n ? 5_000_000n : size),
    position:
      purpose === 'open'
        ? null
        : {
            tokenUnits: tokenUnits(tokens),
            debtUsdcUnits: usdcUnits((tokens * debtPips) / 10_000n),
            liquidationPricePips: pricePips(debtPips),
            maxVenueFeeBps: rateBps(500n),
            closeMinPricePips: pricePips(0n),
            plannedTriggerPricePips: null,
            owesSinceMs: null,
            wasHardExitInForce: false,
          },
    earlierMid: { pricePips: pricePips(1n), ageMs: 5_000 },
  };
}

const sampleTerms = fc.record({
  markPricePips: fc.bigInt(1n, 10_000n).map(pricePips),
  limitPricePips: fc.bigInt(1n, 10_000n).map(pricePips),
  triggerPricePips: fc.bigInt(0n, 10_000n).map(pricePips),
  venueFeeBps: fc.bigInt(0n, 10_000n).map(rateBps),
  exitBufferBps: fc.bigInt(0n, 1_500n).map(rateBps),
});

test('law: joining terms is the same in any order and any number of times', () => {
  fc.assert(
    fc.property(fc.constantFrom(...purposes), fc.tuple(sampleTerms, sampleTerms, sampleTerms), (purpose, [a, b, c]) => {
      const join = (left: typeof a, right: typeof a) => jointTermsOf(purpose, left, right);
      expect(join(a, b)).toEqual(join(b, a));
      expect(join(join(a, b), c)).toEqual(join(a, join(b, c)));
      expect(join(a, a)).toEqual(a);
      expect(join(a, join(a, b))).toEqual(join(a, b));
    }),
  );
});

function termsOf({ kind: _kind, ...terms }: AttestationTerms) {
  return terms;
}

test('law: a signer accepts its own terms, and joint terms that its book still gives', () => {
  let jointCount = 0;
  fc.assert(
    fc.property(sampleScene, sampleView, sampleView, (scene, left, right) => {
      const request = requestOf(scene);
      const snapshot = snapshotOf(scene, left);
      const own = decideAttestation(snapshot, request);
      const other = decideAttestation(snapshotOf(scene, right), request);
      fc.pre(own.kind === 'attestation');
      expect(decideCountersignature(snapshot, { request, proposed: termsOf(own) })).toEqual({ kind: 'agreed' });
      if (other.kind !== 'attestation') return;
      jointCount += 1;
      const proposed = jointTermsOf(scene.purpose, termsOf(own), termsOf(other));
      const decision = decideCountersignature(snapshot, { request, proposed });
      const agreements = [{ kind: 'agreed' }, { kind: 'refused', reason: 'limit_out_of_reach' }];
      expect(agreements).toContainEqual(decision);
    }),
    { numRuns: 2_000 },
  );
  expect(jointCount).toBeGreaterThan(200);
});

test('law: accepted terms are at most the tolerance less careful than the own view', () => {
  let agreedCount = 0;
  const drift = fc.bigInt(-400n, 400n);
  fc.assert(
    fc.property(sampleScene, sampleView, fc.tuple(drift, drift, drift, drift), (scene, view, drifts) => {
      const request = requestOf(scene);
      const snapshot = snapshotOf(scene, view);
      const own = decideAttestation(snapshot, request);
      fc.pre(own.kind === 'attestation');
      const moved = (price: bigint, by: bigint) => pricePips(price + by < 0n ? 0n : price + by);
      const proposed = {
        ...termsOf(own),
        markPricePips: moved(raw(own.markPricePips), drifts[0]),
        limitPricePips: moved(raw(own.limitPricePips), drifts[1]),
        triggerPricePips: moved(raw(own.triggerPricePips), drifts[2]),
      };
      if (decideCountersignature(snapshot, { request, proposed }).kind !== 'agreed') return;
      agreedCount += 1;
      const sign = scene.purpose === 'open' ? 1n : -1n;
      const markTolerance = Math.max(Number(scene.tick), Number(raw(proposed.markPricePips)) / 100);
      const worse = (theirs: bigint, ours: bigint) => Number(sign * (theirs - ours));
      expect(worse(raw(proposed.markPricePips), raw(own.markPricePips))).toBeLessThanOrEqual(markTolerance);
      expect(worse(raw(proposed.limitPricePips), raw(own.limitPricePips))).toBeLessThanOrEqual(Number(scene.tick));
      const [trigger, ownTrigger] = [raw(proposed.triggerPricePips), raw(own.triggerPricePips)];
      // A trigger of 0 is past the hard exit, for both or for none.
      expect(trigger === 0n ? ownTrigger === 0n : trigger * 101n >= ownTrigger * 100n).toBe(true);
    }),
    { numRuns: 4_000 },
  );
  expect(agreedCount).toBeGreaterThan(50);
});

const flat = (mid: bigint): OrderBook => ({
  bids: [{ pricePips: pricePips(mid - 50n), sizeTokenUnits: tokenUnits(10n ** 10n) }],
  asks: [{ pricePips: pricePips(mid + 50n), sizeTokenUnits: tokenUnits(10n ** 10n) }],
});

test('law: after a jump up signers open at the lower of their averages, however far those are apart', () => {
  fc.assert(
    fc.property(fc.bigInt(2_000n, 6_000n), fc.tuple(fc.bigInt(0n, 100n), fc.bigInt(0n, 100n)), (price, lags) => {
      // Both books show the new price; the averages are on their way to it, each as far as its samples.
      const scene: Scene = {
        purpose: 'open',
        tick: 10n,
        leftSeconds: 3_600,
        tokens: 100_000_000n,
        sizeShare: 100n,
        debtPips: 1n,
      };
      const request = requestOf(scene);
      // Nothing opens while the average is further behind than the slip allows.
      const averages = lags.map((lag) => price - (price * lag) / 1_000n);
      const snapshots = averages.map((average) => snapshotOf(scene, { book: flat(price), average, varianceE12: 0n }));
      const [left, right] = snapshots.map((snapshot) => decideAttestation(snapshot, request));
      if (left?.kind !== 'attestation' || right?.kind !== 'attestation') throw new Error('both open');
      const proposed = jointTermsOf('open', termsOf(left), termsOf(right));
      for (const snapshot of snapshots) {
        expect(decideCountersignature(snapshot, { request, proposed })).toEqual({ kind: 'agreed' });
      }
    }),
  );
});
