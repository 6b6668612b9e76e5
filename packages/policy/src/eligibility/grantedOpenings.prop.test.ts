import { isRejection } from '@core/errors';
import type { MarketSnapshot } from '@core/market';
import { constants, rateBps, raw, usdPips } from '@core/pricing';
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
  sampleSportSnapshot,
} from '../../testing/samples.ts';
import { decideGrant } from '../attestation/decideGrant.ts';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { policyAtExit } from '../exit/exitTime.ts';
import { partnerTermsOf } from '../partner/partnerTermsOf.ts';
import { decideQuote } from '../quote/decideQuote.ts';
import type { QuoteRequest } from '../quote/quoteRequest.ts';

/** Markets of both categories with any book, variance and time left. */
const snapshots: fc.Arbitrary<MarketSnapshot> = fc
  .record({
    book: sampleBook(),
    leftMinutes: fc.integer({ min: 11, max: 600 }),
    varianceE12: fc.constantFrom(0n, 10n ** 7n, 10n ** 8n, 10n ** 9n, 10n ** 10n),
    isGame: fc.boolean(),
  })
  .map(({ book, leftMinutes, varianceE12, isGame }) => {
    const yes = sampleSide(book, { realisedVarianceE12: varianceE12 });
    const facts = sampleFacts({ closeAtMs: sampleNowMs + leftMinutes * 60_000 });
    return isGame ? sampleSportSnapshot({ yes }) : sampleSnapshot({ facts, yes });
  });

type Size = Pick<QuoteRequest, 'notionalUsdPips' | 'allowPartialFill'>;
const sizes: fc.Arbitrary<Size> = fc.record({
  notionalUsdPips: fc.bigInt(50_000n, 40_000_000n).map(usdPips),
  allowPartialFill: fc.boolean(),
});

/** The largest quote that a request for ten times may be revised to; null where it is refused. */
function quoteOf(snapshot: MarketSnapshot, size: Size, config: PolicyConfig) {
  const decided = decideQuote({
    kind: 'draft',
    request: sampleRequest({ leverageBps: constants.maxLeverageBps, allowRevision: true, ...size }),
    snapshot,
    terms: partnerTermsOf({}, config),
    usage: null,
    service: sampleService,
    contract: sampleContract,
    config,
  });
  return isRejection(decided) ? null : decided.figures;
}

/** Return the answer of a price signer to the opening grant of a quote, some seconds later in the same market. */
function grantOf(
  { snapshot, afterSeconds }: { readonly snapshot: MarketSnapshot; readonly afterSeconds: number },
  figures: NonNullable<ReturnType<typeof quoteOf>>,
): string {
  const { collateralUsdcUnits, notionalUsdcUnits } = figures;
  const terms = decideGrant(
    { ...snapshot, nowMs: snapshot.nowMs + afterSeconds * 1_000 },
    {
      purpose: 'open',
      side: 'yes',
      mostUnits: raw(notionalUsdcUnits),
      collateralShareBps: rateBps((raw(collateralUsdcUnits) * 10_000n) / raw(notionalUsdcUnits)),
      position: null,
      earlierMid: null,
    },
  );
  return terms.kind === 'refused' ? terms.reason : 'granted';
}

const { windowSeconds, graceSeconds } = policyDefaults.quote;
const onFill: PolicyConfig = { ...policyDefaults, openingRoute: 'fill' };
/** Exit time of a quote, and time from it to its grant. */
const moments = fc.record({
  exitSeconds: fc.constantFrom(15, 60, 80),
  afterSeconds: fc.integer({ min: 0, max: windowSeconds + graceSeconds }),
});

describe('offered on the route Fill', () => {
  test('price signers grant all that a quote grants until its reservation ends, in markets of every kind', () => {
    const granted = { crypto: 0, sport: 0 };
    fc.assert(
      fc.property(snapshots, sizes, moments, (snapshot, size, { exitSeconds, afterSeconds }) => {
        const figures = quoteOf(snapshot, size, policyAtExit(onFill, exitSeconds));
        if (figures === null) return;
        granted[snapshot.facts.category === 'sport' ? 'sport' : 'crypto'] += 1;
        expect(grantOf({ snapshot, afterSeconds }, figures)).toBe('granted');
      }),
      { numRuns: 4_000 },
    );
    expect(Math.min(granted.crypto, granted.sport)).toBeGreaterThan(200);
  });

  test('the route without grants offers what no signer would grant while a game runs', () => {
    const refusals = new Set<string>();
    fc.assert(
      fc.property(sampleBook(), sizes, (book, size) => {
        const snapshot = sampleSportSnapshot({ yes: sampleSide(book) });
        const figures = quoteOf(snapshot, size, policyDefaults);
        if (figures !== null) refusals.add(grantOf({ snapshot, afterSeconds: 0 }, figures));
      }),
      { numRuns: 1_000 },
    );
    expect([...refusals].sort()).toEqual(['book_too_thin', 'granted', 'jump_too_large']);
  });
});
