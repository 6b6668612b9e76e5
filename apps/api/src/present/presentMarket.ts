import {
  type ContractTerms,
  chargedFeesOf,
  type Eligibility,
  type MarketLimits,
  type MarketSnapshot,
  type PartnerFees,
  type PartnerTerms,
  type PolicyConfig,
  type SideLimits,
  type SideSnapshot,
} from '@core/policy';
import { bestAskOf, bestBidOf, constants, type PricePips, raw, shownOriginationTiersOf } from '@core/pricing';
import type { MarketRecord } from '@core/store';
import { type MarketWire, money, nullableMoney } from '@core/wire';
import { isoTimeOf, nullableIsoTimeOf } from './isoTime.ts';
import { wireIdOf } from './wireId.ts';

/** A market as one partner sees it at one moment. */
export interface PresentedMarket {
  readonly record: MarketRecord;
  readonly snapshot: MarketSnapshot;
  readonly terms: PartnerTerms;
  readonly contract: ContractTerms;
  readonly eligibility: Eligibility;
  readonly limits: MarketLimits;
  readonly idNamespace: string;
}

/** The wire form of a market, without prices. Null for a category that is listed nowhere. */
export function presentMarket(view: PresentedMarket): MarketWire | null {
  const { record, terms, eligibility, limits } = view;
  if (record.category !== 'crypto' && record.category !== 'sport') return null;
  return {
    id: wireIdOf(record.id, view.idNamespace),
    ticker: record.ticker,
    venue: {
      slug: record.ticker,
      condition_id: record.venueMarketId,
      yes_token_id: record.yesTokenId,
      no_token_id: record.noTokenId,
    },
    title: record.title,
    yes_sub_title: record.yesSubTitle,
    category: record.category,
    event: { ticker: record.eventTicker, title: record.eventTitle, series_ticker: record.seriesTicker },
    status: record.status,
    tags: [...record.tags],
    close_time: nullableIsoTimeOf(record.closeTimeMs),
    discovered_at: isoTimeOf(record.discoveredAtMs),
    latest_enter_at: nullableIsoTimeOf(record.latestEnterAtMs),
    provider: 'venue',
    accepting_new_positions: eligibility.yes === null || eligibility.no === null,
    rejection_reason_code: eligibility.market,
    sided_eligibility: { yes: sideOf(eligibility.yes), no: sideOf(eligibility.no) },
    ...money('min_collateral', terms.minCollateralUsdPips),
    ...money('min_notional', terms.minNotionalUsdPips),
    leverage: presentLeverage(limits),
    fees: {
      origination_tiers: presentTiers(terms.fees, view.contract),
      lifetime_fee_apr_bps: Number(raw(terms.fees.lifetimeFeeAprBps)),
      liquidation_fee_bps: Number(raw(terms.fees.liquidationFeeBps)),
    },
    ...nullableMoney('max_notional_yes', limits.yes.maxNotionalUsdPips),
    ...nullableMoney('max_notional_no', limits.no.maxNotionalUsdPips),
    ...nullableMoney('capacity_max_notional_yes', limits.yes.capacityMaxNotionalUsdPips),
    ...nullableMoney('capacity_max_notional_no', limits.no.capacityMaxNotionalUsdPips),
    ...nullableMoney('slippage_max_notional_yes', limits.yes.slippageMaxNotionalUsdPips),
    ...nullableMoney('slippage_max_notional_no', limits.no.slippageMaxNotionalUsdPips),
  };
}

/** Shown tiers: protocol tier plus partner rate, at most what the vault allows. */
export function presentTiers(fees: PartnerFees, contract: ContractTerms) {
  return shownOriginationTiersOf(chargedFeesOf(fees, contract)).map((tier) => ({
    max_leverage_bps: Number(raw(tier.maxLeverageBps)),
    fee_bps: Number(raw(tier.feeBps)),
  }));
}

/** `prices`: null without recent data; an empty or outdated side is null in both companions. */
export function presentPrices(snapshot: MarketSnapshot, config: PolicyConfig): MarketWire['prices'] {
  const yes = freshBookOf(snapshot.yes, config);
  const no = freshBookOf(snapshot.no, config);
  if (yes === null && no === null) return null;
  return {
    ...nullableMoney('yes_ask_price', bestOf(yes, bestAskOf)),
    ...nullableMoney('yes_bid_price', bestOf(yes, bestBidOf)),
    ...nullableMoney('no_ask_price', bestOf(no, bestAskOf)),
    ...nullableMoney('no_bid_price', bestOf(no, bestBidOf)),
  };
}

type Book = NonNullable<SideSnapshot['book']>;

function freshBookOf({ book, bookAgeMs }: SideSnapshot, config: PolicyConfig): Book | null {
  return book !== null && bookAgeMs !== null && bookAgeMs <= config.ages.maxBookAgeMs ? book : null;
}

function bestOf(book: Book | null, best: (book: Book) => PricePips | null): PricePips | null {
  return book === null ? null : best(book);
}

function sideOf(reason: Eligibility['yes']) {
  return { accepting_new_positions: reason === null, rejection_reason_code: reason };
}

function presentLeverage({ yes, no }: MarketLimits): MarketWire['leverage'] {
  return {
    min_bps: Number(raw(constants.minLeverageBps)),
    max_yes_bps: Number(raw(yes.maxSideBps)),
    max_no_bps: Number(raw(no.maxSideBps)),
    step_bps: Number(raw(constants.leverageStepBps)),
    max_market_leverage_per_notional: { yes: presentBuckets(yes), no: presentBuckets(no) },
  };
}

function presentBuckets(side: SideLimits) {
  return {
    at100_usd_bps: Number(raw(side.at100Usd)),
    at500_usd_bps: Number(raw(side.at500Usd)),
    at1000_usd_bps: Number(raw(side.at1000Usd)),
    at10000_usd_bps: Number(raw(side.at10000Usd)),
  };
}
