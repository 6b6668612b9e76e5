// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import type { MarketSnapshot } from '@core/market';
import {
  grantFillRefusalOf,
  max,
  pricePips,
  raw,
  type SaleGrant,
  type TokenUnits,
  tokenUnits,
  toShareStep,
  usdcUnits,
} from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { positionOf } from '../../testing/owing.ts';
import { sampleFacts, sampleNowMs, sampleSide, sampleSnapshot } from '../../testing/samples.ts';
import { decideGrant, type GrantTerms } from '../attestation/decideGrant.ts';
import { policyDefaults } from '../defaults.ts';
import { decideFill } from '../fill/decideFill.ts';
import { decideUnwind, type OwingPosition } from './decideUnwind.ts';
import { isUnsellable } from './isUnsellable.ts';

type Purpose = 'unwind' | 'liquidate';

/** Deep book of one bid and one ask, and its market. */
const anyMarket = fc
  .record({
    tick: fc.constantFrom(1n, 10n, 100n),
    bid: fc.oneof(
      fc.constantFrom(200n, 500n, 5_000n, 9_800n),
      fc.bigInt(1n, 98n).map((cents) => cents * 100n),
    ),
    spreadTicks: fc.bigInt(1n, 5n),
    ratePpm: fc.constantFrom(0n, 30_000n, 70_000n),
  })
  .map(({ tick, bid, spreadTicks, ratePpm }) => {
    const ask = bid + tick * spreadTicks < 10_000n ? bid + tick * spreadTicks : 10_000n - tick;
    const level = (price: bigint) => ({ pricePips: pricePips(price), sizeTokenUnits: tokenUnits(10n ** 12n) });
    const venueFee = { ratePpm, exponent: 1n };
    const facts = { closeAtMs: sampleNowMs + 900_000, tickPricePips: pricePips(tick), venueFee };
    const book = { bids: [level(bid)], asks: [level(ask)] };
    const snapshot = sampleSnapshot({ facts: sampleFacts(facts), yes: sampleSide(book) });
    return { snapshot, book, venueFee, midPricePips: pricePips((bid + ask) / 2n) };
  });
type Market = typeof anyMarket extends fc.Arbitrary<infer Value> ? Value : never;

/** A position past its hard exit that owes two USD per token, and so is liquidatable at any price. */
const owingOf = (size: TokenUnits): OwingPosition =>
  positionOf({
    route: 'fill',
    tokenUnits: size,
    debtUsdcUnits: usdcUnits(2n * raw(size)),
    principalUsdcUnits: usdcUnits(2n * raw(size)),
    liquidationPricePips: pricePips(9_999n),
    maxVenueFeeBps: null,
    wasHardExitInForce: true,
  });

function grantOf({ snapshot, midPricePips }: Market, purpose: Purpose, size: TokenUnits) {
  return decideGrant(snapshot, {
    purpose,
    side: 'yes',
    mostUnits: raw(size),
    collateralShareBps: null,
    position: {
      ...owingOf(size),
      maxVenueFeeBps: null,
      closeMinPricePips: pricePips(0n),
      plannedTriggerPricePips: null,
    },
    earlierMid: { pricePips: midPricePips, ageMs: 3_000 },
  });
}

const saleGrantOf = (terms: GrantTerms): SaleGrant => ({
  side: 'sale',
  startPricePips: max(terms.markPricePips, terms.limitPricePips),
  limitPricePips: terms.limitPricePips,
  venueFeeBps: terms.venueFeeBps,
  validForSeconds: terms.validForSeconds,
  maximumTokenUnits: tokenUnits(terms.mostUnits),
  filledTokenUnits: tokenUnits(0n),
  heldTokenUnits: tokenUnits(terms.mostUnits),
});

