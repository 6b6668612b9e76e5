import { type CryptoSettlement, unseenMarketOf } from '@core/market';
import { sampleCrypto, sampleFacts, sampleNowMs } from '@core/market/testing';
import { expect, test } from 'vitest';
import { policyDefaults } from '../defaults.ts';
import { riskPhaseOf } from './riskPhase.ts';

const leftSecondsOf = (settlement: CryptoSettlement, leftSeconds: number): bigint | undefined => {
  const facts = sampleFacts({
    subject: { ...sampleCrypto, settlement },
    closeAtMs: sampleNowMs + leftSeconds * 1_000,
  });
  return riskPhaseOf(unseenMarketOf(facts, sampleNowMs), policyDefaults)?.leftSeconds;
};

test.each([
  [3_600, 3_560n],
  [60, 20n],
  // A third of the cube over the square of the minute.
  [45, 8n],
  [30, 2n],
  [5, 1n],
])('averaged ends: %i s before the close → the variance of a price over %i s', (leftSeconds, equivalent) => {
  expect(leftSecondsOf('averaged_ends', leftSeconds)).toBe(equivalent);
});

test.each(['hourly_candle', 'noon_candle', 'unknown'] as const)(
  '%s: the time left is that to the close',
  (settlement) => {
    expect(leftSecondsOf(settlement, 3_600)).toBe(3_600n);
  },
);
