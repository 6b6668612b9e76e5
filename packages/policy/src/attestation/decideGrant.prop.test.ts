// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import { type MarketSnapshot, sideOf } from '@core/market';
import { type BookLevel, pricePips, rateBps, raw, tokenUnits, usdcUnits, walkAsks, walkBids } from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costOf, isAtEdge, isInBand, saleCostOf } from '../../testing/grants.ts';
import { readOf, rungSituations, situations } from '../../testing/owing.ts';
import {
  ladderBook,
  price,
  sampleBook,
  sampleFacts,
  sampleNowMs,
  sampleSide,
  sampleSnapshot,
  sampleSportSnapshot,
} from '../../testing/samples.ts';
import { decideUnwind } from '../unwind/decideUnwind.ts';
import { decideGrant, type GrantRequest, type GrantTerms } from './decideGrant.ts';
import { decideGrantCountersignature, jointGrantTermsOf } from './decideGrantCountersignature.ts';

function openingOf(changes: Partial<GrantRequest> = {}): GrantRequest {
  return {
    purpose: 'open',
    side: 'yes',
    mostUnits: 100_000_000n,
    collateralShareBps: rateBps(2_500n),
    position: null,
    earlierMid: null,
    ...changes,
  };
}

/** Limit of a sale in pips, the band apart. */
function saleLimitIn(bids: readonly BookLevel[], units: bigint, { facts }: MarketSnapshot): bigint {
  const size = tokenUnits(units);
  const average = raw(walkBids({ bids, tokenUnits: size }).averagePricePips ?? pricePips(0n));
  return average - saleCostOf(average, size) - raw(facts.tickPricePips);
}

describe('the terms of a grant', () => {
  test('law: an opening is limited to the average of its money, the cost of a filler and a tick, inside the band', () => {
    let count = 0;
    fc.assert(
      fc.property(sampleBook(), fc.bigInt(5_000_000n, 10n ** 10n), (book, mostUnits) => {
        const snapshot = sampleSnapshot({ yes: sampleSide(book) });
        const terms = decideGrant(snapshot, openingOf({ mostUnits, collateralShareBps: rateBps(10_000n) }));
        if (terms.kind === 'refused') return;
        count += 1;
        const bought = walkAsks({ asks: book.asks, notionalUsdcUnits: usdcUnits(mostUnits) }).tokenUnits;
        const average = (mostUnits * 10_000n) / raw(bought);
        const beyond = raw(terms.limitPricePips) - average - costOf(average, bought);
        expect(beyond >= -3n && beyond <= raw(snapshot.facts.tickPricePips) + 3n).toBe(true);
        expect(isInBand(terms, 'open')).toBe(true);
        expect(terms).toMatchObject({ mostUnits, validForSeconds: 12 });
      }),
      { numRuns: 2_000 },
    );
    expect(count).toBeGreaterThan(30);
  });

  test('law: the vault takes every unwind grant that is decided, whole or covered', () => {
    const counts = { covered: 0, belowDebt: 0 };
    fc.assert(
      fc.property(fc.oneof(situations, rungSituations), (situation) => {
        const { snapshot, position: drawn } = readOf(situation);
        const position = { ...drawn, route: 'fill', maxVenueFeeBps: null } as const;
        const decided = decideUnwind(snapshot, position);
        if (decided.kind !== 'sell') return;
        const terms = decideGrant(snapshot, {
          ...openingOf({ purpose: 'unwind', mostUnits: raw(decided.tokenUnits), collateralShareBps: null }),
          position: {
            ...position,
            closeMinPricePips: price(0),
            plannedTriggerPricePips: decided.rung === null ? null : pricePips(1n),
          },
        });
        const [sold, held] = [raw(decided.tokenUnits), raw(position.tokenUnits)];
        const debt = raw(position.debtUsdcUnits);
        if (terms.kind === 'refused') {
          // A debt of a pip per token passes no trigger, and the last minute of a crypto market has no fill.
          const isTiny = debt * 10_000n <= held;
          const isLate = snapshot.nowMs >= (snapshot.facts.closeAtMs ?? 0) - 60_000;
          expect([terms.reason, isTiny || isLate]).toEqual([isTiny ? terms.reason : 'trading_window_over', true]);
          return;
        }
        counts[decided.isBelowDebt ? 'belowDebt' : 'covered'] += 1;
        const net = raw(terms.limitPricePips) * (10_000n - raw(terms.venueFeeBps));
        const isPart = held - sold >= 10_000n;
        const isCovered = net * (isPart ? held : sold) >= debt * 100_000_000n;
        expect(isCovered || (!isPart && raw(terms.triggerPricePips) === 0n)).toBe(true);
        expect(debt * 10_000n > held * raw(terms.triggerPricePips)).toBe(true);
        expect(sold <= (debt * 100_000_000n + net - 1n) / net + 5_000_000n).toBe(true);
        expect(isInBand(terms, 'unwind')).toBe(true);
        const bids = sideOf(snapshot, 'yes').book?.bids ?? [];
        const limit = saleLimitIn(bids, sold, snapshot);
        expect(raw(terms.limitPricePips) === limit || isAtEdge(terms, 'unwind', snapshot)).toBe(true);
      }),
      { numRuns: 6_000 },
    );
    expect(counts.covered).toBeGreaterThan(100);
    expect(counts.belowDebt).toBeGreaterThan(20);
  });

  test('law: a close is limited to the average, the cost of a filler and a tick, inside the band that its user chose', () => {
    const counts = { priced: 0, unpriced: 0, pricedAlone: 0 };
    const position = {
      tokenUnits: tokenUnits(10n ** 10n),
      debtUsdcUnits: usdcUnits(0n),
      liquidationPricePips: price(0),
      maxVenueFeeBps: null,
      plannedTriggerPricePips: null,
      owesSinceMs: null,
      wasHardExitInForce: false,
    };
    fc.assert(
      fc.property(sampleBook(), fc.bigInt(5_000_000n, 10n ** 10n), (book, mostUnits) => {
        const snapshot = sampleSnapshot({ yes: sampleSide(book) });
        const granted = (closeMinPips: bigint): boolean => {
          const request = { purpose: 'close', mostUnits, collateralShareBps: null } as const;
          const closing = { ...position, closeMinPricePips: pricePips(closeMinPips) };
          const terms = decideGrant(snapshot, openingOf({ ...request, position: closing }));
          if (terms.kind === 'refused') return false;
          const kind = closeMinPips === 0n ? 'close' : 'pricedClose';
          const limit = saleLimitIn(book.bids, mostUnits, snapshot);
          expect(raw(terms.limitPricePips) === limit || isAtEdge(terms, kind, snapshot)).toBe(true);
          expect(isInBand(terms, kind)).toBe(true);
          return true;
        };
        const [unpriced, priced] = [granted(0n), granted(1n)];
        expect(priced || !unpriced).toBe(true);
        counts.unpriced += unpriced ? 1 : 0;
        counts.priced += priced ? 1 : 0;
        counts.pricedAlone += priced && !unpriced ? 1 : 0;
      }),
      { numRuns: 2_000 },
    );
    expect(counts.unpriced).toBeGreaterThan(30);
    expect(counts.pricedAlone).toBeGreaterThan(30);
  });

  test('an opening is refused where the odds may take a third of its collateral meanwhile', () => {
    const calm = sampleSnapshot();
    const at = (snapshot: typeof calm, share: bigint) => {
      const terms = decideGrant(snapshot, openingOf({ collateralShareBps: rateBps(share) }));
      return terms.kind === 'refused' ? terms.reason : 'granted';
    };
    const late = sampleSnapshot({ facts: sampleFacts({ closeAtMs: sampleNowMs + 700_000 }) });
    expect([at(calm, 2_500n), at(late, 5_000n), at(late, 1_000n)]).toEqual(['granted', 'granted', 'jump_too_large']);
    // In a game one score decides, at any moment.
    const playing = sampleSportSnapshot({ yes: sampleSide(ladderBook({ mid: 0.55 })) });
    expect([at(playing, 6_500n), at(playing, 3_300n)]).toEqual(['granted', 'jump_too_large']);
  });

  test('no fill happens in the minute in which the result of a crypto market is averaged', () => {
    const closing = (leftSeconds: number) => {
      const facts = sampleFacts({ closeAtMs: sampleNowMs + leftSeconds * 1_000 });
      const position = {
        tokenUnits: tokenUnits(300_000_000n),
        debtUsdcUnits: usdcUnits(100_000_000n),
        liquidationPricePips: price(0.3),
        maxVenueFeeBps: null,
        closeMinPricePips: price(0),
        plannedTriggerPricePips: null,
        owesSinceMs: null,
        wasHardExitInForce: false,
      };
      const request = openingOf({ purpose: 'unwind', mostUnits: 300_000_000n, collateralShareBps: null, position });
      return decideGrant(sampleSnapshot({ facts }), request);
    };
    expect(closing(100)).toMatchObject({ notAfterSeconds: Math.floor(sampleNowMs / 1_000) + 40, validForSeconds: 6 });
    expect(closing(60)).toEqual({ kind: 'refused', reason: 'trading_window_over' });
  });
});

