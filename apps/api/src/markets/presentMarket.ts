import type { MarketRecord } from '@core/market';
import type { Eligibility, MarketFigures, MarketLimits, MarketPrices, PartnerTerms, SideLimits } from '@core/policy';
import { constants, type OriginationTier, raw } from '@core/pricing';
import { isoTimeOf, type MarketWire, money, nullableIsoTimeOf, nullableMoney, wireIdOf } from '@core/wire';

/** The wire form of a market, without prices. Null for a category that is listed nowhere. */
export function presentMarket(view: {
  readonly record: MarketRecord;
  readonly figures: MarketFigures;
  readonly terms: PartnerTerms;
  readonly idNamespace: string;
}): MarketWire | null {
  const { record, terms, figures } = view;
  const { eligibility, limits } = figures;
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
    no_sub_title: record.noSubTitle,
    category: record.category,
    event: { ticker: record.eventTicker, title: record.eventTitle, series_ticker: record.seriesTicker },
    status: record.status,
    tags: [...record.tags],
    close_time: nullableIsoTimeOf(record.closeTimeMs),
    discovered_at: isoTimeOf(record.discoveredAtMs),
    latest_enter_at: nullableIsoTimeOf(record.latestEnterAtMs),
    provider: 'venue',
    accepting_new_positions: figures.isAccepting,
    rejection_reason_code: eligibility.market,
    sided_eligibility: { yes: sideOf(eligibility.yes), no: sideOf(eligibility.no) },
    ...money('min_collateral', terms.minCollateralUsdPips),
    ...money('min_notional', terms.minNotionalUsdPips),
    leverage: presentLeverage(limits),
    fees: {
      origination_tiers: presentTiers(figures.originationTiers),
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

/** The wire form of the shown tiers. */
export function presentTiers(tiers: readonly OriginationTier[]) {
  return tiers.map((tier) => ({
    max_leverage_bps: Number(raw(tier.maxLeverageBps)),
    fee_bps: Number(raw(tier.feeBps)),
  }));
}

/** `prices`: null without recent data; an empty or outdated side is null in both companions. */
export function presentPrices(prices: MarketPrices | null): NonNullable<MarketWire['prices']> | null {
  if (prices === null) return null;
  return {
    ...nullableMoney('yes_ask_price', prices.yesAskPricePips),
    ...nullableMoney('yes_bid_price', prices.yesBidPricePips),
    ...nullableMoney('no_ask_price', prices.noAskPricePips),
    ...nullableMoney('no_bid_price', prices.noBidPricePips),
  };
}

/** `rules` and `resolution_source`; null in a record that names none or is unreadable. */
export function presentRules({ record }: MarketRecord): Required<Pick<MarketWire, 'rules' | 'resolution_source'>> {
  return { rules: record?.rules ?? null, resolution_source: record?.resolutionSource ?? null };
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
