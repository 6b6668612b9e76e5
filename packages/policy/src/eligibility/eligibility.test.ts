import { rejectionReasonCodes } from '@core/errors';
import type { MarketSnapshot } from '@core/market';
import { rateBps, raw, usdPips } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import {
  ladderBook,
  level,
  price,
  sampleContract,
  sampleCrypto,
  sampleFacts,
  sampleNowMs,
  sampleSide,
  sampleSnapshot,
  sampleSport,
  sampleSportSnapshot,
  sampleUsage,
  times,
  usd,
  usdc,
} from '../../testing/samples.ts';
import { policyDefaults } from '../defaults.ts';
import { partnerTermsOf } from '../partner/partnerTermsOf.ts';
import type { MarketView } from './capacityMax.ts';
import { decideEligibility, eligibilityPrecedence } from './decideEligibility.ts';
import { depthOf, marketFiguresOf } from './marketFigures.ts';
import { marketLimitsOf } from './marketLimits.ts';

const limitsOf = (view: MarketView) => marketLimitsOf(view, decideEligibility(view));

const minute = 60_000;

function viewOf(snapshot: MarketSnapshot, overrides: Partial<MarketView> = {}): MarketView {
  return { snapshot, terms: partnerTermsOf(), usage: sampleUsage(), ...overrides };
}

const facts = (overrides: Parameters<typeof sampleFacts>[0]) => sampleSnapshot({ facts: sampleFacts(overrides) });
const yes = (book: ReturnType<typeof ladderBook>, overrides: Parameters<typeof sampleSide>[1] = {}) =>
  sampleSnapshot({ yes: sampleSide(book, overrides) });
const book = ladderBook({ mid: 0.7 });
const steep = { bids: ladderBook({ mid: 0.3 }).bids, asks: [level(0.3, 10), level(0.35, 90)] };
const roomy = partnerTermsOf({ minNotionalUsdPips: usd(9) });
const sport = (subject: object) =>
  sampleSportSnapshot({
    reference: null,
    facts: sampleFacts({ category: 'sport', closeAtMs: null, subject: { ...sampleSport, ...subject } }),
  });

