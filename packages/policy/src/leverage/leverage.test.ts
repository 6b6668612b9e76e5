import { raw } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { ladderBook, sampleFacts, sampleNowMs, sampleSide, sampleSnapshot, usd } from '../../testing/samples.ts';
import { policyDefaults } from '../defaults.ts';
import { leverageLimitOf, sideModelOf } from './sideModel.ts';

const { maxLeverageBps, minNotionalUsdPips } = policyDefaults.quote;
const terms = { maxLeverageBps, minNotionalUsdPips, fees: policyDefaults.fees };
const context = { terms, config: policyDefaults };

/** The maximum leverage for a small size in an hourly market with a two-cent spread. */
function maximumAt(mid: number, minutesLeft: number): bigint {
  const snapshot = sampleSnapshot({
    facts: sampleFacts({ closeAtMs: sampleNowMs + minutesLeft * 60_000 }),
    yes: sampleSide(ladderBook({ mid })),
  });
  const model = sideModelOf(snapshot, 'yes', context);
  if (model === null) throw new Error('no model');
  return raw(leverageLimitOf(model, usd(10)));
}

describe('the second edition of the policy', () => {
  test.each([
    [0.4, 55, 25_000n],
    [0.5, 55, 30_000n],
    [0.6, 55, 35_000n],
    [0.7, 55, 45_000n],
    [0.8, 55, 60_000n],
    [0.9, 55, 97_500n],
    [0.7, 15, 25_000n],
    [0.9, 15, 52_500n],
  ])('at %s with %s minutes left at most %s bps are allowed', (mid, minutesLeft, maximum) => {
    expect(maximumAt(mid, minutesLeft)).toBe(maximum);
  });

  test('short markets are not entered, whatever the model would allow', () => {
    expect(policyDefaults.crypto.five_minute).toBeNull();
    expect(policyDefaults.crypto.fifteen_minute).toBeNull();
  });
});
