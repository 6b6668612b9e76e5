import type { Fixture } from '../catalogue/fixtures.ts';
import type { EventDefinition } from '../catalogue/marketDefinition.ts';
import type { SimMarket } from '../market/simMarket.ts';
import { formatPrice } from '../units/decimals.ts';
import type { SimVenue } from '../venue/simVenue.ts';

type Json = Record<string, unknown>;

/** `2026-07-24 00:00:16+00`: how the catalogue writes some instants. */
const blankInstant = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')}+00`;
const isoInstant = (atMs: number): string => new Date(atMs).toISOString().replace('.000Z', 'Z');

const umaStatuses = {
  trading: null,
  ended: null,
  requested: 'requested',
  proposed: 'proposed',
  disputed: 'disputed',
  resolved: 'resolved',
} as const;

/** The steps a market's resolution has gone through, as the catalogue's list field keeps them. */
const umaHistoryOf = (market: SimMarket): string => {
  const status = umaStatuses[market.stage];
  return JSON.stringify(status === null ? [] : [status]);
};

/** Numbers that only inform: JSON numbers, as the catalogue writes them. */
const price = (pips: bigint): number => Number(formatPrice(pips));

function gameFields(fixture: Fixture): Json {
  const hasStarted = fixture.secondsPlayed > 0;
  return {
    startTime: isoInstant(fixture.startMs),
    eventDate: isoInstant(fixture.startMs).slice(0, 10),
    // Before the game these four are simply not there.
    ...(hasStarted
      ? {
          live: fixture.endedMs === null,
          ended: fixture.endedMs !== null,
          score: fixture.model.score,
          period: fixture.model.period,
        }
      : {}),
    ...(hasStarted && fixture.league.sport === 'basketball' ? { elapsed: elapsedText(fixture.secondsPlayed) } : {}),
    gameId: Number.parseInt(fixture.slug.length.toString() + fixture.startMs.toString().slice(3, 9), 10),
  };
}

const elapsedText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${(seconds % 60).toString().padStart(2, '0')}`;

function seriesOf(event: EventDefinition): Json[] {
  return event.series === null
    ? []
    : [
        {
          id: event.series.id,
          ticker: event.series.slug,
          slug: event.series.slug,
          title: event.series.title,
          seriesType: 'single',
          recurrence: event.series.recurrence,
          active: true,
          closed: false,
          archived: false,
        },
      ];
}

/** An event without its markets. */
export function gammaEvent(venue: SimVenue, market: SimMarket): Json {
  const { event, endDateMs, isNegRisk } = market.definition;
  const fixture = event.gameSlug === null ? undefined : venue.fixture(event.gameSlug);
  return {
    id: event.id,
    ticker: event.slug,
    slug: event.slug,
    title: event.title,
    ...(event.resolutionSource === null ? {} : { resolutionSource: event.resolutionSource }),
    startDate: isoInstant(market.definition.listedMs),
    endDate: isoInstant(endDateMs),
    active: true,
    closed: market.stage === 'resolved',
    archived: false,
    enableOrderBook: true,
    negRisk: isNegRisk,
    series: seriesOf(event),
    ...(event.series === null ? {} : { seriesSlug: event.series.slug }),
    ...(fixture === undefined ? {} : gameFields(fixture)),
  };
}

function feeFields(market: SimMarket, nowMs: number): Json {
  const { areFeesEnabled, feeSchedule, category } = market.definition;
  return {
    feesEnabled: areFeesEnabled,
    ...(areFeesEnabled ? { makerBaseFee: 1000, takerBaseFee: 1000 } : {}),
    ...(areFeesEnabled && feeSchedule !== null
      ? {
          feeType: category === 'crypto' ? 'crypto_fees_v2' : 'sports_fees_v2',
          feeSchedule: {
            rate: Number(feeSchedule.ratePpm) / 1e6,
            exponent: Number(feeSchedule.exponent),
            takerOnly: !market.effects.chargesMakersAt(nowMs),
            rebateRate: 0.2,
          },
        }
      : {}),
  };
}

function priceFields(market: SimMarket): Json {
  const bid = market.bestBidPips(0);
  const ask = market.bestAskPips(0);
  const shown = market.shownPricePips();
  return {
    outcomePrices: JSON.stringify([formatPrice(shown), formatPrice(10_000n - shown)]),
    ...(bid === null ? {} : { bestBid: price(bid) }),
    bestAsk: ask === null ? 0 : price(ask),
    spread: bid === null || ask === null ? 1 : price(ask - bid),
    ...(market.lastTradePricePips === null ? {} : { lastTradePrice: price(market.lastTradePricePips) }),
  };
}

function figureFields(market: SimMarket): Json {
  const { volume24hUsd, depthUsdPerCent } = market.definition;
  const traded = Number(market.tradedUsdcUnits) / 1e6;
  const liquidity = Math.round(depthUsdPerCent * 22 * 100) / 100;
  const volume = (volume24hUsd ?? 0) + traded;
  return {
    volume: volume.toFixed(6),
    volumeNum: volume,
    ...(volume24hUsd === null ? {} : { volume24hr: volume }),
    // A closed market has no book, and so no liquidity field.
    ...(market.stage === 'trading' ? { liquidity: liquidity.toFixed(4), liquidityNum: liquidity } : {}),
    openInterest: Math.round(volume * 0.4),
  };
}

function sportFields(market: SimMarket): Json {
  const { gameStartMs, sportsMarketType, line } = market.definition;
  return {
    ...(gameStartMs === null ? {} : { gameStartTime: blankInstant(gameStartMs), secondsDelay: 3 }),
    ...(sportsMarketType === null ? {} : { sportsMarketType }),
    ...(line === null ? {} : { line }),
  };
}

/** One market as the catalogue serves it: lists inside strings, odd instants, and many fields that may be absent. */
export function gammaMarket(venue: SimVenue, market: SimMarket): Json {
  const { definition, stage } = market;
  const uma = umaStatuses[stage];
  return {
    id: definition.id,
    question: definition.question,
    conditionId: definition.conditionId,
    slug: definition.slug,
    ...(definition.event.resolutionSource === null ? {} : { resolutionSource: definition.event.resolutionSource }),
    endDate: isoInstant(definition.endDateMs),
    startDate: isoInstant(definition.listedMs),
    description: definition.description,
    outcomes: JSON.stringify(definition.outcomes),
    ...priceFields(market),
    ...figureFields(market),
    active: true,
    closed: stage === 'resolved',
    archived: false,
    ...(definition.groupItemTitle === null ? {} : { groupItemTitle: definition.groupItemTitle }),
    questionID: definition.questionId,
    enableOrderBook: true,
    orderPriceMinTickSize: price(market.tickPricePips),
    orderMinSize: 5,
    clobTokenIds: JSON.stringify(definition.tokenIds.map(String)),
    acceptingOrders: stage === 'trading' && market.isListed,
    // Most records say it; some leave it out when it is false.
    ...(definition.isNegRisk || definition.category === 'sport' ? { negRisk: definition.isNegRisk } : {}),
    ...(definition.isNegRisk ? { negRiskMarketID: definition.questionId } : {}),
    ...sportFields(market),
    ...(definition.spanStartMs === null ? {} : { eventStartTime: isoInstant(definition.spanStartMs) }),
    ...feeFields(market, venue.nowMs),
    ...(uma === null ? {} : { umaResolutionStatus: uma }),
    umaResolutionStatuses: umaHistoryOf(market),
    ...(market.closedMs === null ? {} : { closedTime: blankInstant(market.closedMs) }),
    events: [gammaEvent(venue, market)],
  };
}
