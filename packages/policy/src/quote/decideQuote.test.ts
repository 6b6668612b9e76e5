import type { ErrorCode } from '@core/errors';
import type { MarketFacts, SideSnapshot, SportFacts } from '@core/market';
import { pricePips, rateBps, usdcUnits } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import {
  ladderBook,
  level,
  price,
  sampleContract,
  sampleCrypto,
  sampleFacts,
  sampleNowMs,
  sampleRequest,
  sampleService,
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
import { decideQuote, type QuoteDecisionInputs } from './decideQuote.ts';
import { quoteGates } from './gates.ts';

const minute = 60_000;
/** For cases that share their params with another one. */
const anyParams: unknown = expect.anything();

function inputsOf(overrides: Partial<QuoteDecisionInputs> = {}): QuoteDecisionInputs {
  return {
    kind: 'quote',
    request: sampleRequest(),
    snapshot: sampleSnapshot(),
    terms: partnerTermsOf(),
    usage: sampleUsage(),
    service: sampleService,
    contract: sampleContract,
    ...overrides,
  };
}

const withFacts = (facts: Partial<MarketFacts>) => ({ snapshot: sampleSnapshot({ facts: sampleFacts(facts) }) });
const withYes = (side: Partial<SideSnapshot>, book = ladderBook({ mid: 0.7 })) => ({
  snapshot: sampleSnapshot({ yes: sampleSide(book, side) }),
});
const withSport = (subject: Partial<SportFacts>) => ({
  snapshot: sampleSportSnapshot({
    facts: sampleFacts({ category: 'sport', subject: { ...sampleSport, ...subject } }),
  }),
});
const pregame = { gameStartAtMs: sampleNowMs + 120 * minute };
const calm = { ageMs: 1_000, elapsedBps: null, isLive: false, isEnded: false };
const thin = { bids: ladderBook({ mid: 0.7 }).bids, asks: [level(0.71, 5), level(0.75, 1_000)] };

interface RefusalCase {
  readonly name: string;
  readonly change: Partial<QuoteDecisionInputs>;
  readonly code: ErrorCode;
  readonly params?: object;
}

const refusals: readonly RefusalCase[] = [
  {
    name: 'switched off',
    change: { service: { ...sampleService, isQuoteCreationEnabled: false } },
    code: 'quote_creation_disabled',
  },
  {
    name: 'a silent keeper',
    change: { service: { ...sampleService, keeperHeartbeatAgeMs: 60_001 } },
    code: 'quote_creation_disabled',
  },
  {
    name: 'a keeper never seen',
    change: { service: { ...sampleService, keeperHeartbeatAgeMs: null } },
    code: 'quote_creation_disabled',
  },
  {
    name: 'a venue that refuses the service',
    change: { service: { ...sampleService, isVenueTakingOrders: false } },
    code: 'quote_creation_disabled',
  },
  {
    name: 'no price signer',
    change: { service: { ...sampleService, isPriceSignerAnswering: false } },
    code: 'quote_creation_disabled',
  },
  {
    name: 'forced sales of the category that take too long',
    change: { service: { ...sampleService, isExitQuick: false } },
    code: 'quote_creation_disabled',
  },
  {
    name: 'grants of the category that no filler takes',
    change: { service: { ...sampleService, areGrantsFilled: false } },
    code: 'quote_creation_disabled',
  },
  {
    name: 'a market whose debts were not checked for long',
    change: { service: { ...sampleService, debtWatchAgeMs: 5_001 } },
    code: 'quote_market_not_ready',
  },
  {
    name: 'a market whose debts were never checked',
    change: { service: { ...sampleService, debtWatchAgeMs: null } },
    code: 'quote_market_not_ready',
  },
  {
    name: 'partial-open switched off',
    change: {
      service: { ...sampleService, isPartialOpenEnabled: false },
      request: sampleRequest({ allowPartialFill: true }),
    },
    code: 'quote_creation_disabled',
  },
  {
    name: 'a wallet of the other chain',
    change: { request: sampleRequest({ walletAddress: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV' }) },
    code: 'quote_invalid_venue_wallet_address',
  },
  {
    name: 'a fill floor without partial fill',
    change: { request: sampleRequest({ minFillBps: rateBps(2_000n) }) },
    code: 'quote_min_fill_bps_requires_fak',
  },
  {
    name: 'a fill floor out of range',
    change: { request: sampleRequest({ allowPartialFill: true, minFillBps: rateBps(1_999n) }) },
    code: 'quote_min_fill_bps_out_of_range',
    params: { min_fill_bps: rateBps(1_999n), absolute_min_bps: rateBps(2_000n), max_bps: rateBps(5_000n) },
  },
  {
    name: 'a fill floor off its step',
    change: { request: sampleRequest({ allowPartialFill: true, minFillBps: rateBps(2_100n) }) },
    code: 'quote_min_fill_bps_step_invalid',
    params: { min_fill_bps: rateBps(2_100n), step_bps: rateBps(500n) },
  },
  {
    name: 'a fill floor below the minimum collateral',
    change: {
      request: sampleRequest({
        allowPartialFill: true,
        minFillBps: rateBps(2_000n),
        notionalUsdPips: usd(9),
        leverageBps: times(3),
      }),
    },
    code: 'quote_min_fill_bps_below_floor',
    params: {
      min_fill_bps: rateBps(2_000n),
      floor_min_fill_bps: rateBps(6_000n),
      bound_by: 'notional',
      requested_collateral_usd_pips: usd(3),
      requested_notional_usd_pips: usd(9),
    },
  },
  {
    name: 'an operator',
    change: withFacts({ disabled: { reason: 'force_disabled' } }),
    code: 'risk_engine_market_disabled',
    params: { reason: 'force_disabled' },
  },
  {
    name: 'an operator without a reason',
    change: withFacts({ disabled: { reason: null } }),
    code: 'risk_engine_market_disabled',
    params: {},
  },
  {
    name: 'another category',
    change: withFacts({ category: 'unsupported', subject: null }),
    code: 'quote_market_unsupported_category',
  },
  { name: 'no condition', change: withFacts({ conditionId: null }), code: 'quote_market_missing_venue_condition_id' },
  { name: 'no token', change: withFacts({ yesTokenId: null }), code: 'quote_venue_missing_token' },
  { name: 'a closed market', change: withFacts({ status: 'closed' }), code: 'quote_market_not_active' },
  {
    name: 'a resolution',
    change: withFacts({ isSettlementDetected: true }),
    code: 'risk_engine_market_settlement_detected',
  },
  { name: 'a passed closing time', change: withFacts({ closeAtMs: sampleNowMs }), code: 'risk_engine_market_closed' },
  { name: 'a record that says closed', change: withFacts({ isVenueClosed: true }), code: 'quote_venue_market_closed' },
  {
    name: 'a record that is not active',
    change: withFacts({ isVenueActive: false }),
    code: 'quote_venue_market_inactive',
  },
  {
    name: 'no orders accepted',
    change: withFacts({ isAcceptingOrders: false }),
    code: 'quote_venue_market_not_accepting_orders',
  },
  {
    name: 'an asset without a feed',
    change: withFacts({ subject: { ...sampleCrypto, isAssetSupported: false } }),
    code: 'quote_market_unsupported_crypto_asset',
  },
  {
    name: 'a neg-risk market',
    change: withFacts({ isNegRisk: true }),
    code: 'quote_entry_excluded_market_type',
    params: { market_type: 'neg_risk' },
  },
  {
    name: 'a market of the PositionManager on the route Direct',
    change: withFacts({ ledger: 'position_manager' }),
    code: 'quote_entry_excluded_market_type',
    params: { market_type: 'position_manager' },
  },
  {
    name: 'a five-minute market',
    change: withFacts({ subject: { ...sampleCrypto, cadence: 'five_minute' } }),
    code: 'quote_entry_excluded_market_type',
    params: { market_type: 'crypto_five_minute' },
  },
  {
    name: 'a market that pays when a price is reached at any time',
    change: withFacts({ subject: { ...sampleCrypto, settlement: 'unknown' } }),
    code: 'quote_entry_excluded_market_type',
    params: { market_type: 'crypto_settlement_unknown' },
  },
  {
    name: 'a spread in play',
    change: withSport({ line: 'spread', marketType: 'spreads' }),
    code: 'quote_entry_excluded_market_type',
    params: { market_type: 'spreads' },
  },
  {
    name: 'soccer in play',
    change: withSport({ sport: 'soccer', sportName: 'soccer' }),
    code: 'quote_entry_excluded_sport',
    params: { sport: 'soccer' },
  },
  {
    name: 'a sport that forbids entries before the game',
    change: {
      snapshot: sampleSportSnapshot({
        reference: calm,
        facts: sampleFacts({
          category: 'sport',
          closeAtMs: null,
          subject: { ...sampleSport, ...pregame, sport: 'other' },
        }),
      }),
    },
    code: 'quote_event_not_started',
  },
  {
    name: 'a game that has begun before its time',
    change: withSport({ gameStartAtMs: sampleNowMs + 9 * minute }),
    code: 'quote_event_not_started',
  },
  {
    name: 'the last ten minutes',
    change: withFacts({ closeAtMs: sampleNowMs + 10 * minute }),
    code: 'quote_trading_window_closing',
  },
  {
    name: 'the last ten minutes before a game',
    change: {
      snapshot: sampleSportSnapshot({
        reference: calm,
        facts: sampleFacts({ category: 'sport', subject: { ...sampleSport, gameStartAtMs: sampleNowMs + 9 * minute } }),
      }),
    },
    code: 'quote_trading_window_closing',
  },
  {
    name: 'a game past its hard exit',
    change: withSport({ gameStartAtMs: sampleNowMs - 101 * minute }),
    code: 'quote_trading_window_closing',
  },
  { name: 'no closing time', change: withFacts({ closeAtMs: null }), code: 'quote_market_not_ready' },
  {
    name: 'little open interest',
    change: {
      ...withFacts({ openInterestUsdPips: usd(1) }),
      config: { ...policyDefaults, entry: { ...policyDefaults.entry, minOpenInterestUsdPips: usd(2) } },
    },
    code: 'quote_market_not_eligible',
  },
  { name: 'an elevated risk level', change: withFacts({ riskLevel: 'high' }), code: 'quote_market_risk_too_high' },
  { name: 'fees without a schedule', change: withFacts({ venueFee: null }), code: 'quote_market_risk_too_high' },
  { name: 'no book yet', change: withYes({ book: null, bookAgeMs: null }), code: 'quote_market_not_ready' },
  {
    name: 'no spot price yet',
    change: { snapshot: sampleSnapshot({ reference: null }) },
    code: 'quote_market_not_ready',
  },
  {
    name: 'an old book',
    change: withYes({ bookAgeMs: 5_001 }),
    code: 'quote_entry_order_book_stale',
    params: { last_update_age_ms: 5_001, market_id: 'mkt_01sample' },
  },
  {
    name: 'an old price',
    change: withYes({ priceAgeMs: 5_001 }),
    code: 'quote_entry_price_stale',
    params: { last_update_age_ms: 5_001, market_id: 'mkt_01sample' },
  },
  {
    name: 'an old spot price',
    change: { snapshot: sampleSnapshot({ reference: { ...calm, ageMs: 5_001 } }) },
    code: 'quote_entry_crypto_price_stale',
    params: { last_update_age_ms: 5_001, market_id: 'mkt_01sample' },
  },
  {
    name: 'an old score',
    change: { snapshot: sampleSportSnapshot({ reference: { ...calm, isLive: true, ageMs: 180_001 } }) },
    code: 'quote_entry_sport_data_stale',
    params: { last_update_age_ms: 180_001, market_id: 'mkt_01sample' },
  },
  {
    name: 'too few samples',
    change: withYes({ twap: { pricePips: null, sampleCount: 2, lastSampleAgeMs: 100 } }),
    code: 'quote_twap_data_unavailable',
  },
  {
    name: 'old samples',
    change: withYes({ twap: { pricePips: price(0.7), sampleCount: 9, lastSampleAgeMs: 10_001 } }),
    code: 'quote_twap_data_stale',
  },
  {
    name: 'no bids',
    change: withYes({}, { bids: [], asks: ladderBook({ mid: 0.7 }).asks }),
    code: 'quote_entry_book_one_sided',
  },
  { name: 'an empty book', change: withYes({}, { bids: [], asks: [] }), code: 'notional_selector_empty_order_book' },
  {
    name: 'a wide spread',
    change: withYes({}, ladderBook({ mid: 0.7, spread: 0.06 })),
    code: 'quote_entry_spread_too_wide',
    params: { current_spread_usd_pips: price(0.06), max_spread_usd_pips: price(0.05) },
  },
  {
    name: 'few asks',
    change: {
      ...withYes({}, { bids: ladderBook({ mid: 0.7 }).bids, asks: [level(0.71, 200)] }),
      request: sampleRequest(),
    },
    code: 'quote_entry_depth_too_low',
    params: { current_depth_usd_pips: usd(142), min_depth_usd_pips: usd(300) },
  },
  {
    name: 'few bids',
    change: withYes({}, { bids: [level(0.69, 200)], asks: ladderBook({ mid: 0.7 }).asks }),
    code: 'quote_entry_bid_depth_too_low',
    params: { current_bid_depth_usd_pips: usd(138), threshold_usd_pips: usd(300) },
  },
  {
    name: 'bids that were missing a minute ago',
    change: withYes({ minimumBids: [level(0.69, 20)] }),
    code: 'quote_entry_bid_depth_too_low',
    // 140.845071 tokens at 0.70 × 0.85, of which only ten can be sold at 0.69.
    params: { current_bid_depth_usd_pips: usd(6.8999), threshold_usd_pips: usd(83.8029) },
  },
  {
    name: 'a late game',
    change: withSport({ gameStartAtMs: sampleNowMs - 90 * minute }),
    code: 'quote_entry_market_too_elapsed',
    params: { max_pct_elapsed: 0.75, pct_elapsed: 0.8035 },
  },
  {
    name: 'one large holder',
    change: withYes({ topHolderShareBps: rateBps(5_001n) }),
    code: 'quote_entry_top_holder_too_high',
  },
  {
    name: 'little volume',
    change: withFacts({ volume24hUsdPips: usd(999) }),
    code: 'quote_entry_volume_too_low',
    params: { current_volume24h_usd_pips: usd(999), min_volume24h_usd_pips: usd(1_000) },
  },
  {
    name: 'a tripped breaker',
    change: { snapshot: sampleSnapshot({ isBreakerTripped: true }) },
    code: 'circuit_breaker_price_divergence_tripped',
  },
  {
    name: 'a second source elsewhere',
    change: withYes({ secondSource: { pricePips: price(0.5999), ageMs: 1_000 } }),
    code: 'circuit_breaker_price_divergence_tripped',
  },
  {
    name: 'a price near one',
    change: withYes({}, ladderBook({ mid: 0.955, spread: 0.01, tokens: 20_000 })),
    code: 'quote_entry_price_out_of_range',
    params: { current_price_usd_pips: price(0.96), max_price_usd_pips: price(0.95), min_price_usd_pips: price(0.3) },
  },
  {
    name: 'a tick too coarse for the price',
    change: {
      snapshot: sampleSnapshot({
        facts: sampleFacts({ tickPricePips: pricePips(1_000n) }),
        yes: sampleSide({ bids: [level(0.29, 10_000)], asks: [level(0.3, 10_000)] }),
      }),
    },
    code: 'quote_price_too_low',
  },
  {
    name: 'leverage below the minimum',
    change: { request: sampleRequest({ leverageBps: times(1.75) }) },
    code: 'quote_leverage_below_minimum',
    params: { current_book_leverage_bps: times(1.75), min_leverage_bps: times(2) },
  },
  {
    name: 'leverage above ten',
    change: { request: sampleRequest({ leverageBps: times(10.25) }) },
    code: 'quote_leverage_exceeds_maximum',
    params: { current_book_leverage_bps: times(10.25), max_leverage_bps: times(4.5) },
  },
  {
    name: 'a notional below the minimum',
    change: { request: sampleRequest({ notionalUsdPips: usd(4.9999) }) },
    code: 'quote_notional_below_minimum',
    params: { min_notional_usd_pips: usd(5), requested_notional_usd_pips: usd(4.9999) },
  },
  {
    name: 'nothing, partially filled',
    change: { request: sampleRequest({ notionalUsdPips: usd(0), allowPartialFill: true }) },
    code: 'quote_notional_below_minimum',
    params: { min_notional_usd_pips: usd(5), requested_notional_usd_pips: usd(0) },
  },
  {
    name: 'no leverage, partially filled',
    change: { request: sampleRequest({ leverageBps: times(0), allowPartialFill: true }) },
    code: 'quote_leverage_below_minimum',
    params: { current_book_leverage_bps: times(0), min_leverage_bps: times(2) },
  },
  {
    name: 'a side closed by the model',
    change: {
      snapshot: sampleSnapshot({
        facts: sampleFacts({ closeAtMs: sampleNowMs + 15 * minute }),
        yes: sampleSide(ladderBook({ mid: 0.5 })),
      }),
    },
    code: 'quote_max_leverage_too_low',
    params: { max_leverage_bps: times(1.75), min_leverage_bps: times(2) },
  },
  {
    name: 'asks too thin at any slippage',
    change: {
      ...withYes(
        {},
        { bids: thin.bids, asks: [level(0.71, 2), level(0.749, 2), level(0.76, 100), level(0.99, 9_999)] },
      ),
      terms: partnerTermsOf({ minNotionalUsdPips: usd(60) }),
      request: sampleRequest({ notionalUsdPips: usd(60), leverageBps: times(2), slippageBps: rateBps(1_000n) }),
    },
    code: 'quote_entry_depth_too_low',
    params: { current_depth_usd_pips: usd(78.918), min_depth_usd_pips: usd(180) },
  },
  {
    name: 'asks too thin at this slippage',
    change: { ...withYes({}, thin), request: sampleRequest({ slippageBps: rateBps(100n) }) },
    code: 'quote_slippage_too_high',
    params: { current_slippage_bps: rateBps(158n), max_slippage_bps: rateBps(100n) },
  },
  {
    name: 'a price too high for the leverage',
    change: {
      ...withYes({}, ladderBook({ mid: 0.92, tokens: 40_000 })),
      request: sampleRequest({ leverageBps: times(10) }),
    },
    code: 'quote_leverage_too_high_for_price',
    params: {
      current_book_leverage_bps: times(10),
      entry_price_usd_pips: pricePips(9_301n),
      max_acceptable_leverage_bps: times(7.75),
      minimum_buffer_usd_pips: pricePips(92n),
    },
  },
  {
    name: 'more leverage than the size bucket shows',
    change: { request: sampleRequest({ leverageBps: times(4.75) }) },
    code: 'quote_leverage_exceeds_maximum',
    params: { current_book_leverage_bps: times(4.75), max_leverage_bps: times(4.5) },
  },
  {
    name: 'too little collateral at any leverage of the range',
    change: {
      request: sampleRequest({ leverageBps: times(3), notionalUsdPips: usd(5) }),
      terms: partnerTermsOf({ minCollateralUsdPips: usd(3) }),
    },
    code: 'quote_leverage_exceeds_collateral_floor',
    params: {
      current_book_leverage_bps: times(3),
      current_collateral_usd_pips: usd(1.6666),
      max_leverage_bps: times(1.5),
      min_collateral_usd_pips: usd(3),
    },
  },
  {
    name: 'a size beyond the slippage',
    change: {
      request: sampleRequest({ notionalUsdPips: usd(20_000), slippageBps: rateBps(100n), leverageBps: times(2) }),
    },
    code: 'QUOTE_REVISION_REQUIRED',
  },
  {
    name: 'a draft that has become dearer',
    change: { request: sampleRequest({ draftEntryPricePips: price(0.68), slippageBps: rateBps(300n) }) },
    code: 'quote_slippage_too_high',
    params: { current_slippage_bps: rateBps(443n), max_slippage_bps: rateBps(300n) },
  },
];

const notional = (active: number, inFlight: number) => ({
  activeNotionalUsdPips: usd(active),
  inFlightNotionalUsdPips: usd(inFlight),
});

const limitRefusals: readonly RefusalCase[] = [
  ...(['user', 'market', 'global'] as const).map((scope): RefusalCase => {
    const limit = { user: 25_000, market: 100_000, global: 1_000_000 }[scope];
    return {
      name: `the ${scope} cap`,
      change: { usage: sampleUsage({ [scope]: notional(limit - 150, 60) }) },
      code: `quote_${scope}_position_limit_exceeded`,
      params: {
        available_capacity_usd_pips: usd(90),
        current_notional_usd_pips: usd(limit - 90),
        limit_usd_pips: usd(limit),
      },
    };
  }),
  {
    name: 'the side cap',
    change: { usage: sampleUsage({ yes: notional(60_001, 0) }) },
    code: 'quote_side_position_limit_exceeded',
    params: {
      available_capacity_usd_pips: usd(0),
      current_notional_usd_pips: usd(60_001),
      limit_usd_pips: usd(60_000),
    },
  },
  {
    name: 'the partner cap',
    change: { usage: sampleUsage({ partner: notional(999_900, 50) }) },
    code: 'quote_partner_position_limit_exceeded',
    params: {
      available_capacity_usd_pips: usd(50),
      current_notional_usd_pips: usd(999_950),
      limit_usd_pips: usd(1_000_000),
      active_notional_usd_pips: usd(999_900),
      in_flight_notional_usd_pips: usd(50),
    },
  },
  ...(
    [
      ['user', { userBorrowedUsdcUnits: usdc(19_950) }, 20_000],
      ['market', { marketBorrowedUsdcUnits: usdc(49_950) }, 50_000],
      ['side', { yesBorrowedUsdcUnits: usdc(29_950) }, 30_000],
      ['total', { promisedBorrowUsdcUnits: usdc(399_950) }, 400_000],
    ] as const
  ).map(
    ([scope, usage, cap]): RefusalCase => ({
      name: `the ${scope} borrow cap`,
      change: { usage: sampleUsage(usage) },
      code: `quote_${scope}_capital_exceeded`,
      // 100 USD at 3x borrows 66.666668; 50 carry a collateral of 25 and 75 of notional.
      params: {
        available_borrowed_usdc_units: usdc(50),
        available_collateral_usdc_units: usdc(25),
        available_notional_usdc_units: usdc(75),
        cap_usdc_units: usdc(cap),
        current_borrowed_usdc_units: usdc(cap - 50),
        requested_borrowed_usdc_units: usdcUnits(66_666_668n),
      },
    }),
  ),
  {
    name: 'the cap of the hour',
    change: { usage: sampleUsage({ clusterBorrowedUsdcUnits: usdc(299_950) }) },
    code: 'quote_market_capital_exceeded',
    params: {
      available_borrowed_usdc_units: usdc(50),
      available_collateral_usdc_units: usdc(25),
      available_notional_usdc_units: usdc(75),
      cap_usdc_units: usdc(300_000),
      current_borrowed_usdc_units: usdc(299_950),
      requested_borrowed_usdc_units: usdcUnits(66_666_668n),
    },
  },
  { name: 'an unknown pool', change: { usage: sampleUsage({ pool: null }) }, code: 'quote_market_not_ready' },
  {
    name: 'the outcome cap of the pool',
    change: { usage: sampleUsage({ yesOutcomeHeadroomUsdcUnits: usdc(50) }) },
    code: 'quote_side_capacity_exceeded',
    params: {
      available_capacity_usd_pips: usd(75),
      max_supported_collateral_usd_pips: usd(25),
      min_notional_usd_pips: usd(5),
    },
  },
];

describe('refusals', () => {
  test.each([...refusals, ...limitRefusals])('$name: $code', ({ change, code, params }) => {
    const decided = decideQuote(inputsOf(change));
    expect(decided).toEqual({ kind: 'rejection', code, params: params ?? anyParams });
  });

  test('drafts reserve nothing, so no cap refuses them', () => {
    for (const { change } of limitRefusals) {
      expect(decideQuote(inputsOf({ ...change, kind: 'draft', usage: null })).kind).toBe('priced');
    }
  });

  test('every code a gate names is reached by a case here', () => {
    const reached = new Set([...refusals, ...limitRefusals].map(({ code }) => code));
    const elsewhere: readonly ErrorCode[] = [
      'notional_selector_below_min_notional',
      'notional_selector_pregame_insufficient_liquidity',
      'notional_selector_insufficient_liquidity',
      'quote_leverage_exceeds_model_max',
      'quote_liquidation_not_viable',
      'LIQUIDITY_INSUFFICIENT',
    ];
    for (const code of elsewhere) reached.add(code);
    for (const gate of quoteGates) for (const code of gate.codes) expect([...reached]).toContain(code);
  });

  test('a quote without usage throws', () => {
    expect(() => decideQuote(inputsOf({ usage: null }))).toThrow(RangeError);
  });
});

describe('the ladder', () => {
  /** Only a quarter of the notional is within ten per cent, all of it within five cents. */
  const steep = { bids: ladderBook({ mid: 0.3 }).bids, asks: [level(0.3, 10), level(0.35, 90)] };
  const wide = { ...policyDefaults, entry: { ...policyDefaults.entry, maxSpreadPricePips: price(0.5) } };
  const roomy = partnerTermsOf({ minNotionalUsdPips: usd(9) });

  test('below_min_notional: the minimum does not clear at the largest slippage', () => {
    const decided = decideQuote(
      inputsOf({
        ...withYes({}, steep),
        terms: roomy,
        config: wide,
        request: sampleRequest({ leverageBps: times(2), notionalUsdPips: usd(9), slippageBps: rateBps(1_000n) }),
      }),
    );
    expect(decided).toEqual({
      kind: 'rejection',
      code: 'notional_selector_below_min_notional',
      params: {
        max_supported_collateral_usd_pips: usd(4.125),
        min_notional_usd_pips: usd(9),
        slippage_max_usd_pips: usd(8.25),
      },
    });
  });

  test('pregame_insufficient_liquidity: the same before a game', () => {
    const snapshot = sampleSportSnapshot({
      facts: sampleFacts({ category: 'sport', closeAtMs: null, subject: { ...sampleSport, ...pregame } }),
      reference: calm,
      yes: sampleSide(steep),
    });
    const decided = decideQuote(
      inputsOf({
        snapshot,
        terms: roomy,
        config: wide,
        request: sampleRequest({ leverageBps: times(2), notionalUsdPips: usd(9), slippageBps: rateBps(1_000n) }),
      }),
    );
    expect(decided).toMatchObject({ code: 'notional_selector_pregame_insufficient_liquidity' });
  });

  test('insufficient_liquidity: a partial opening whose floor does not clear', () => {
    const decided = decideQuote(
      inputsOf({
        ...withYes({}, { bids: thin.bids, asks: [level(0.71, 60), level(0.75, 10_000)] }),
        request: sampleRequest({
          leverageBps: times(2),
          notionalUsdPips: usd(500),
          slippageBps: rateBps(100n),
          allowPartialFill: true,
          minFillBps: rateBps(5_000n),
        }),
      }),
    );
    expect(decided).toMatchObject({ code: 'notional_selector_insufficient_liquidity' });
  });

  test('model_max: the size allows less than its bucket shows, and the hint is accepted', () => {
    const book = { bids: ladderBook({ mid: 0.7, tokens: 400 }).bids, asks: ladderBook({ mid: 0.7, tokens: 400 }).asks };
    const request = sampleRequest({ leverageBps: times(4.5), notionalUsdPips: usd(330) });
    const decided = decideQuote(inputsOf({ ...withYes({}, book), request }));
    expect(decided).toMatchObject({ code: 'quote_leverage_exceeds_model_max' });
    if (decided.kind !== 'rejection' || decided.code !== 'quote_leverage_exceeds_model_max') return;
    const again = { ...request, leverageBps: decided.params.max_leverage_bps };
    expect(decideQuote(inputsOf({ ...withYes({}, book), request: again })).kind).toBe('priced');
  });

  test('not_viable: the worst allowed fill would open too close to its liquidation', () => {
    const snapshot = sampleSnapshot({ yes: sampleSide(ladderBook({ mid: 0.9, tokens: 40_000 })) });
    const decided = decideQuote(
      inputsOf({ snapshot, request: sampleRequest({ leverageBps: times(9), slippageBps: rateBps(1_000n) }) }),
    );
    expect(decided).toMatchObject({
      code: 'quote_liquidation_not_viable',
      params: {
        side: 'yes',
        min_tolerance_pct_bps: rateBps(100n),
        entry_price_usd_pips: pricePips(9_101n),
        liquidation_price_usd_pips: pricePips(9_796n),
      },
    });
  });

  test('LIQUIDITY_INSUFFICIENT: no revision reaches 1.5x', () => {
    const terms = partnerTermsOf({ minCollateralUsdPips: usd(5) });
    const request = sampleRequest({ leverageBps: times(2), notionalUsdPips: usd(6), allowRevision: true });
    expect(decideQuote(inputsOf({ terms, request }))).toEqual({
      kind: 'rejection',
      code: 'LIQUIDITY_INSUFFICIENT',
      params: {},
    });
  });

  test('a size beyond the book is revised, and its acceptable values are accepted as they are', () => {
    const request = sampleRequest({ notionalUsdPips: usd(20_000), slippageBps: rateBps(100n), leverageBps: times(2) });
    const decision = decideQuote(inputsOf({ request }));
    if (decision.kind !== 'rejection' || decision.code !== 'QUOTE_REVISION_REQUIRED') throw new Error('not refused');
    const { params } = decision;
    const again = {
      ...request,
      leverageBps: params.acceptable_leverage_bps,
      notionalUsdPips: params.acceptable_notional_usd_pips,
    };
    const accepted = decideQuote(inputsOf({ request: again }));
    expect(accepted).toMatchObject({ kind: 'priced', revision: null });
    const revised = decideQuote(inputsOf({ request: { ...request, allowRevision: true } }));
    expect(revised).toMatchObject({
      kind: 'priced',
      revision: params.revision,
      figures: {
        notionalUsdPips: params.acceptable_notional_usd_pips,
        leverageBps: params.acceptable_leverage_bps,
        collateralUsdcUnits: params.acceptable_collateral_usdc_units,
      },
    });
  });

  test('depth rules bound a revised size as well', () => {
    const book = ladderBook({ mid: 0.7, tokens: 200 });
    const request = sampleRequest({
      notionalUsdPips: usd(5_000),
      slippageBps: rateBps(1_000n),
      leverageBps: times(2),
      allowRevision: true,
    });
    const revised = decideQuote(inputsOf({ ...withYes({}, book), request }));
    if (revised.kind !== 'priced') throw new Error(revised.code);
    // Six levels of 200 tokens from 0.69 down to 0.64 are 798 USD: a third of it may be opened.
    expect(revised.figures.notionalUsdPips).toEqual(usd(266));
  });
});

describe('a priced quote', () => {
  test('carries the figures of the granted size', () => {
    const decided = decideQuote(inputsOf());
    expect(decided).toMatchObject({
      kind: 'priced',
      side: 'yes',
      tokenId: '101',
      revision: null,
      minFillBps: rateBps(10_000n),
      exitBufferBps: rateBps(800n),
      markPricePips: price(0.7),
      riskMode: 'adaptive',
      figures: {
        leverageBps: times(3),
        notionalUsdPips: usd(100),
        notionalUsdcUnits: usdcUnits(100_000_002n),
        collateralUsdcUnits: usdcUnits(33_333_334n),
      },
    });
  });

  test('a partial opening names its floor', () => {
    const request = sampleRequest({ allowPartialFill: true });
    expect(decideQuote(inputsOf({ request }))).toMatchObject({ allowPartialFill: true, minFillBps: rateBps(2_000n) });
  });

  test('the mark is the lowest of mid, average and a fresh last trade', () => {
    const marked = (side: Partial<SideSnapshot>) => {
      const decided = decideQuote(inputsOf({ ...withYes(side), request: sampleRequest({ leverageBps: times(2) }) }));
      return decided.kind === 'priced' ? decided.markPricePips : decided.code;
    };
    const twap = { pricePips: price(0.69), sampleCount: 9, lastSampleAgeMs: 100 };
    expect(marked({ twap })).toEqual(price(0.69));
    expect(marked({ twap, lastTrade: { pricePips: price(0.68), ageMs: 59_999 } })).toEqual(price(0.68));
    expect(marked({ twap, lastTrade: { pricePips: price(0.68), ageMs: 60_000 } })).toEqual(price(0.69));
  });
});