const cases: readonly (readonly [(typeof rejectionReasonCodes)[number], MarketView])[] = [
  ['QUOTE_MARKET_NOT_ACTIVE', viewOf(facts({ status: 'disputed' }))],
  ['QUOTE_MARKET_UNSUPPORTED_CATEGORY', viewOf(facts({ category: 'unsupported', subject: null }))],
  ['QUOTE_MARKET_UNSUPPORTED_CRYPTO_ASSET', viewOf(facts({ subject: { ...sampleCrypto, isAssetSupported: false } }))],
  [
    'QUOTE_MARKET_OPEN_INTEREST_TOO_LOW',
    viewOf(facts({ openInterestUsdPips: usd(1) }), {
      config: { ...policyDefaults, entry: { ...policyDefaults.entry, minOpenInterestUsdPips: usd(2) } },
    }),
  ],
  ['QUOTE_MARKET_RISK_TOO_HIGH', viewOf(yes(book, { bookAgeMs: 5_001 }))],
  [
    'QUOTE_MAX_LEVERAGE_TOO_LOW',
    viewOf(
      sampleSnapshot({
        facts: sampleFacts({ closeAtMs: sampleNowMs + 15 * minute }),
        yes: sampleSide(ladderBook({ mid: 0.5 })),
      }),
    ),
  ],
  ['QUOTE_TRADING_WINDOW_CLOSING', viewOf(facts({ closeAtMs: sampleNowMs + 10 * minute }))],
  ['QUOTE_EVENT_NOT_STARTED', viewOf(sport({ sport: 'other', gameStartAtMs: sampleNowMs + 60 * minute }))],
  [
    'QUOTE_SIDE_CAPACITY_EXCEEDED',
    viewOf(sampleSnapshot(), { usage: sampleUsage({ yesBorrowedUsdcUnits: usdc(29_999) }) }),
  ],
  ['QUOTE_ENTRY_BOOK_ONE_SIDED', viewOf(yes({ bids: book.bids, asks: [] }))],
  ['QUOTE_ENTRY_EXCLUDED_SPORT', viewOf(sport({ sport: 'soccer', sportName: 'soccer' }))],
  ['QUOTE_ENTRY_EXCLUDED_MARKET_TYPE', viewOf(sport({ line: 'total', marketType: 'totals' }))],
  ['QUOTE_ENTRY_SPREAD_TOO_WIDE', viewOf(yes(ladderBook({ mid: 0.7, spread: 0.06 })))],
  ['QUOTE_ENTRY_DEPTH_TOO_LOW', viewOf(yes({ bids: book.bids, asks: [level(0.71, 10)] }))],
  ['QUOTE_ENTRY_BID_DEPTH_TOO_LOW', viewOf(yes({ bids: [level(0.69, 10)], asks: book.asks }))],
  ['QUOTE_ENTRY_MARKET_TOO_ELAPSED', viewOf(sport({ gameStartAtMs: sampleNowMs - 90 * minute }))],
  ['QUOTE_ENTRY_TOP_HOLDER_TOO_HIGH', viewOf(yes(book, { topHolderShareBps: rateBps(5_001n) }))],
  ['QUOTE_ENTRY_VOLUME_TOO_LOW', viewOf(facts({ volume24hUsdPips: usd(1) }))],
  ['QUOTE_ENTRY_PRICE_OUT_OF_RANGE', viewOf(yes(ladderBook({ mid: 0.07 })))],
  [
    'NOTIONAL_SELECTOR_BELOW_MIN_NOTIONAL',
    viewOf(yes(steep), {
      terms: roomy,
      config: { ...policyDefaults, entry: { ...policyDefaults.entry, maxSpreadPricePips: price(0.5) } },
    }),
  ],
  [
    'NOTIONAL_SELECTOR_PREGAME_INSUFFICIENT_LIQUIDITY',
    viewOf(
      { ...sport({ gameStartAtMs: sampleNowMs + 60 * minute }), yes: sampleSide(steep) },
      {
        terms: roomy,
        config: { ...policyDefaults, entry: { ...policyDefaults.entry, maxSpreadPricePips: price(0.5) } },
      },
    ),
  ],
  ['RISK_ENGINE_MARKET_DISABLED', viewOf(facts({ disabled: { reason: 'force_disabled' } }))],
];

describe('eligibility', () => {
  test('eligibility: a healthy market accepts positions on its viable side', () => {
    const decided = decideEligibility(viewOf(sampleSnapshot()));
    expect(decided.yes).toBeNull();
    expect(decided.market).toBeNull();
  });

  test.each(cases)('%s closes the side', (reason, view) => {
    expect(decideEligibility(view).yes).toBe(reason);
  });

  test('every value of the specification is reached, except the deprecated alias', () => {
    const emitted = rejectionReasonCodes.filter((code) => code !== 'QUOTE_HARD_EXIT_TOO_CLOSE');
    expect(cases.map(([reason]) => reason).toSorted()).toEqual(emitted.toSorted());
  });

  test('the precedence holds every value once', () => {
    expect(eligibilityPrecedence.toSorted()).toEqual(rejectionReasonCodes.toSorted());
  });

  test('a market has a reason only when neither side accepts, and then the earlier one', () => {
    const snapshot = sampleSnapshot({
      yes: sampleSide(ladderBook({ mid: 0.7, spread: 0.06 })),
      no: sampleSide({ bids: ladderBook({ mid: 0.3 }).bids, asks: [] }),
    });
    expect(decideEligibility(viewOf(snapshot))).toEqual({
      yes: 'QUOTE_ENTRY_SPREAD_TOO_WIDE',
      no: 'QUOTE_ENTRY_BOOK_ONE_SIDED',
      market: 'QUOTE_ENTRY_BOOK_ONE_SIDED',
    });
  });
});

