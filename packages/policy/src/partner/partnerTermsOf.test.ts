import { usdPips } from '@core/pricing';
import { expect, test } from 'vitest';
import { policyDefaults } from '../defaults.ts';
import { partnerTermsOf } from './partnerTermsOf.ts';

test('without overrides the terms are those of the environment', () => {
  const { minCollateralUsdPips, minNotionalUsdPips, fees } = partnerTermsOf();
  expect([minCollateralUsdPips, minNotionalUsdPips]).toEqual([
    policyDefaults.quote.minCollateralUsdPips,
    policyDefaults.quote.minNotionalUsdPips,
  ]);
  expect(fees).toEqual(policyDefaults.fees);
});

test.each([
  [0n, 10_000n, 50_000n],
  [9_999n, 10_000n, 50_000n],
  [60_000n, 60_000n, 60_000n],
])('minimums of %d pips are raised to what no partner may go below', (asked, minCollateral, minNotional) => {
  const terms = partnerTermsOf({ minCollateralUsdPips: usdPips(asked), minNotionalUsdPips: usdPips(asked) });
  expect([terms.minCollateralUsdPips, terms.minNotionalUsdPips]).toEqual([
    usdPips(minCollateral),
    usdPips(minNotional),
  ]);
});
