import { type Asset, assets } from '../world/assets.ts';
import type { SpotWorld } from '../world/spotWorld.ts';
import { easternNoonAfter, easternNoonBefore, easternTimeOf } from './easternTime.ts';
import { averagedFairSource, spotFairSource } from './fairSource.ts';
import type { FeeSchedule, MarketDraft, SeriesDefinition } from './marketDefinition.ts';

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const hourMs = 60 * minuteMs;

/** The venue's published schedule of crypto markets. */
const cryptoFees: FeeSchedule = { ratePpm: 70_000n, exponent: 1n };

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

const series = (slug: string, title: string, recurrence: string): SeriesDefinition => ({
  id: `s-${slug}`,
  slug,
  title,
  recurrence,
});

/** Fields shared by all crypto markets. */
function cryptoDraft(asset: Asset, endMs: number) {
  return {
    category: 'crypto',
    asset: asset.symbol,
    sport: null,
    sportsMarketType: null,
    line: null,
    gameStartMs: null,
    endDateMs: endMs,
    tradingEndMs: endMs,
    isNegRisk: false,
    tickPricePips: 100n,
    areFeesEnabled: true,
    feeSchedule: cryptoFees,
  } as const;
}

const liquidity = (asset: Asset): number => ({ BTC: 1, ETH: 0.7, SOL: 0.45, XRP: 0.35 })[asset.symbol];

interface UpDownKind {
  readonly recurrence: '15m' | 'hourly' | 'daily';
  /** Recurrence in series titles. */
  readonly seriesTitle: string;
  readonly slug: (asset: Asset, span: Span) => string;
  readonly when: (span: Span) => string;
  readonly usdPerCent: number;
  readonly volumeUsd: number;
  readonly hasFineTick: boolean;
}

const clockText = (atMs: number, withMinutes: boolean): string => {
  const { hour, minute, half } = easternTimeOf(atMs);
  return `${hour}${withMinutes ? `:${minute}` : ''}${half}`;
};

const dayText = (atMs: number): string => {
  const { month, day } = easternTimeOf(atMs);
  return `${month} ${day}`;
};

const daySlug = (atMs: number): string => dayText(atMs).toLowerCase().replace(' ', '-');

const upDownKinds: readonly UpDownKind[] = [
  {
    recurrence: '15m',
    seriesTitle: '15m',
    slug: (asset, span) => `${asset.symbol.toLowerCase()}-updown-15m-${span.startMs / 1000}`,
    when: (span) => ` - ${dayText(span.startMs)}, ${clockText(span.startMs, true)}-${clockText(span.endMs, true)} ET`,
    usdPerCent: 900,
    volumeUsd: 42_000,
    hasFineTick: false,
  },
  {
    recurrence: 'hourly',
    seriesTitle: 'Hourly',
    slug: (asset, span) =>
      `${asset.slugName}-up-or-down-${daySlug(span.startMs)}-${clockText(span.startMs, false).toLowerCase()}-et`,
    when: (span) => ` - ${dayText(span.startMs)}, ${clockText(span.startMs, false)} ET`,
    usdPerCent: 1_600,
    volumeUsd: 95_000,
    hasFineTick: false,
  },
  {
    recurrence: 'daily',
    seriesTitle: 'Daily',
    slug: (asset, span) => `${asset.slugName}-up-or-down-on-${daySlug(span.endMs)}`,
    when: (span) => ` on ${dayText(span.endMs)}?`,
    usdPerCent: 3_000,
    volumeUsd: 640_000,
    hasFineTick: true,
  },
];

interface UpDownSpan {
  readonly kind: UpDownKind;
  readonly span: Span;
  readonly areEndsAveraged: boolean;
}

