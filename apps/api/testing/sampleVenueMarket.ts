import { pricePips, tokenUnits, usdPips } from '@core/pricing';
import type { ListedMarket } from '@core/store';
import type { VenueMarket } from '@core/venue';

/** A day of a crypto market that ends twelve hours after `nowMs`. */
export function sampleVenueMarket(ticker: string, nowMs: number, changes: Partial<VenueMarket> = {}): VenueMarket {
  const number = BigInt(`0x${Buffer.from(ticker).toString('hex').padEnd(60, '0').slice(0, 60)}`);
  return {
    ticker,
    recordId: ticker,
    title: `Title of ${ticker}`,
    yesSubTitle: 'Up',
    conditionId: `0x${number.toString(16).padStart(64, '0')}`,
    questionId: `0x${(number + 1n).toString(16).padStart(64, '0')}`,
    event: { slug: `event-of-${ticker}`, title: 'An event' },
    series: { slug: 'series-1', title: 'A series' },
    category: 'crypto',
    cryptoAsset: 'BTC',
    cryptoCadence: 'daily',
    sport: null,
    sportLine: null,
    sportsMarketType: null,
    outcomes: ['Up', 'Down'],
    tokenIds: { yes: String(number * 4n + 1n), no: String(number * 4n + 2n) },
    closeTimeMs: nowMs + 12 * 3_600_000,
    spanStartTimeMs: null,
    gameStartTimeMs: null,
    closedTimeMs: null,
    typicalLengthMs: null,
    game: null,
    venueFeeSchedule: { ratePpm: 70_000n, exponent: 1n },
    isNegRisk: false,
    tickPricePips: pricePips(100n),
    minOrderTokenUnits: tokenUnits(5_000_000n),
    isActive: true,
    isClosed: false,
    isArchived: false,
    isAcceptingOrders: true,
    hasOrderBook: true,
    resolutionStatus: 'none',
    volume24hUsdPips: usdPips(500_000_000n),
    openInterestUsdPips: null,
    liquidityUsdPips: null,
    bestBidPricePips: null,
    bestAskPricePips: null,
    lastTradePricePips: null,
    outcomePricePips: null,
    ...changes,
  };
}

/** The listing of a venue's record, as a catalogue sync writes it. */
export function listedMarketOf(market: VenueMarket): ListedMarket {
  const { conditionId, tokenIds } = market;
  if (conditionId === null || tokenIds === null) throw new Error('such a market is not listed');
  return {
    ticker: market.ticker,
    venueMarketId: conditionId,
    questionId: market.questionId,
    oracleAddress: `0x${'0'.repeat(39)}1`,
    yesTokenId: tokenIds.yes,
    noTokenId: tokenIds.no,
    title: market.title,
    yesSubTitle: market.yesSubTitle,
    category: market.category,
    eventTicker: market.event?.slug ?? market.ticker,
    eventTitle: market.event?.title ?? market.title,
    seriesTicker: market.series?.slug ?? null,
    clusterKey: null,
    tags: ['crypto'],
    closeTimeMs: market.closeTimeMs,
    latestEnterAtMs: market.closeTimeMs === null ? null : market.closeTimeMs - 600_000,
    record: market,
  };
}
