import type { FairSource } from '../catalogue/fairSource.ts';
import type { FeeSchedule, MarketDraft } from '../catalogue/marketDefinition.ts';
import type { AssetSymbol } from '../world/assets.ts';
import { type RecordedQuote, type RecordedSeries, ReplayRefusal, tickOf } from './parseReplay.ts';

const hourMs = 3_600_000;

export interface ReplaySettings {
  /** Cash a cent of price holds on each side, dollars: the λ of the linear book. */
  readonly usdPerCent: number;
  readonly category: 'crypto' | 'sport' | null;
  readonly asset: AssetSymbol;
  /** League code that opens the slug of a sport market: it names the sport. */
  readonly league: string;
  readonly outcome: 'yes' | 'no' | 'void' | null;
  readonly title: string | null;
  /** Fee instead of the category's default; null for the default. */
  readonly feeRatePpm: bigint | null;
}

/** Return the last quote not after an instant of the replay. */
function quoteAt(quotes: readonly RecordedQuote[], afterMs: number): RecordedQuote | undefined {
  let low = 0;
  let high = quotes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((quotes[middle]?.afterMs ?? 0) <= afterMs) low = middle + 1;
    else high = middle;
  }
  return quotes[Math.max(0, low - 1)];
}

/** Market quoted as recorded. It ends with the record; the last price decides the winner unless one is set. */
function recordedFairSource(
  series: RecordedSeries,
  settings: ReplaySettings,
  times: { readonly startMs: number; readonly endMs: number },
): FairSource {
  const last = series.quotes.at(-1);
  const lastPips = last === undefined ? null : (last.bidPricePips ?? last.askPricePips);
  const winner = settings.outcome ?? ((lastPips ?? 5_000n) >= 5_000n ? 'yes' : 'no');
  return {
    fairAt: (nowMs) => {
      const quote = quoteAt(series.quotes, nowMs - times.startMs);
      return {
        kind: 'recorded',
        bidPricePips: quote?.bidPricePips ?? null,
        askPricePips: quote?.askPricePips ?? null,
        usdPerCent: settings.usdPerCent,
      };
    },
    pastFairAt: () => null,
    outcomeAt: (nowMs) => {
      if (nowMs < times.endMs) return null;
      if (winner === 'void') return 'void';
      return winner === 'yes' ? 0 : 1;
    },
  };
}

/** Return the time from a recorded market's first row to its close: the hour for crypto, the last row for games. */
function lengthMsOf(series: RecordedSeries, category: 'crypto' | 'sport'): number {
  const lastMs = series.firstMs + (series.quotes.at(-1)?.afterMs ?? 0);
  if (category === 'sport') return lastMs - series.firstMs + 60_000;
  return Math.ceil((lastMs + 1) / hourMs) * hourMs - series.firstMs;
}

/**
 * Build a market that replays a recorded series from now on.
 *
 * @param parameters.name Makes the slug unique among replays of one venue.
 */
export function replayDraft(parameters: {
  readonly series: RecordedSeries;
  readonly settings: ReplaySettings;
  readonly nowMs: number;
  readonly name: string;
}): MarketDraft {
  const { series, settings, nowMs, name } = parameters;
  if (series.quotes.length === 0) throw new ReplayRefusal(`market ${series.marketId} has no usable quote`);
  const category = settings.category ?? (series.isUpDown ? 'crypto' : 'sport');
  const isCrypto = category === 'crypto';
  const endMs = nowMs + lengthMsOf(series, category);
  const asset = settings.asset.toLowerCase();
  const slug = isCrypto ? `${asset}-replay-hourly-${name}` : `${settings.league}-replay-${name}`;
  const question = settings.title ?? `Replay of recorded market ${series.marketId}`;
  const usualFees: FeeSchedule = { ratePpm: isCrypto ? 70_000n : 30_000n, exponent: 1n };
  const spanMs = Math.ceil((endMs - nowMs) / hourMs) * hourMs;
  return {
    slug,
    question,
    description: 'A recorded quote series played back from its first row.',
    groupItemTitle: null,
    outcomes: isCrypto ? ['Up', 'Down'] : ['First', 'Second'],
    event: {
      id: `e-${slug}`,
      slug,
      title: question,
      series: isCrypto
        ? { id: 's-replay', slug: `${asset}-replay-hourly`, title: 'Replays', recurrence: 'hourly' }
        : { id: 's-replay', slug: settings.league, title: 'Replays', recurrence: 'daily' },
      resolutionSource: null,
      gameSlug: null,
    },
    category,
    asset: isCrypto ? settings.asset : null,
    sport: null,
    sportsMarketType: isCrypto ? null : 'moneyline',
    line: null,
    spanStartMs: isCrypto ? endMs - spanMs : null,
    gameStartMs: isCrypto ? null : nowMs,
    endDateMs: endMs,
    tradingEndMs: endMs,
    isNegRisk: false,
    tickPricePips: tickOf(series),
    hasFineTick: false,
    areFeesEnabled: true,
    feeSchedule: settings.feeRatePpm === null ? usualFees : { ratePpm: settings.feeRatePpm, exponent: 1n },
    depthUsdPerCent: settings.usdPerCent,
    volume24hUsd: 50_000,
    fairSource: recordedFairSource(series, settings, { startMs: nowMs, endMs }),
  };
}