function upDownDraft(world: SpotWorld, asset: Asset, { kind, span, areEndsAveraged }: UpDownSpan): MarketDraft {
  const slug = kind.slug(asset, span);
  const question = `${asset.title} Up or Down${kind.when(span)}`;
  const ticker = asset.symbol.toLowerCase();
  const seriesTitle = `${asset.symbol} Up or Down ${kind.seriesTitle}`;
  return {
    ...cryptoDraft(asset, span.endMs),
    slug,
    question,
    description:
      `Resolves to "Up" when the ${asset.title} price at the end of the time range in the title is greater than or ` +
      'equal to the price at its beginning, otherwise to "Down".',
    groupItemTitle: null,
    outcomes: ['Up', 'Down'],
    event: {
      id: `e-${slug}`,
      slug,
      title: question,
      series: series(`${ticker}-up-or-down-${kind.recurrence}`, seriesTitle, kind.recurrence),
      resolutionSource: `reference spot ${asset.symbol}/USD`,
      gameSlug: null,
    },
    spanStartMs: span.startMs,
    hasFineTick: kind.hasFineTick,
    depthUsdPerCent: kind.usdPerCent * liquidity(asset),
    volume24hUsd: Math.round(kind.volumeUsd * liquidity(asset)),
    fairSource:
      areEndsAveraged && kind.recurrence === '15m'
        ? averagedFairSource({ world, symbol: asset.symbol, ...span })
        : spotFairSource({ world, symbol: asset.symbol, endMs: span.endMs, strike: { atMs: span.startMs } }),
  };
}

/** Distances of the default strikes from the spot at the start of the day, in strike steps. */
const usualStrikes: Readonly<Record<Asset['symbol'], readonly number[]>> = {
  BTC: [-3, 0, 3],
  ETH: [-3, 2],
  SOL: [-2],
  XRP: [2],
};

interface Strike {
  readonly usd: number;
  /** Price in slugs, with a decimal point. */
  readonly text: string;
  /** Fees of a strike. Default SOL strikes have none, XRP strikes have fees without a schedule, like real records. */
  readonly fees: Pick<MarketDraft, 'areFeesEnabled' | 'feeSchedule'>;
}

const usualFees = { areFeesEnabled: true, feeSchedule: cryptoFees };
const feesOfUsual: Readonly<Record<Asset['symbol'], Strike['fees']>> = {
  BTC: usualFees,
  ETH: usualFees,
  SOL: { areFeesEnabled: false, feeSchedule: null },
  XRP: { areFeesEnabled: true, feeSchedule: null },
};

/** Span of the strikes of a long list, in standard deviations of a day's return. */
const listedDeviations = 6;
/** Round fractions of the default distance. */
const fractions = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] as const;

/** Return the distance of adjacent strikes in dollars, so that the list spans a day's price range. */
function strikeStepOf(world: SpotWorld, asset: Asset, { spotUsd, count }: { spotUsd: number; count: number }): number {
  const deviation = world.volatilityPerSecond(asset.symbol) * Math.sqrt((24 * hourMs) / 1_000);
  const widestUsd = (listedDeviations * deviation * spotUsd) / count;
  const fraction = fractions.find((each) => asset.strikeStepUsd / each <= widestUsd) ?? 1_000;
  return asset.strikeStepUsd / fraction;
}

/** Return the default strikes, then further ones from the spot outwards up to the requested number. */
function strikesOf(world: SpotWorld, asset: Asset, { spotUsd, count }: { spotUsd: number; count: number }): Strike[] {
  const textOf = (usd: number, stepUsd: number): string => usd.toFixed(Math.max(0, -Math.floor(Math.log10(stepUsd))));
  const usual = usualStrikes[asset.symbol].map((steps) => {
    const usd = (Math.round(spotUsd / asset.strikeStepUsd) + steps) * asset.strikeStepUsd;
    return { usd, text: textOf(usd, asset.strikeStepUsd), fees: feesOfUsual[asset.symbol] };
  });
  const stepUsd = strikeStepOf(world, asset, { spotUsd, count });
  const middle = Math.round(spotUsd / stepUsd);
  const strikes = new Map(usual.map((strike) => [textOf(strike.usd, stepUsd), strike]));
  for (let steps = 0; strikes.size < count; steps = steps > 0 ? -steps : 1 - steps) {
    const usd = (middle + steps) * stepUsd;
    const text = textOf(usd, stepUsd);
    if (!strikes.has(text)) strikes.set(text, { usd, text, fees: usualFees });
  }
  return [...strikes.values()];
}

