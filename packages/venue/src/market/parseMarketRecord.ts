import { type MarketCategory, policyDefaults, type Sport } from '@core/policy';
import type { PricePips } from '@core/pricing';
import type { GameState, ResolutionStatus, VenueMarket } from '../port/venueMarket.ts';
import type { Hex } from '../port/venueOrder.ts';
import { type CatalogueEvent, type CatalogueRecord, catalogueRecordSchema } from '../schema/catalogue.ts';
import { toLevelPricePips, toPricePips, toPricePipsDown, toTokenUnits, toUsdPipsDown } from '../text/decimal.ts';
import { instantMsOf } from '../text/instant.ts';
import { cryptoAssetOf, defaultCryptoAssets } from './cryptoAsset.ts';
import { cryptoCadenceOf } from './cryptoCadence.ts';
import { sportOf } from './sport.ts';
import { sportLineOf } from './sportLine.ts';
import { venueFeeScheduleOf } from './venueFee.ts';

export interface ParseOptions {
  /** Assets with a reference price → words that name them; default BTC, ETH, SOL and XRP. */
  readonly cryptoAssets?: Readonly<Record<string, readonly string[]>>;
}

/** A record is either read whole or not listed at all, with the reason why. */
export type ParsedRecord =
  | { readonly kind: 'market'; readonly market: VenueMarket }
  | { readonly kind: 'unreadable'; readonly slug: string | null; readonly reason: string };

const bytes32Pattern = /^0x[0-9a-fA-F]{64}$/;
const tokenIdPattern = /^[1-9]\d{0,77}$/;
const uint256Limit = 2n ** 256n;

const bytes32Of = (text: string | null | undefined): Hex | null =>
  bytes32Pattern.test(text ?? '') ? (text?.toLowerCase() as Hex) : null;

/**
 * The venue's status codes; the list field keeps the history, of which the last code counts when the single is absent.
 */
const resolutionStatusOf = (record: CatalogueRecord): ResolutionStatus => {
  const code = (record.umaResolutionStatus || record.umaResolutionStatuses?.at(-1) || 'none').toLowerCase();
  const known = ['requested', 'proposed', 'disputed', 'resolved', 'settled'] as const;
  return known.find((status) => status === code) ?? 'none';
};

const tokenIdsOf = (record: CatalogueRecord): VenueMarket['tokenIds'] => {
  const [yes, no, ...rest] = record.clobTokenIds ?? [];
  const isTokenId = (text: string | undefined): text is string =>
    tokenIdPattern.test(text ?? '') && BigInt(text ?? 0) < uint256Limit;
  return isTokenId(yes) && isTokenId(no) && yes !== no && rest.length === 0 ? { yes, no } : null;
};

const gameOf = (event: CatalogueEvent | undefined): GameState | null => {
  const fields = [event?.score, event?.elapsed, event?.period, event?.gameStatus, event?.live, event?.ended];
  return event === undefined || fields.every((field) => field === null || field === undefined)
    ? null
    : {
        isLive: event.live === true,
        isEnded: event.ended === true,
        score: event.score || null,
        elapsed: event.elapsed || null,
        period: event.period || null,
        gameStatus: event.gameStatus || null,
      };
};

const outcomePricesOf = (record: CatalogueRecord): readonly [PricePips, PricePips] | null => {
  const [yes, no] = (record.outcomePrices ?? []).map(toPricePipsDown);
  // A price of zero is a price: quantities are compared with null, never taken for true or false.
  return yes === undefined || yes === null || no === undefined || no === null ? null : [yes, no];
};

/**
 * A sport game carries a market type, a start or a score; a crypto market names its asset; the rest is not traded here.
 */
const categoryOf = (isGame: boolean, cryptoAsset: string | null): MarketCategory => {
  if (isGame) {
    return 'sport';
  }
  return cryptoAsset === null ? 'unsupported' : 'crypto';
};

/** A record that does not say counts as neg-risk when it names a neg-risk market. */
const isNegRiskOf = (record: CatalogueRecord): boolean => record.negRisk ?? (record.negRiskMarketID ?? '') !== '';

/** A flag that is absent counts as the safe answer: neither active nor open nor accepting orders. */
const flagsOf = (record: CatalogueRecord) => ({
  isActive: record.active === true,
  isClosed: record.closed !== false,
  isArchived: record.archived === true,
  isAcceptingOrders: record.acceptingOrders === true,
  hasOrderBook: record.enableOrderBook === true,
  isNegRisk: isNegRiskOf(record),
});

const figuresOf = (record: CatalogueRecord) => ({
  volume24hUsdPips: toUsdPipsDown(record.volume24hr ?? ''),
  openInterestUsdPips: toUsdPipsDown(record.openInterest ?? ''),
  liquidityUsdPips: toUsdPipsDown(record.liquidityNum ?? ''),
  // The catalogue writes an empty side as 0 or 1.
  bestBidPricePips: toLevelPricePips(record.bestBid ?? ''),
  bestAskPricePips: toLevelPricePips(record.bestAsk ?? ''),
  lastTradePricePips: toPricePips(record.lastTradePrice ?? ''),
  outcomePricePips: outcomePricesOf(record),
});

