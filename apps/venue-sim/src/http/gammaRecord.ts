import type { Fixture } from '../catalogue/fixtures.ts';
import { elapsedText, gameIdOf } from '../catalogue/gameId.ts';
import type { EventDefinition } from '../catalogue/marketDefinition.ts';
import type { SimMarket } from '../market/simMarket.ts';
import { formatPrice } from '../units/decimals.ts';
import type { SimVenue } from '../venue/simVenue.ts';

type Json = Record<string, unknown>;

/** Format an instant like some catalogue fields: `2026-07-24 00:00:16+00`. */
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

/** Return the resolution steps of a market so far, as in the catalogue's list field. */
const umaHistoryOf = (market: SimMarket): string => {
  const status = umaStatuses[market.stage];
  return JSON.stringify(status === null ? [] : [status]);
};

/** Return a price as a JSON number, for informational fields of the catalogue. */
const price = (pips: bigint): number => Number(formatPrice(pips));

function gameFields(fixture: Fixture): Json {
  const hasStarted = fixture.secondsPlayed > 0;
  return {
    startTime: isoInstant(fixture.startMs),
    eventDate: isoInstant(fixture.startMs).slice(0, 10),
    // These four are absent before the game.
    ...(hasStarted
      ? {
          live: fixture.endedMs === null,
          ended: fixture.endedMs !== null,
          score: fixture.model.score,
          period: fixture.model.period,
        }
      : {}),
    ...(hasStarted && fixture.league.sport === 'basketball' ? { elapsed: elapsedText(fixture.secondsPlayed) } : {}),
    gameId: gameIdOf(fixture),
  };
}

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

interface Rule {
  readonly description: string;
  readonly resolutionSource: string | null;
}

const binanceUrl = (asset: string): string => `https://www.binance.com/en/trade/${asset}_USDT`;

/**
 * Return the rule of a market as its record states it. Under a profile whose records state how they are settled, crypto
 * markets name the oracle's stream or the candles of an exchange.
 */
function ruleOf({ options }: SimVenue, { definition }: SimMarket): Rule {
  const { asset, event, description, spanStartMs, endDateMs } = definition;
  const plain = { description, resolutionSource: event.resolutionSource };
  if (options.profile.unstatedSettlement === null || asset === null) return plain;
  const pair = `${asset}/USDT`;
  if (event.series?.recurrence === '15m') {
    return {
      description: `${description} The average of the last minute of the ${asset}/USD stream counts at both ends.`,
      resolutionSource: `https://data.chain.link/streams/${asset.toLowerCase()}-usd`,
    };
  }
  if (spanStartMs !== null && endDateMs - spanStartMs <= 3_600_000) {
    const rule = `Resolves to "Up" when the ${pair} 1 hour candle of Binance in the title closes at or above its open.`;
    return { description: rule, resolutionSource: binanceUrl(asset) };
  }
  const candle = `the "Close" of the Binance 1 minute candle for ${pair} at 12:00 in the ET timezone (noon)`;
  return spanStartMs === null
    ? { description: `Resolves to "Yes" when ${candle} is above the price in the title.`, resolutionSource: null }
    : {
        description: `Resolves to "Up" when ${candle} is at or above that of the day before.`,
        resolutionSource: binanceUrl(asset),
      };
}

/** Return an event without its markets. */
export function gammaEvent(venue: SimVenue, market: SimMarket): Json {
  const { event, endDateMs, isNegRisk } = market.definition;
  const { resolutionSource } = ruleOf(venue, market);
  const fixture = event.gameSlug === null ? undefined : venue.fixture(event.gameSlug);
  return {
    id: event.id,
    ticker: event.slug,
    slug: event.slug,
    title: event.title,
    ...(resolutionSource === null ? {} : { resolutionSource }),
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
  const yesPricePips = market.shownPricePips();
  return {
    outcomePrices: JSON.stringify([formatPrice(yesPricePips), formatPrice(10_000n - yesPricePips)]),
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
    ...(gameStartMs === null
      ? {}
      : { gameStartTime: blankInstant(gameStartMs), secondsDelay: 3, clearBookOnStart: true }),
    ...(sportsMarketType === null ? {} : { sportsMarketType }),
    ...(line === null ? {} : { line }),
  };
}

/** Version of a market's contracts and its ids there. A condition of the second version has 31 bytes. */
function contractFields({ definition, effects }: SimMarket, nowMs: number): Json {
  const { conditionId, tokenIds, version } = definition;
  const shortId = conditionId.slice(0, 64);
  if (version === 'v2') return { conditionId: shortId, version, positionIds: tokenIds.map(String) };
  if (!effects.isMovedAt(nowMs)) return { conditionId, version, clobTokenIds: JSON.stringify(tokenIds.map(String)) };
  return { conditionId: shortId, version: 'v2', positionIds: ['00', '01'].map((end) => String(BigInt(shortId + end))) };
}

/** Return one market in the catalogue's format: lists inside strings, odd instants, many optional fields. */
export function gammaMarket(venue: SimVenue, market: SimMarket): Json {
  const { definition, stage } = market;
  const uma = umaStatuses[stage];
  const { description, resolutionSource } = ruleOf(venue, market);
  return {
    id: definition.id,
    question: definition.question,
    ...contractFields(market, venue.nowMs),
    slug: definition.slug,
    ...(resolutionSource === null ? {} : { resolutionSource }),
    endDate: isoInstant(definition.endDateMs),
    startDate: isoInstant(definition.listedMs),
    description,
    outcomes: JSON.stringify(definition.outcomes),
    ...priceFields(market),
    ...figureFields(market),
    active: true,
    closed: stage === 'resolved',
    archived: false,
    ...(definition.groupItemTitle === null ? {} : { groupItemTitle: definition.groupItemTitle }),
    questionID: definition.questionId,
    marketMakerAddress: '',
    enableOrderBook: true,
    orderPriceMinTickSize: price(market.tickPricePips),
    orderMinSize: 5,
    acceptingOrders: stage === 'trading' && market.isListed,
    // Most records have the field; some omit it when false.
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
