import { leverageBps, raw } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { ladderBook, sampleFacts, sampleNowMs, sampleSide, sampleSnapshot, usd } from '../../testing/samples.ts';
import { policyDefaults } from '../defaults.ts';
import { partnerTermsOf } from '../quote/partnerTermsOf.ts';
import { leverageLimitOf, sideModelOf } from './sideModel.ts';

const context = { terms: partnerTermsOf(), config: policyDefaults };

/** The offer for a small size in an hourly market with a two-cent spread. */
function offerAt(mid: number, minutesLeft: number): bigint {
  const snapshot = sampleSnapshot({
    facts: sampleFacts({ closeAtMs: sampleNowMs + minutesLeft * 60_000 }),
    yes: sampleSide(ladderBook({ mid })),
  });
  const model = sideModelOf(snapshot, 'yes', context);
  if (model === null) throw new Error('no model');
  return raw(leverageLimitOf(model, usd(10)));
}

describe('the starting policy', () => {
  test.each([
    [0.4, 55, 22_500n],
    [0.5, 55, 27_500n],
    [0.6, 55, 32_500n],
    [0.7, 55, 40_000n],
    [0.8, 55, 55_000n],
    [0.9, 55, 90_000n],
    [0.7, 15, 22_500n],
    [0.9, 15, 47_500n],
  ])('at %s with %s minutes left it offers at most %s bps', (mid, minutesLeft, offer) => {
    expect(offerAt(mid, minutesLeft)).toBe(offer);
  });

  test('five-minute markets are not entered, whatever they could offer', () => {
    expect(policyDefaults.crypto.five_minute).toBeNull();
    expect(raw(leverageBps(1n))).toBe(1n);
  });
});
