import { pricePips, tokenUnits, usdPips } from '@core/pricing';
import type { VenueMarket } from '../src/index.ts';

/** A day of a crypto market that ends twelve hours after `nowMs`. */
export function sampleVenueMarket(ticker: string, nowMs: number, changes: Partial<VenueMarket> = {}): VenueMarket {
  const hex = Array.from(ticker, (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  const number = BigInt(`0x${hex.padEnd(60, '0').slice(0, 60)}`);
  return {
    ticker,
    version: 'v1',
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
    cryptoSettlement: 'noon_candle',
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
    gameId: null,
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
