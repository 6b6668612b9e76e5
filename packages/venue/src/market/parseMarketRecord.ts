import {
  type CryptoSettlement,
  type GameState,
  type MarketCategory,
  type MarketVersion,
  marketProtocols,
  marketVersions,
  type ResolutionStatus,
  resolutionStatuses,
  typicalGameSeconds,
  type VenueMarket,
} from '@core/market';
import { type Hex, lowerHex } from '@core/position';
import type { PricePips } from '@core/pricing';
import type { RecordProblem, UnreadableRecord } from '../port/venueClient.ts';
import { type CatalogueEvent, type CatalogueRecord, catalogueRecordSchema } from '../schema/catalogue.ts';
import { cleanLinesOf, cleanTextOf, limitedTextOf, withCleanTexts } from '../text/cleanText.ts';
import { toLevelPricePips, toPricePips, toPricePipsDown, toTokenUnits, toUsdPipsDown } from '../text/decimal.ts';
import { instantMsOf } from '../text/instant.ts';
import { cryptoAssetOf, defaultCryptoAssets } from './cryptoAsset.ts';
import { cryptoCadenceOf } from './cryptoCadence.ts';
import { cryptoSettlementOf } from './cryptoSettlement.ts';
import { sportOf } from './sport.ts';
import { sportLineOf } from './sportLine.ts';
import { venueFeeScheduleOf } from './venueFee.ts';

export interface ParseOptions {
  /** Assets with a reference price → words that name them; default BTC, ETH, SOL and XRP. */
  readonly cryptoAssets?: Readonly<Record<string, readonly string[]>>;
  /** Rule of crypto markets whose texts state none that is known; null, which no gate judges, by default. */
  readonly unstatedSettlement?: 'unknown' | null;
}

/** Parsed record: read whole, or refused with the reason. */
export type ParsedRecord =
  | { readonly kind: 'market'; readonly market: VenueMarket }
  | ({ readonly kind: 'unreadable' } & UnreadableRecord);

const bytes32Pattern = /^0x[0-9a-fA-F]{64}$/;
const tokenIdPattern = /^[1-9]\d{0,77}$/;
const uint256Limit = 2n ** 256n;

const isBytes32 = (text: string): text is Hex => bytes32Pattern.test(text);
const bytes32Of = (text: string | null | undefined): Hex | null =>
  typeof text === 'string' && isBytes32(text) ? lowerHex(text) : null;

/** Return the condition id in 32 bytes. The venue writes one of 31 bytes with or without its padding. */
const conditionIdOf = (record: CatalogueRecord, version: MarketVersion): Hex | null => {
  const { conditionIdBytes } = marketProtocols[version];
  const text = record.conditionId ?? '';
  const isShort = text.length === 2 + 2 * conditionIdBytes;
  const padded = bytes32Of(isShort ? text.padEnd(66, '0') : text);
  return padded === null || padded.slice(2 + 2 * conditionIdBytes) !== '0'.repeat(64 - 2 * conditionIdBytes)
    ? null
    : padded;
};

/**
 * The venue's status codes; the list field keeps the history, of which the last code counts when the single is absent.
 */
const resolutionStatusOf = (record: CatalogueRecord): ResolutionStatus => {
  const code = (record.umaResolutionStatus || record.umaResolutionStatuses?.at(-1) || 'none').toLowerCase();
  return resolutionStatuses.find((status) => status === code) ?? 'none';
};

