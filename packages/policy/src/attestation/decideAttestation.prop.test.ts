import { pricePips, rateBps, raw, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleBook, sampleFacts, sampleNowMs, sampleSide, sampleSnapshot } from '../../testing/samples.ts';
import { policyDefaults } from '../defaults.ts';
import { riskPhaseOf } from '../market/riskPhase.ts';
import { decideAttestation } from './decideAttestation.ts';

test("law: an unwind of a part has trigger 0 past the hard exit only, and every trigger passes the vault's check", () => {
  const scenes = fc.record({
    book: sampleBook(),
    leftSeconds: fc.integer({ min: 1, max: 3_600 }),
    // From less than the smallest order to far more than any book takes.
    tokens: fc.bigInt(1n, 10n ** 15n),
    debt: fc.oneof(fc.bigInt(0n, 10n ** 7n), fc.bigInt(0n, 10n ** 15n)),
    size: fc.bigInt(5_000_000n, 20_000_000n),
    planned: fc.option(fc.bigInt(0n, 10_000n)),
  });
  let signedCount = 0;
  fc.assert(
    fc.property(scenes, ({ book, leftSeconds, tokens, debt, size, planned }) => {
      const snapshot = sampleSnapshot({
        facts: sampleFacts({ closeAtMs: sampleNowMs + leftSeconds * 1_000 }),
        yes: sampleSide(book),
      });
      const decided = decideAttestation(snapshot, {
        purpose: 'unwind',
        side: 'yes',
        tokenUnits: tokenUnits(size),
        position: {
          tokenUnits: tokenUnits(tokens),
          debtUsdcUnits: usdcUnits(debt),
          liquidationPricePips: pricePips(0n),
          maxVenueFeeBps: rateBps(500n),
          closeMinPricePips: pricePips(0n),
          plannedTriggerPricePips: planned === null ? null : pricePips(planned),
          owesSinceMs: null,
          wasHardExitInForce: false,
        },
        earlierMid: null,
      });
      fc.pre(decided.kind === 'attestation');
      signedCount += 1;
      const trigger = raw(decided.triggerPricePips);
      const phase = riskPhaseOf(snapshot, policyDefaults);
      const isPast = snapshot.nowMs >= (phase?.hardExitAtMs ?? 0);
      const isPart = tokens - size >= 10_000n;
      expect(trigger === 0n || !isPast).toBe(true);
      expect(trigger > 0n || isPast || !isPart).toBe(true);
      expect(debt * 10_000n > tokens * trigger).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  expect(signedCount).toBe(2_000);
});
