import { isRejection } from '@core/errors';
import {
  add,
  constants,
  type LeverageBps,
  leverageBps,
  max,
  pricePips,
  raw,
  type UsdPips,
  usdPips,
} from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  sampleBook,
  sampleContract,
  sampleFacts,
  sampleNowMs,
  sampleRequest,
  sampleService,
  sampleSide,
  sampleSnapshot,
  sampleUsage,
} from '../../testing/samples.ts';
import type { Route } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { partnerTermsOf } from '../partner/partnerTermsOf.ts';
import { decideQuote } from '../quote/decideQuote.ts';
import type { MarketView } from './capacityMax.ts';
import { decideEligibility } from './decideEligibility.ts';
import { marketLimitsOf } from './marketLimits.ts';

const { at100Usd, at500Usd, at1000Usd, at10000Usd } = constants.leverageBucketsUsdPips;

/** Markets whose side accepts new positions, with any book, time left, mark below the mid and minimum sizes. */
const openViews: fc.Arbitrary<MarketView> = fc
  .record({
    book: sampleBook(),
    leftMinutes: fc.integer({ min: 11, max: 600 }),
    belowMid: fc.bigInt(0n, 400n),
    minNotional: fc.constantFrom(50_000n, 200_000n, 1_500_000n),
    minCollateral: fc.constantFrom(10_000n, 25_000n, 200_000n),
    openingRoute: fc.constantFrom<Route>('direct', 'fill'),
  })
  .map(({ book, leftMinutes, belowMid, minNotional, minCollateral, openingRoute }) => {
    const yes = sampleSide(book);
    const mid = raw(yes.twap.pricePips ?? pricePips(0n));
    const twap = { ...yes.twap, pricePips: pricePips(mid > belowMid ? mid - belowMid : mid) };
    return {
      snapshot: sampleSnapshot({
        facts: sampleFacts({ closeAtMs: sampleNowMs + leftMinutes * 60_000 }),
        yes: { ...yes, twap },
      }),
      terms: partnerTermsOf({
        minNotionalUsdPips: usdPips(minNotional),
        minCollateralUsdPips: usdPips(minCollateral),
      }),
      usage: sampleUsage(),
      config: { ...policyDefaults, openingRoute },
    };
  })
  .filter((view) => decideEligibility(view).yes === null);

function quoteOf(view: MarketView, size: { readonly notional: UsdPips; readonly leverage: LeverageBps }) {
  return decideQuote({
    kind: 'draft',
    request: sampleRequest({
      notionalUsdPips: size.notional,
      leverageBps: size.leverage,
      slippageBps: constants.defaultSlippageBps,
      allowRevision: false,
    }),
    snapshot: view.snapshot,
    terms: view.terms,
    usage: null,
    service: sampleService,
    contract: sampleContract,
    ...(view.config && { config: view.config }),
  });
}

/** The listed notionals with what the market shows for each; one below the minimum stands for the minimum. */
function listedSizesOf(view: MarketView): readonly (readonly [UsdPips, LeverageBps])[] {
  const { yes } = marketLimitsOf(view);
  const minimum = view.terms.minNotionalUsdPips;
  return [
    [max(at100Usd, minimum), yes.at100Usd],
    [max(at500Usd, minimum), yes.at500Usd],
    [max(at1000Usd, minimum), yes.at1000Usd],
    [max(at10000Usd, minimum), yes.at10000Usd],
  ];
}

describe('offered leverage', () => {
  test('the leverage shown for a listed notional is granted there, at the default slippage, without a revision', () => {
    let granted = 0;
    fc.assert(
      fc.property(openViews, (view) => {
        for (const [notional, leverage] of listedSizesOf(view)) {
          if (raw(leverage) < raw(constants.minLeverageBps)) continue;
          const decided = quoteOf(view, { notional, leverage });
          expect(isRejection(decided) ? decided : decided.revision).toBeNull();
          granted += 1;
        }
      }),
      { numRuns: 1_000 },
    );
    expect(granted).toBeGreaterThan(300);
  });

  test('one step above the leverage shown for a listed notional is refused', () => {
    fc.assert(
      fc.property(openViews, (view) => {
        for (const [notional, shown] of listedSizesOf(view)) {
          const above = max(add(shown, constants.leverageStepBps), constants.minLeverageBps);
          if (raw(above) > raw(constants.maxLeverageBps)) continue;
          expect(isRejection(quoteOf(view, { notional, leverage: above }))).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('the maximum of a side is granted at some notional, and one step more at none', () => {
    fc.assert(
      fc.property(openViews, fc.bigInt(0n, 1_000_000n), (view, more) => {
        const { maxSideBps } = marketLimitsOf(view).yes;
        if (raw(maxSideBps) < raw(constants.minLeverageBps)) return;
        const minimum = raw(view.terms.minNotionalUsdPips);
        const floor = (raw(view.terms.minCollateralUsdPips) * raw(maxSideBps)) / 10_000n;
        const smallest = usdPips(floor > minimum ? floor : minimum);
        const decided = quoteOf(view, { notional: smallest, leverage: maxSideBps });
        expect(isRejection(decided) ? decided : decided.revision).toBeNull();
        const above = leverageBps(raw(maxSideBps) + 2_500n);
        if (raw(above) > raw(constants.maxLeverageBps)) return;
        const notional = usdPips(raw(view.terms.minNotionalUsdPips) + more);
        expect(isRejection(quoteOf(view, { notional, leverage: above }))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('listed leverages never rise with the notional, and none is above the maximum of the side', () => {
    fc.assert(
      fc.property(openViews, (view) => {
        // Where the minimum collateral binds at 100 USD, a larger notional may have more leverage.
        fc.pre(raw(view.terms.minCollateralUsdPips) * 10n <= raw(at100Usd));
        const { yes } = marketLimitsOf(view);
        const tiers = [yes.maxSideBps, yes.at100Usd, yes.at500Usd, yes.at1000Usd, yes.at10000Usd].map(raw);
        expect(tiers).toEqual(tiers.toSorted((a, b) => (a < b ? 1 : -1)));
      }),
      { numRuns: 1_000 },
    );
  });

  test('a quote at the largest notional shown and the lowest leverage is granted or made smaller, never refused by a cap', () => {
    fc.assert(
      fc.property(openViews, (view) => {
        const { maxNotionalUsdPips, maxSideBps } = marketLimitsOf(view).yes;
        if (maxNotionalUsdPips === null || raw(maxSideBps) < raw(constants.minLeverageBps)) return;
        const decided = decideQuote({
          kind: 'quote',
          request: sampleRequest({
            notionalUsdPips: maxNotionalUsdPips,
            leverageBps: constants.minLeverageBps,
            slippageBps: constants.maxSlippageBps,
            allowRevision: true,
          }),
          snapshot: view.snapshot,
          terms: view.terms,
          usage: view.usage,
          service: sampleService,
          contract: sampleContract,
          ...(view.config && { config: view.config }),
        });
        const code = isRejection(decided) ? decided.code : decided.kind;
        expect(['priced', 'quote_liquidation_not_viable', 'LIQUIDITY_INSUFFICIENT']).toContain(code);
      }),
      { numRuns: 1_000 },
    );
  });
});
