import {
  emptyStatistics,
  type MarketFacts,
  type MarketSnapshot,
  recordSample,
  type SideSnapshot,
  sideStatisticsOf,
  type TokenStatistics,
} from '@core/market';
import { type PolicyConfig } from '@core/policy';
import type { Side } from '@core/position';
import { midPriceOf, type OrderBook, type PricePips, pricePips, rateBps, raw, tokenUnits } from '@core/pricing';
import type { RecordedMarket, RecordedRow } from '../recording/recordedMarket.ts';
import { type DepthModel, type DepthMoment, ladderOf, usdPerCentOf } from './depthModel.ts';

/** Observation at a row. */
export interface ObservedRow {
  readonly row: RecordedRow;
  readonly snapshot: MarketSnapshot;
  readonly isTwoSided: boolean;
  readonly hasJumped: boolean;
}

export interface ObservedMarket {
  readonly market: RecordedMarket;
  readonly depth: DepthModel;
  readonly rows: readonly ObservedRow[];
}

/** Both prices of one token; those of the other are their complements. */
export interface Prices {
  readonly bidPricePips: PricePips | null;
  readonly askPricePips: PricePips | null;
}

const onePips = 10_000n;
const jumpPips = 1_000n;
const ticksPips = [100n, 50n, 25n, 10n] as const;

const complementOf = (price: PricePips | null): PricePips | null =>
  price === null ? null : pricePips(onePips - raw(price));

/** Return the prices of a side's own token. */
function pricesOf(yes: Prices, side: Side): Prices {
  if (side === 'yes') return yes;
  return { bidPricePips: complementOf(yes.askPricePips), askPricePips: complementOf(yes.bidPricePips) };
}

/** Return the observed rows of a market: the knowledge of the policy at each, its history folded by its own rules. */
export function observeMarket(market: RecordedMarket, depth: DepthModel, config: PolicyConfig): ObservedMarket {
  let statistics = { yes: emptyStatistics, no: emptyStatistics };
  let last: { readonly yes: PricePips | null; readonly no: PricePips | null } = { yes: null, no: null };
  let jumpedAtMs = Number.NEGATIVE_INFINITY;
  const rows = market.rows.map((row) => {
    const moved = midOf(row) !== null && last.yes !== null ? raw(midOf(row) ?? last.yes) - raw(last.yes) : 0n;
    if (moved >= jumpPips || moved <= -jumpPips) jumpedAtMs = row.atMs;
    const moment = momentOf(market, row.atMs, jumpedAtMs);
    const look = (side: Side) => {
      const book = bookOf(pricesOf(row, side), { depth, moment });
      statistics = { ...statistics, [side]: folded(statistics[side], { book, atMs: row.atMs, config }) };
      last = { ...last, [side]: midPriceOf(book) ?? last[side] };
      return sideSnapshotOf(statistics[side], { book, lastMid: last[side], nowMs: row.atMs, config });
    };
    const snapshot = snapshotOf(market, { nowMs: row.atMs, yes: look('yes'), no: look('no'), prices: row });
    return {
      row,
      snapshot,
      isTwoSided: row.bidPricePips !== null && row.askPricePips !== null,
      hasJumped: moment.hasJumped,
    };
  });
  return { market, depth, rows };
}

/** Return the same market a little later at other prices; only its book changes, and prices on a line have no tick. */
export function atPrices(
  observed: ObservedMarket,
  from: ObservedRow,
  at: { readonly atMs: number; readonly prices: Prices },
): MarketSnapshot {
  const { market, depth } = observed;
  const moment = { toCloseSeconds: (market.closeAtMs - at.atMs) / 1_000, hasJumped: from.hasJumped };
  const side = (name: Side): SideSnapshot => {
    const book = bookOf(pricesOf(at.prices, name), { depth, moment });
    return { ...from.snapshot[name], book, lastMidPricePips: midPriceOf(book) ?? from.snapshot[name].lastMidPricePips };
  };
  return { ...from.snapshot, nowMs: at.atMs, yes: side('yes'), no: side('no') };
}