const tokenIdsOf = (record: CatalogueRecord, version: MarketVersion): VenueMarket['tokenIds'] => {
  // A market of the first version may be a leg of combinations and then has position ids too.
  const [yes, no, ...rest] = record[marketProtocols[version].tokenIdField] ?? [];
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
  // A price of zero is a price: quantities are compared with null, never read as booleans.
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

/** Return the end of the market: its end date; for a game the later of that and its start + typical length. */
const closeTimeMsOf = (endMs: number | null, gameStartMs: number | null, lengthMs: number | null): number | null => {
  const gameEndMs = gameStartMs === null || lengthMs === null ? null : gameStartMs + lengthMs;
  return endMs === null || gameEndMs === null ? (endMs ?? gameEndMs) : Math.max(endMs, gameEndMs);
};

/** Largest numbers of characters of texts of the venue. */
const maxLengths = { name: 120, rules: 10_000, resolutionSource: 500 } as const;

const isPlain = ([yes, no]: readonly [string, string]): boolean =>
  yes.toLowerCase() === 'yes' && no.toLowerCase() === 'no';

const outcomesOf = ({ outcomes }: CatalogueRecord): readonly [string, string] => [
  limitedTextOf(outcomes?.[0] || 'Yes', maxLengths.name),
  limitedTextOf(outcomes?.[1] || 'No', maxLengths.name),
];

/** Return the meaning of YES: the name of its outcome, or for a plain Yes the title among the markets of the event. */
const yesSubTitleOf = ({ groupItemTitle }: CatalogueRecord, outcomes: readonly [string, string]): string =>
  isPlain(outcomes) ? limitedTextOf(groupItemTitle || outcomes[0], maxLengths.name) : outcomes[0];

const sourceOf = ({ resolutionSource, events }: CatalogueRecord): string =>
  resolutionSource || events?.[0]?.resolutionSource || '';

/** Return the rules and the source of the resolution. The rules keep their line breaks. */
const resolutionOf = (record: CatalogueRecord): Pick<VenueMarket, 'rules' | 'resolutionSource'> => ({
  rules: limitedTextOf(cleanLinesOf(record.description ?? '').trim(), maxLengths.rules) || null,
  resolutionSource: limitedTextOf(cleanTextOf(sourceOf(record)).trim(), maxLengths.resolutionSource) || null,
});

function settlementOf(
  record: CatalogueRecord,
  outcomes: readonly [string, string],
  { unstatedSettlement = null }: ParseOptions,
): CryptoSettlement | null {
  const { description } = record;
  const stated = cryptoSettlementOf({
    resolutionSource: sourceOf(record),
    description: description ?? '',
    outcomes,
  });
  return stated === 'unknown' ? unstatedSettlement : stated;
}

/** Return the subject of the market: a game, an underlying, or nothing this service trades. */
const subjectOf = (record: CatalogueRecord, options: ParseOptions) => {
  const event = record.events?.[0];
  const seriesSlug = event?.series?.[0]?.slug ?? null;
  const outcomes = outcomesOf(record);
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
  const typicalLengthMs = sport === null ? null : typicalGameSeconds[sport] * 1000;
  const names = [seriesSlug, record.slug];
  return {
    category: categoryOf(isGame, cryptoAsset),
    cryptoAsset,
    cryptoCadence: cryptoAsset === null ? null : cryptoCadenceOf({ spanStartMs: spanStartTimeMs, endMs, names }),
    cryptoSettlement: cryptoAsset === null ? null : settlementOf(record, outcomes, options),
    sport,
    sportLine: isGame ? sportLineOf({ sportsMarketType, outcomes, isNegRisk: isNegRiskOf(record) }) : null,
    sportsMarketType,
    outcomes,
    closeTimeMs: closeTimeMsOf(endMs, gameStartTimeMs, typicalLengthMs),
    spanStartTimeMs,
    gameStartTimeMs,
    typicalLengthMs,
    gameId: isGame ? record.gameId || event?.gameId || null : null,
    game,
  };
};

const marketOf = (
  record: CatalogueRecord,
  options: ParseOptions,
  terms: TradingTerms,
): Omit<VenueMarket, 'rules' | 'resolutionSource'> => {
  const event = record.events?.[0];
  const series = event?.series?.[0];
  const subject = subjectOf(record, options);
  return {
    ticker: record.slug,
    recordId: record.id ?? record.slug,
    title: record.question || record.slug,
    yesSubTitle: yesSubTitleOf(record, subject.outcomes),
    conditionId: conditionIdOf(record, terms.version),
    questionId: bytes32Of(record.questionID),
    event: event === undefined ? null : { slug: event.slug, title: event.title ?? event.slug },
    series: series === undefined ? null : { slug: series.slug, title: series.title ?? series.slug },
    tokenIds: tokenIdsOf(record, terms.version),
    closedTimeMs: instantMsOf(record.closedTime),
    venueFeeSchedule: venueFeeScheduleOf(record),
    resolutionStatus: resolutionStatusOf(record),
    ...subject,
    ...terms,
    ...flagsOf(record),
    ...figuresOf(record),
  };
};

type Grid = Pick<VenueMarket, 'tickPricePips' | 'minOrderTokenUnits'>;
/** Fields without which no order can be built. */
type TradingTerms = Grid & Pick<VenueMarket, 'version'>;

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

const cleanSlugOf = (record: unknown): string | null =>
  typeof record === 'object' && record !== null && 'slug' in record && typeof record.slug === 'string'
    ? cleanTextOf(record.slug)
    : null;

/**
 * Return the version of the record; null where it is missing or unknown.
 * See packages/market/DECISIONS.md#the-version-of-a-record-decides-its-exchange-and-ids.
 */
const versionOf = (record: CatalogueRecord): MarketVersion | null =>
  marketVersions.find((version) => version === record.version) ?? null;

const unreadable = (slug: string | null, problem: RecordProblem, reason: string): ParsedRecord => ({
  kind: 'unreadable',
  slug,
  problem,
  reason,
});

/**
 * Read one catalogue record. Never throws: a record that cannot be read safely comes back as `unreadable`. Index 0 of
 * the outcomes is YES whatever its name. Texts are well-formed and without control characters. Amounts are exact;
 * volumes and midpoints of the venue are rounded down.
 */
export function parseMarketRecord(record: unknown, options: ParseOptions = {}): ParsedRecord {
  const parsed = catalogueRecordSchema.safeParse(record);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const reason = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
    return unreadable(cleanSlugOf(record), 'malformed', reason);
  }
  const { slug, outcomes } = parsed.data;
  // A cleaned slug could be another market's.
  if (cleanTextOf(slug) !== slug) {
    return unreadable(cleanTextOf(slug), 'malformed', 'slug: has characters that no slug has');
  }
  const version = versionOf(parsed.data);
  if (version === null) {
    return (parsed.data.version ?? '') === ''
      ? unreadable(slug, 'version_missing', 'has no version')
      : unreadable(slug, 'version_unknown', `version ${cleanTextOf(parsed.data.version ?? '')} is unknown`);
  }
  const outcomeCount = outcomes?.length ?? 2;
  if (outcomeCount !== 2) return unreadable(slug, 'not_binary', `has ${outcomeCount} outcomes`);
  const grid = gridOf(parsed.data);
  if (grid === null) return unreadable(slug, 'grid_unreadable', 'tick or minimum size cannot be read');
  const market = withCleanTexts(marketOf(parsed.data, options, { ...grid, version }));
  return { kind: 'market', market: { ...market, ...resolutionOf(parsed.data) } };
}
