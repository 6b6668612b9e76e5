import { leverageBps, pricePips, tokenUnits } from '@core/pricing';
import { expect, test } from 'vitest';
import { samplePosition } from '../../testing/samples.ts';
import { isShownChange } from './shownChange.ts';

const position = samplePosition(1, {
  riskMode: 'committed',
  quotedRisk: {
    exitSeconds: 60,
    plannedUnwinds: [{ rung: 1, triggerPricePips: pricePips(4_800n), targetLeverageBps: leverageBps(14_000n) }],
    signature: '0x',
  },
});

test('a position that was stored and read again shows no change', () => {
  expect(isShownChange(position, structuredClone(position))).toBe(false);
});

test('a visible quantity is a change, internal bookkeeping is not', () => {
  expect(isShownChange(position, { ...position, tokenUnits: tokenUnits(1n) })).toBe(true);
  expect(isShownChange(position, { ...position, frozenReason: 'unknown_quote' })).toBe(false);
});