describe('market limits', () => {
  test('leverage falls with the listed notional and the minimum size shows the highest', () => {
    const { yes: side } = limitsOf(viewOf(sampleSnapshot({ yes: sampleSide(ladderBook({ mid: 0.7, tokens: 500 })) })));
    expect(side.maxSideBps).toEqual(times(4.5));
    const figures = [side.maxSideBps, side.at100Usd, side.at500Usd, side.at1000Usd, side.at10000Usd].map(raw);
    expect(figures).toEqual(figures.toSorted((a, b) => (a < b ? 1 : -1)));
    expect(side.at10000Usd).toEqual(times(0));
  });

  test('the largest notional is what is granted at 2x, at most that of slippage, capacity, partner and user', () => {
    const view = viewOf(sampleSnapshot());
    const { yes: side } = limitsOf(view);
    // 30,000 USDC of side borrow at 4.5x carry 38,571.4285 of notional.
    expect(side.capacityMaxNotionalUsdPips).toEqual(usd(38_571.4285));
    // A third of the bids within five cents; at 2x, half of the notional is borrowed.
    expect(side.maxNotionalUsdPips).toEqual(usd(13_300));
    const limits = { ...view.terms.limits, userNotionalUsdPips: usd(9_000) };
    expect(limitsOf({ ...view, terms: { ...view.terms, limits } }).yes.maxNotionalUsdPips).toEqual(usd(9_000));
    const partner = { activeNotionalUsdPips: usd(0), inFlightNotionalUsdPips: usd(999_999) };
    expect(limitsOf({ ...view, usage: sampleUsage({ partner }) }).yes.maxNotionalUsdPips).toEqual(usd(0));
    const poor = sampleUsage({ yesOutcomeHeadroomUsdcUnits: usdc(30) });
    // At 2x the pool carries 60, at the 4.5x of the capacity less.
    expect(limitsOf({ ...view, usage: poor }).yes).toMatchObject({
      maxNotionalUsdPips: usd(38.5714),
      capacityMaxNotionalUsdPips: usd(38.5714),
    });
  });

  test('unknown usage or pool shows null, a closed side zero', () => {
    expect(limitsOf(viewOf(sampleSnapshot(), { usage: null })).yes).toMatchObject({
      capacityMaxNotionalUsdPips: null,
      maxNotionalUsdPips: null,
    });
    expect(
      limitsOf(viewOf(sampleSnapshot(), { usage: sampleUsage({ pool: null }) })).yes.maxNotionalUsdPips,
    ).toBeNull();
    expect(limitsOf(viewOf(facts({ status: 'closed' }))).yes.maxNotionalUsdPips).toEqual(usdPips(0n));
  });

  test('without a fresh book nothing is known about slippage', () => {
    expect(limitsOf(viewOf(yes(book, { bookAgeMs: 5_001 }))).yes.slippageMaxNotionalUsdPips).toBeNull();
    expect(limitsOf(viewOf(yes(book, { book: null, bookAgeMs: null }))).yes.slippageMaxNotionalUsdPips).toBeNull();
  });
});

describe('what a market shows', () => {
  test('best prices of both books; an outdated book shows none, and two of them no prices at all', () => {
    const old = sampleSide(book, { bookAgeMs: 5_001 });
    const figures = (snapshot: MarketSnapshot) => marketFiguresOf(viewOf(snapshot), sampleContract).prices;
    expect(figures(yes(book))).toMatchObject({ yesAskPricePips: price(0.71), yesBidPricePips: price(0.69) });
    expect(figures(sampleSnapshot({ yes: old }))).toMatchObject({ yesAskPricePips: null, yesBidPricePips: null });
    expect(figures(sampleSnapshot({ yes: old, no: old }))).toBeNull();
  });

  test('depth adds up both sides, an unknown one as nothing; one open side is enough to accept', () => {
    const old = sampleSide(book, { bookAgeMs: 5_001 });
    const both = marketFiguresOf(viewOf(sampleSnapshot()), sampleContract);
    const one = marketFiguresOf(viewOf(sampleSnapshot({ no: old })), sampleContract);
    expect([both.isAccepting, one.isAccepting, one.eligibility.no === null]).toEqual([true, true, false]);
    const { yes, no } = sampleSnapshot();
    expect(depthOf(yes, old)).toBe(one.limits.yes.slippageMaxNotionalUsdPips);
    expect(raw(depthOf(yes, no)) > raw(depthOf(yes, old))).toBe(true);
    expect(both.originationTiers.length).toBeGreaterThan(0);
  });
});
