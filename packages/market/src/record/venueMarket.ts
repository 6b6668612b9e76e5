import type { Hex } from '@core/position';
import type { PricePips, TokenUnits, UsdPips } from '@core/pricing';
import { z } from 'zod';
import { cryptoCadences, cryptoSettlements, marketCategories, sportLines, sports } from '../subject.ts';
import { marketVersions } from './protocol.ts';

/** States of the venue's oracle. Settlement itself trusts only the payout vector on chain. */
export const resolutionStatuses = ['none', 'requested', 'proposed', 'disputed', 'resolved', 'settled'] as const;
export type ResolutionStatus = (typeof resolutionStatuses)[number];

const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]*$/.test(value));
const pricePips = z.custom<PricePips>((value) => typeof value === 'bigint');
const tokenUnits = z.custom<TokenUnits>((value) => typeof value === 'bigint');
const usdPips = z.custom<UsdPips>((value) => typeof value === 'bigint');
const instant = z.number();
const named = z.object({ slug: z.string(), title: z.string() }).readonly();

const gameState = z
  .object({
    isLive: z.boolean(),
    isEnded: z.boolean(),
    score: z.string().nullable(),
    elapsed: z.string().nullable(),
    period: z.string().nullable(),
    gameStatus: z.string().nullable(),
  })
  .readonly();

/** State of a game as the catalogue's event carries it; every field may be missing upstream. */
export type GameState = z.output<typeof gameState>;

/**
 * One catalogue record in the service's own types, as the JSON column of a stored market holds it. Token ids are
 * decimal strings, instants are epoch milliseconds.
 */
export const venueMarketSchema = z
  .object({
    /** The venue's slug, unique; the service's ticker. */
    ticker: z.string(),
    /** Protocol of the market: its ledger, exchange and identifiers follow from it. */
    version: z.enum(marketVersions),
    /** The venue's own record id. */
    recordId: z.string(),
    title: z.string(),
    /** Meaning of YES. */
    yesSubTitle: z.string().nullable(),
    /** `venue_market_id`, 32 bytes; null when the record lacks a well-formed one. */
    conditionId: hex.nullable(),
    questionId: hex.nullable(),
    event: named.nullable(),
    series: named.nullable(),
    category: z.enum(marketCategories),
    /** `BTC`, `ETH`, …: the underlying of a crypto market, null otherwise. */
    cryptoAsset: z.string().nullable(),
    /** Interval at which a crypto market's series resolves, null outside crypto. */
    cryptoCadence: z.enum(cryptoCadences).nullable(),
    /** Rule that settles a crypto market; null outside crypto, and at a venue whose records state none. */
    cryptoSettlement: z.enum(cryptoSettlements).nullable().default(null),
    /** The sport of a sport market (`other` when unknown), null otherwise. */
    sport: z.enum(sports).nullable(),
    /** The line of a sport market, null otherwise. */
    sportLine: z.enum(sportLines).nullable(),
    /** The venue's own name of the line, null when the record has none. */
    sportsMarketType: z.string().nullable(),
    /** Outcome names in token order; index 0 is YES whatever its name. */
    outcomes: z.tuple([z.string(), z.string()]).readonly(),
    /** The venue's text of the rules, with its line breaks; null when the record has none. */
    rules: z.string().nullable().default(null),
    /** The venue's source of the resolution, often a URL; null when the record names none. */
    resolutionSource: z.string().nullable().default(null),
    /** Index 0 of the record is YES, 1 is NO; null when the record carries no usable pair. */
    tokenIds: z.object({ yes: z.string(), no: z.string() }).readonly().nullable(),
    /** End of the market: endDate; sport: game start + typical length when that is later. */
    closeTimeMs: instant.nullable(),
    /** Start of the span the market is about (crypto up/down), where the record names it. */
    spanStartTimeMs: instant.nullable(),
    gameStartTimeMs: instant.nullable(),
    /** Instant at which the venue stopped the market, null while it runs. */
    closedTimeMs: instant.nullable(),
    /** Typical length of a game of this sport, null outside sport. */
    typicalLengthMs: z.number().nullable(),
    /** The venue's id of the game, unique in its league; null outside sport. */
    gameId: z.string().nullable().default(null),
    game: gameState.nullable(),
    /** Null when fees are enabled without a readable schedule: nothing may be priced on it (fail closed). */
    venueFeeSchedule: z.object({ ratePpm: z.bigint(), exponent: z.bigint() }).readonly().nullable(),
    isNegRisk: z.boolean(),
    tickPricePips: pricePips,
    minOrderTokenUnits: tokenUnits,
    isActive: z.boolean(),
    isClosed: z.boolean(),
    isArchived: z.boolean(),
    isAcceptingOrders: z.boolean(),
    hasOrderBook: z.boolean(),
    resolutionStatus: z.enum(resolutionStatuses),
    /** Traded value of the last 24 hours, rounded down; null when the record has none. */
    volume24hUsdPips: usdPips.nullable(),
    openInterestUsdPips: usdPips.nullable(),
    liquidityUsdPips: usdPips.nullable(),
    bestBidPricePips: pricePips.nullable(),
    bestAskPricePips: pricePips.nullable(),
    lastTradePricePips: pricePips.nullable(),
    /** The venue's prices of YES and NO, for display only. */
    outcomePricePips: z.tuple([pricePips, pricePips]).readonly().nullable(),
  })
  .readonly();

/** One catalogue record, read into the service's own types. */
export interface VenueMarket extends z.output<typeof venueMarketSchema> {}