/** Return the index of the first row at or after a time, from an index on; the number of rows without one. */
export function firstRowFrom({ rows }: ObservedMarket, atMs: number, from: number): number {
  let index = from;
  while (index < rows.length && (rows[index]?.row.atMs ?? 0) < atMs) index += 1;
  return index;
}

function midOf({ bidPricePips, askPricePips }: Prices): PricePips | null {
  if (bidPricePips === null || askPricePips === null) return null;
  return pricePips((raw(bidPricePips) + raw(askPricePips)) / 2n);
}

function momentOf(market: RecordedMarket, atMs: number, jumpedAtMs: number): DepthMoment {
  return { toCloseSeconds: (market.closeAtMs - atMs) / 1_000, hasJumped: atMs - jumpedAtMs < 60_000 };
}

function bookOf(prices: Prices, { depth, moment }: { depth: DepthModel; moment: DepthMoment }): OrderBook {
  const ladder = (best: PricePips | null, direction: -1n | 1n) =>
    best === null ? [] : ladderOf(best, usdPerCentOf(depth, best, moment), direction);
  return { bids: ladder(prices.bidPricePips, -1n), asks: ladder(prices.askPricePips, 1n) };
}

interface Look {
  readonly book: OrderBook;
  readonly atMs: number;
  readonly config: PolicyConfig;
}

/** Rows without any price are gaps of the recording and no empty books: the history skips them. */
function folded(statistics: TokenStatistics, { book, atMs, config }: Look): TokenStatistics {
  if (book.bids.length === 0 || book.asks.length === 0) return statistics;
  return recordSample(statistics, { atMs, book }, config.statistics);
}

function sideSnapshotOf(
  statistics: TokenStatistics,
  seen: { book: OrderBook; lastMid: PricePips | null; nowMs: number; config: PolicyConfig },
): SideSnapshot {
  const { book, lastMid, nowMs, config } = seen;
  const read = sideStatisticsOf(statistics, { nowMs, book }, config);
  return {
    book,
    bookAgeMs: 0,
    priceAgeMs: 0,
    lastMidPricePips: lastMid,
    lastTrade: null,
    // Rows are a minute apart: the average of the last seconds is assumed to be the mid of the row.
    twap: { pricePips: midPriceOf(book), sampleCount: config.ages.twapMinimumSampleCount, lastSampleAgeMs: 0 },
    realisedVarianceE12: read.realisedVarianceE12,
    minimumBids: read.minimumBids,
    openLeveragedTokenUnits: tokenUnits(0n),
    secondSource: null,
    topHolderShareBps: rateBps(0n),
  };
}

function snapshotOf(
  market: RecordedMarket,
  { nowMs, yes, no, prices }: { nowMs: number; yes: SideSnapshot; no: SideSnapshot; prices: Prices },
): MarketSnapshot {
  return {
    nowMs,
    facts: factsOf(market, prices),
    yes,
    no,
    reference: { ageMs: 0, elapsedBps: null, isLive: false, isEnded: false },
    isBreakerTripped: false,
  };
}

/** Return the coarsest tick of the venue that fits the prices of the moment. */
function tickOf({ bidPricePips, askPricePips }: Prices): PricePips {
  const prices = [bidPricePips, askPricePips].filter((price) => price !== null).map(raw);
  return pricePips(ticksPips.find((tick) => prices.every((price) => price % tick === 0n)) ?? 1n);
}

function factsOf(market: RecordedMarket, prices: Prices): MarketFacts {
  return {
    marketId: market.marketId,
    ticker: market.marketId,
    category: market.subject.kind,
    status: 'active',
    conditionId: '0x',
    yesTokenId: '1',
    noTokenId: '2',
    ledger: 'conditional_tokens',
    isNegRisk: false,
    isVenueClosed: false,
    isVenueActive: true,
    isAcceptingOrders: true,
    isSettlementDetected: false,
    determinedPrices: null,
    disabled: null,
    riskLevel: 'low',
    subject: market.subject,
    closeAtMs: market.closeAtMs,
    volume24hUsdPips: null,
    openInterestUsdPips: null,
    venueFee: market.venueFee,
    tickPricePips: tickOf(prices),
  };
}