/** True where a filler with the default terms takes the grant at its last second. */
function isFilled({ book, venueFee }: Market, terms: GrantTerms): boolean {
  const decided = decideFill({
    grant: saleGrantOf(terms),
    elapsedSeconds: terms.validForSeconds,
    lastSecond: terms.validForSeconds,
    markPricePips: terms.markPricePips,
    books: { token: book, complement: { bids: [], asks: [] }, feeSchedule: venueFee },
    means: { usdcUnits: usdcUnits(10n ** 12n), tokenUnits: tokenUnits(0n), canRest: false },
    terms: { ...policyDefaults.grant.fillerCost, maximumFillUsdcUnits: usdcUnits(10n ** 12n), restMs: 0 },
  });
  return decided.kind === 'fill';
}

const isRest = (snapshot: MarketSnapshot, purpose: Purpose, size: TokenUnits): boolean =>
  isUnsellable(snapshot, { route: 'fill', purpose, side: 'yes', tokenUnits: size }, policyDefaults);

test('law: what a part fill of a forced sale leaves is granted and filled, or it awaits settlement', () => {
  const counts = { filled: 0, awaiting: 0, cheap: 0, dear: 0 };
  const anyShare = fc.oneof(fc.constantFrom(2_000n, 9_600n, 9_900n), fc.bigInt(2_000n, 9_999n));
  const anySize = fc
    .oneof(fc.bigInt(500n, 5_000n), fc.bigInt(500n, 10n ** 6n))
    .map((steps) => tokenUnits(steps * 10_000n));
  const anyPurpose = fc.constantFrom<Purpose>('unwind', 'liquidate');
  const property = fc.property(
    anyMarket,
    anyPurpose,
    fc.tuple(anySize, anyShare),
    (market, purpose, [size, shareBps]) => {
      const large = grantOf(market, purpose, tokenUnits(10n ** 10n));
      // A book whose spread and fee leave the bands of the vault serves no size.
      fc.pre(large.kind === 'grant' && isFilled(market, large));
      const before = grantOf(market, purpose, size);
      const sold = tokenUnits((raw(size) * shareBps) / 10_000n);
      const fill = { tokenUnits: sold, usdcUnits: usdcUnits(10n ** 12n) };
      if (before.kind === 'grant') fc.pre(grantFillRefusalOf(saleGrantOf(before), 0, fill) === null);
      const rest = tokenUnits(before.kind === 'grant' ? raw(size) - raw(sold) : raw(size));
      fc.pre(raw(rest) >= 10_000n);
      const next = grantOf(market, purpose, rest);
      const unwind = decideUnwind(market.snapshot, owingOf(rest));
      if (isRest(market.snapshot, purpose, rest)) {
        counts.awaiting += 1;
        expect(next).toEqual({ kind: 'refused', reason: 'size_too_small' });
        if (purpose === 'unwind') expect(unwind).toEqual({ kind: 'wait', reason: 'size_too_small', isAlert: false });
        counts.cheap += raw(market.midPricePips) < 1_000n ? 1 : 0;
      } else {
        counts.filled += 1;
        expect(next.kind === 'grant' && isFilled(market, next)).toBe(true);
        if (purpose === 'unwind') expect(unwind).toMatchObject({ kind: 'sell', tokenUnits: toShareStep(rest, 'down') });
        counts.dear += raw(market.midPricePips) > 9_000n ? 1 : 0;
      }
    },
  );
  fc.assert(property, { numRuns: 2_000 });
  expect(Object.entries(counts).filter(([, count]) => count < 20)).toEqual([]);
});

test('a rest below the smallest order awaits settlement on both routes, a smallest order at fifty cents is sold', () => {
  const level = (price: bigint) => ({ pricePips: pricePips(price), sizeTokenUnits: tokenUnits(10n ** 12n) });
  const snapshot = sampleSnapshot({ yes: sampleSide({ bids: [level(5_000n)], asks: [level(5_100n)] }) });
  const isLeft = (route: 'fill' | 'direct', tokens: bigint): boolean =>
    isUnsellable(snapshot, { route, purpose: 'unwind', side: 'yes', tokenUnits: tokenUnits(tokens) }, policyDefaults);
  expect([isLeft('fill', 2_070_000n), isLeft('direct', 2_070_000n)]).toEqual([true, true]);
  expect([isLeft('fill', 5_000_000n), isLeft('direct', 5_000_000n)]).toEqual([false, false]);
});
