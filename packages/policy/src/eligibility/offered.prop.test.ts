import { isRejection } from '@core/errors';
import { routeNames } from '@core/position';
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
  usd,
  usdc,
} from '../../testing/samples.ts';
import { policyDefaults } from '../defaults.ts';
import { partnerTermsOf } from '../partner/partnerTermsOf.ts';
import { decideQuote } from '../quote/decideQuote.ts';
import type { MarketView } from './capacityMax.ts';
import { decideEligibility } from './decideEligibility.ts';
import { marketLimitsOf } from './marketLimits.ts';

const limitsOf = (view: MarketView) => marketLimitsOf(view, decideEligibility(view));

const { at100Usd, at500Usd, at1000Usd, at10000Usd } = constants.leverageBucketsUsdPips;

/** Markets whose side accepts new positions, with any book, time left, mark below the mid and minimum sizes. */
const openViews: fc.Arbitrary<MarketView> = fc
  .record({
    book: sampleBook(),
    leftMinutes: fc.integer({ min: 11, max: 600 }),
    belowMid: fc.oneof({ weight: 3, arbitrary: fc.bigInt(0n, 400n) }, fc.bigInt(1_000n, 4_000n)),
    minNotional: fc.constantFrom(50_000n, 200_000n, 1_500_000n),
    minCollateral: fc.constantFrom(10_000n, 25_000n, 200_000n),
    openingRoute: fc.constantFrom(...routeNames),
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

/** Uses of the caps by others, from none to nearly all; of a wallet without positions. */
const usages = fc
  .record({
    side: fc.constantFrom(0, 59_990, 59_999),
    partner: fc.constantFrom(0, 999_900),
    borrowed: fc.constantFrom(0, 29_000, 29_996),
    headroom: fc.constantFrom(null, 3, 700),
  })
  .map(({ side, partner, borrowed, headroom }) =>
    sampleUsage({
      yes: { activeNotionalUsdPips: usd(side), inFlightNotionalUsdPips: usd(0) },
      partner: { activeNotionalUsdPips: usd(0), inFlightNotionalUsdPips: usd(partner) },
      yesBorrowedUsdcUnits: usdc(borrowed),
      yesOutcomeHeadroomUsdcUnits: headroom === null ? null : usdc(headroom),
    }),
  );

/** The smallest notional that meets both minima at the lowest leverage. */
function smallestOf({ terms }: MarketView): UsdPips {
  return max(terms.minNotionalUsdPips, add(terms.minCollateralUsdPips, terms.minCollateralUsdPips));
}

function quoteOf(view: MarketView, size: { readonly notional: UsdPips; readonly leverage: LeverageBps }) {
  return decideQuote({
    kind: view.usage === null ? 'draft' : 'quote',
    request: sampleRequest({
      notionalUsdPips: size.notional,
      leverageBps: size.leverage,
      slippageBps: constants.defaultSlippageBps,
      allowRevision: false,
    }),
    snapshot: view.snapshot,
    terms: view.terms,
    usage: view.usage,
    service: sampleService,
    contract: sampleContract,
    ...(view.config && { config: view.config }),
  });
}

/** The listed notionals with what the market shows for each; one below the minimum stands for the minimum. */
function listedSizesOf(view: MarketView): readonly (readonly [UsdPips, LeverageBps])[] {
  const { yes } = limitsOf(view);
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
        const { maxSideBps } = limitsOf(view).yes;
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
        const { yes } = limitsOf(view);
        const tiers = [yes.maxSideBps, yes.at100Usd, yes.at500Usd, yes.at1000Usd, yes.at10000Usd].map(raw);
        expect(tiers).toEqual(tiers.toSorted((a, b) => (a < b ? 1 : -1)));
      }),
      { numRuns: 1_000 },
    );
  });

  test('the largest notional is granted at the lowest leverage without a revision, and one pip more is not', () => {
    const count = { byBook: 0, byCap: 0, byCapacity: 0, none: 0 };
    fc.assert(
      fc.property(openViews, usages, fc.boolean(), (view, usage, isLookedUpBefore) => {
        // A search that begins near an earlier maximum of the same book ends at the same one.
        if (isLookedUpBefore) limitsOf(view);
        const capped = { ...view, usage };
        const { maxNotionalUsdPips, capacityMaxNotionalUsdPips: capacity } = limitsOf(capped).yes;
        const refusalOf = (notional: bigint) => {
          const decided = quoteOf(capped, { notional: usdPips(notional), leverage: constants.minLeverageBps });
          return isRejection(decided) ? decided.code : decided.revision;
        };
        const maximum = raw(maxNotionalUsdPips ?? usdPips(-1n));
        const smallest = raw(smallestOf(view));
        const next = maximum === 0n ? smallest : maximum + 1n;
        // The capacity is that of the highest leverage: at the lowest the pool carries more than is shown.
        const isByCapacity = next > raw(capacity ?? usdPips(-1n));
        const above = refusalOf(next);
        expect(isByCapacity || above !== null).toBe(true);
        if (isByCapacity) count.byCapacity += 1;
        else if (maximum === 0n) count.none += 1;
        else count[above?.includes('exceeded') ? 'byCap' : 'byBook'] += 1;
        if (maximum === 0n) return;
        expect(refusalOf(maximum)).toBeNull();
        expect(maximum).toBeGreaterThanOrEqual(smallest);
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(...Object.values(count))).toBeGreaterThan(20);
  });

  test('a larger size than the largest notional is granted at no leverage', () => {
    fc.assert(
      fc.property(openViews, fc.bigInt(1n, 100_000_000n), fc.integer({ min: 8, max: 40 }), (view, more, quarters) => {
        const { maxNotionalUsdPips: maximum, capacityMaxNotionalUsdPips: capacity } = limitsOf(view).yes;
        const notional = usdPips(raw(max(maximum ?? usdPips(0n), smallestOf(view))) + more);
        fc.pre(maximum !== capacity);
        const decided = quoteOf(view, { notional, leverage: leverageBps(BigInt(quarters) * 2_500n) });
        expect(isRejection(decided)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a quote at the largest notional shown and the lowest leverage is granted or made smaller, never refused by a cap', () => {
    fc.assert(
      fc.property(openViews, (view) => {
        const { maxNotionalUsdPips, maxSideBps } = limitsOf(view).yes;
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