describe('the signature under the grant of another signer', () => {
  const snapshot = sampleSnapshot();
  const request = openingOf();
  const own = decideGrant(snapshot, request);
  if (own.kind === 'refused') throw new Error(own.reason);
  const answerTo = (changes: Partial<GrantTerms>) => {
    const decided = decideGrantCountersignature(snapshot, { request, proposed: { ...own, ...changes } });
    return decided.kind === 'agreed' ? null : decided.reason;
  };

  test.each([
    [null, {}],
    [null, { notAfterSeconds: own.notAfterSeconds - 1 }],
    ['end_disagrees', { notAfterSeconds: own.notAfterSeconds + 1 }],
    ['size_disagrees', { mostUnits: own.mostUnits + 1n }],
    ['path_disagrees', { validForSeconds: own.validForSeconds + 1 }],
    ['mark_disagrees', { markPricePips: price(0.72) }],
    ['limit_disagrees', { limitPricePips: pricePips(raw(own.limitPricePips) + 101n) }],
    ['limit_out_of_reach', { limitPricePips: pricePips(raw(own.limitPricePips) - 101n) }],
    ['venue_fee_disagrees', { venueFeeBps: rateBps(raw(own.venueFeeBps) + 1n) }],
  ] as const)('%s', (reason, changes) => {
    expect(answerTo(changes)).toBe(reason);
  });

  test('a joint grant is as careful as each, and null for another size or path', () => {
    const other = { ...own, limitPricePips: price(0.71), notAfterSeconds: own.notAfterSeconds - 5 };
    const joint = { limitPricePips: price(0.71), notAfterSeconds: other.notAfterSeconds };
    expect(jointGrantTermsOf('open', own, other)).toMatchObject(joint);
    expect(jointGrantTermsOf('open', other, own)).toMatchObject(joint);
    expect(jointGrantTermsOf('open', own, { ...own, mostUnits: 1n })).toBeNull();
    expect(jointGrantTermsOf('open', own, { ...own, validForSeconds: 7 })).toBeNull();
  });
});