interface StrikeDay {
  readonly span: Span;
  readonly count: number;
}

function strikeDrafts(world: SpotWorld, asset: Asset, { span, count }: StrikeDay): MarketDraft[] {
  const spotUsd = world.priceUsdAt(asset.symbol, span.startMs);
  if (spotUsd === null) return [];
  const day = dayText(span.endMs);
  const eventSlug = `${asset.slugName}-above-on-${daySlug(span.endMs)}`;
  return strikesOf(world, asset, { spotUsd, count }).map(({ usd: strikeUsd, text, fees }) => {
    const strikeText = strikeUsd.toLocaleString('en-US', { minimumFractionDigits: text.split('.')[1]?.length ?? 0 });
    return {
      ...cryptoDraft(asset, span.endMs),
      ...fees,
      slug: `${asset.slugName}-above-${text.replace('.', 'pt')}-on-${daySlug(span.endMs)}`,
      question: `Will the price of ${asset.title} be above $${strikeText} on ${day}?`,
      description:
        `Resolves to "Yes" when the reference price of ${asset.title} is at or above the price in the title at noon ` +
        'ET, otherwise to "No".',
      groupItemTitle: strikeText,
      outcomes: ['Yes', 'No'],
      event: {
        id: `e-${eventSlug}`,
        slug: eventSlug,
        title: `${asset.title} above ___ on ${day}?`,
        series: series(`${asset.slugName}-multi-strikes-daily`, `${asset.title} Multi Strikes Daily`, 'daily'),
        resolutionSource: null,
        gameSlug: null,
      },
      spanStartMs: null,
      hasFineTick: true,
      depthUsdPerCent: 1_400 * liquidity(asset),
      volume24hUsd: Math.round(78_000 * liquidity(asset)),
      fairSource: spotFairSource({ world, symbol: asset.symbol, endMs: span.endMs, strike: { usd: strikeUsd } }),
    };
  });
}

const spanFrom = (startMs: number, lengthMs: number): Span => ({ startMs, endMs: startMs + lengthMs });

/** Return the spans that a kind lists at an instant: the running one and the next. */
function spansOf(recurrence: UpDownKind['recurrence'], nowMs: number): readonly Span[] {
  if (recurrence === 'daily') {
    const startMs = easternNoonBefore(nowMs);
    const endMs = easternNoonAfter(startMs);
    return [
      { startMs, endMs },
      { startMs: endMs, endMs: easternNoonAfter(endMs) },
    ];
  }
  const lengthMs = recurrence === '15m' ? quarterMs : hourMs;
  const startMs = Math.floor(nowMs / lengthMs) * lengthMs;
  return [spanFrom(startMs, lengthMs), spanFrom(startMs + lengthMs, lengthMs)];
}

/**
 * Return every crypto market due at an instant, listed or not.
 *
 * @param rules.strikesPerAsset Minimum number of strikes of an asset's day; the usual ones are always among them.
 * @param rules.areEndsAveraged True when short markets compare averages of a minute instead of prices.
 */
export function cryptoDraftsAt(
  world: SpotWorld,
  nowMs: number,
  { strikesPerAsset, areEndsAveraged = false }: { strikesPerAsset: number; areEndsAveraged?: boolean },
): MarketDraft[] {
  const drafts: MarketDraft[] = [];
  for (const asset of assets) {
    for (const kind of upDownKinds) {
      for (const span of spansOf(kind.recurrence, nowMs))
        drafts.push(upDownDraft(world, asset, { kind, span, areEndsAveraged }));
    }
    const [today] = spansOf('daily', nowMs);
    if (today !== undefined) drafts.push(...strikeDrafts(world, asset, { span: today, count: strikesPerAsset }));
  }
  return drafts;
}

/** Return the next instant at which the list of crypto markets changes. */
export const nextCryptoListingMs = (nowMs: number): number => (Math.floor(nowMs / quarterMs) + 1) * quarterMs;