/** When the market is over: its end date; for a game its start + typical length when that is later or all there is. */
const closeTimeMsOf = (endMs: number | null, gameStartMs: number | null, lengthMs: number | null): number | null => {
  const gameEndMs = gameStartMs === null || lengthMs === null ? null : gameStartMs + lengthMs;
  return endMs === null || gameEndMs === null ? (endMs ?? gameEndMs) : Math.max(endMs, gameEndMs);
};

const typicalLengthMsOf = (sport: Sport): number => policyDefaults.sport.rows[sport].typicalLengthSeconds * 1000;

/** What the market is about: exactly one of game, underlying or nothing this service trades. */
const subjectOf = (record: CatalogueRecord, options: ParseOptions) => {
  const event = record.events?.[0];
  const seriesSlug = event?.series?.[0]?.slug ?? null;
  const outcomes: readonly [string, string] = [record.outcomes?.[0] ?? 'Yes', record.outcomes?.[1] ?? 'No'];
  const game = gameOf(event);
  const gameStartTimeMs = instantMsOf(record.gameStartTime);
  const spanStartTimeMs = instantMsOf(record.eventStartTime);
  const endMs = instantMsOf(record.endDate);
  const sportsMarketType = record.sportsMarketType || null;
  const isGame = sportsMarketType !== null || gameStartTimeMs !== null || game !== null;
  const sport = isGame ? sportOf({ slug: record.slug, seriesSlug, eventSlug: event?.slug ?? null }) : null;
  const cryptoAsset = isGame
    ? null
    : cryptoAssetOf([seriesSlug, record.slug, record.resolutionSource], options.cryptoAssets ?? defaultCryptoAssets);
  const typicalLengthMs = sport === null ? null : typicalLengthMsOf(sport);
  const names = [seriesSlug, record.slug];
  return {
    category: categoryOf(isGame, cryptoAsset),
    cryptoAsset,
    cryptoCadence: cryptoAsset === null ? null : cryptoCadenceOf({ spanStartMs: spanStartTimeMs, endMs, names }),
    sport,
    sportLine: isGame ? sportLineOf({ sportsMarketType, outcomes, isNegRisk: isNegRiskOf(record) }) : null,
    sportsMarketType,
    outcomes,
    closeTimeMs: closeTimeMsOf(endMs, gameStartTimeMs, typicalLengthMs),
    spanStartTimeMs,
    gameStartTimeMs,
    typicalLengthMs,
    game,
  };
};

const marketOf = (record: CatalogueRecord, options: ParseOptions, grid: Grid): VenueMarket => {
  const event = record.events?.[0];
  const series = event?.series?.[0];
  const subject = subjectOf(record, options);
  return {
    ticker: record.slug,
    recordId: record.id ?? record.slug,
    title: record.question || record.slug,
    yesSubTitle: record.groupItemTitle || subject.outcomes[0],
    conditionId: bytes32Of(record.conditionId),
    questionId: bytes32Of(record.questionID),
    event: event === undefined ? null : { slug: event.slug, title: event.title ?? event.slug },
    series: series === undefined ? null : { slug: series.slug, title: series.title ?? series.slug },
    tokenIds: tokenIdsOf(record),
    closedTimeMs: instantMsOf(record.closedTime),
    venueFeeSchedule: venueFeeScheduleOf(record),
    resolutionStatus: resolutionStatusOf(record),
    ...subject,
    ...grid,
    ...flagsOf(record),
    ...figuresOf(record),
  };
};

type Grid = Pick<VenueMarket, 'tickPricePips' | 'minOrderTokenUnits'>;

/** Defaults of the venue for a record that leaves its grid out. */
const defaultTick = '0.01';
const defaultMinOrderSize = '5';

/** The grid orders must keep to, or null when the record's cannot be read exactly: such a market cannot be traded. */
const gridOf = (record: CatalogueRecord): Grid | null => {
  const tickPricePips = toPricePips(record.orderPriceMinTickSize ?? defaultTick);
  const minOrderTokenUnits = toTokenUnits(record.orderMinSize ?? defaultMinOrderSize);
  const isUsable = tickPricePips !== null && minOrderTokenUnits !== null && toPricePips('0') !== tickPricePips;
  return isUsable ? { tickPricePips, minOrderTokenUnits } : null;
};

const slugOf = (record: unknown): string | null =>
  typeof record === 'object' && record !== null && 'slug' in record && typeof record.slug === 'string'
    ? record.slug
    : null;

/**
 * Reads one catalogue record. Never throws: a record that cannot be read safely comes back as `unreadable`. Index 0 of
 * the outcomes is YES whatever its name. Amounts are exact; volumes and midpoints the venue computed are rounded down.
 */
export function parseMarketRecord(record: unknown, options: ParseOptions = {}): ParsedRecord {
  const parsed = catalogueRecordSchema.safeParse(record);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      kind: 'unreadable',
      slug: slugOf(record),
      reason: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
    };
  }
  const outcomeCount = parsed.data.outcomes?.length ?? 2;
  if (outcomeCount !== 2) {
    return { kind: 'unreadable', slug: parsed.data.slug, reason: `has ${outcomeCount} outcomes` };
  }
  const grid = gridOf(parsed.data);
  if (grid === null) {
    return { kind: 'unreadable', slug: parsed.data.slug, reason: 'tick or minimum size cannot be read' };
  }
  return { kind: 'market', market: marketOf(parsed.data, options, grid) };
}
