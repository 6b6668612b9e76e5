import type { MarketVersion } from '@core/market';
import type { Hex } from 'viem';
import type { AssetSymbol } from '../world/assets.ts';
import type { SportName } from '../world/sports.ts';
import type { FairSource } from './fairSource.ts';

export interface SeriesDefinition {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly recurrence: string;
}

/** Venue event: the group of a market. */
export interface EventDefinition {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly series: SeriesDefinition | null;
  readonly resolutionSource: string | null;
  /** Slug of the game that decides the event's markets; null outside sport. */
  readonly gameSlug: string | null;
}

/** Taker fee of a market: rate in millionths, whole exponent. */
export interface FeeSchedule {
  readonly ratePpm: bigint;
  readonly exponent: bigint;
}

/** Market before it is listed. */
export interface MarketDraft {
  readonly slug: string;
  readonly question: string;
  readonly description: string;
  readonly groupItemTitle: string | null;
  readonly outcomes: readonly [string, string];
  readonly event: EventDefinition;
  readonly category: 'crypto' | 'sport';
  readonly asset: AssetSymbol | null;
  readonly sport: SportName | null;
  readonly sportsMarketType: string | null;
  readonly line: number | null;
  /** Start of the span an up/down market is about. */
  readonly spanStartMs: number | null;
  readonly gameStartMs: number | null;
  /** The record's `endDate`; for crypto also the end of trading. */
  readonly endDateMs: number;
  /** End of trading by the clock; null when the game or the recorded series decides. */
  readonly tradingEndMs: number | null;
  readonly isNegRisk: boolean;
  readonly tickPricePips: bigint;
  /** True when the tick is 0.001 near 0 and 1, as in long-lived markets of the venue. */
  readonly hasFineTick: boolean;
  readonly areFeesEnabled: boolean;
  /** Fee schedule. Null with enabled fees marks a record that must not be priced. */
  readonly feeSchedule: FeeSchedule | null;
  readonly depthUsdPerCent: number;
  /** Traded value of the last day when the market is listed; null leaves the field out of the record. */
  readonly volume24hUsd: number | null;
  readonly fairSource: FairSource;
}

/** A listed market: a draft with its identity on chain. */
export interface MarketDefinition extends MarketDraft {
  readonly id: string;
  /** Contracts of the market: `v2` is held by the PositionManager, and traded on an exchange that is not simulated. */
  readonly version: MarketVersion;
  readonly questionId: Hex;
  readonly conditionId: Hex;
  /** First token (YES) first. */
  readonly tokenIds: readonly [bigint, bigint];
  readonly listedMs: number;
}
