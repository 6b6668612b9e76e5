import { leverageBps, raw, usdcUnits } from '@core/pricing';
import { expect, test } from 'vitest';
import { plannedPrincipalOf } from './plannedPrincipal.ts';

test('planned rungs end at collateral × (L′ − 1)', () => {
  expect(raw(plannedPrincipalOf(usdcUnits(20_000_001n), leverageBps(17_500n)))).toBe(15_000_000n);
  expect(raw(plannedPrincipalOf(usdcUnits(20_000_001n), leverageBps(5_000n)))).toBe(0n);
});
