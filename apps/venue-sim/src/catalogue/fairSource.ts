import type { AssetSymbol } from '../world/assets.ts';
import { digitalFairPrice } from '../world/digitalOption.ts';
import type { GameModel } from '../world/gameModel.ts';
import type { SpotWorld } from '../world/spotWorld.ts';

/** Recorded quote, or fair price of a model; prices in dollars of the first token. */
export type FairView =
  | { readonly kind: 'model'; readonly fair: number }
  | {
      readonly kind: 'recorded';
      readonly bidPricePips: bigint | null;
      readonly askPricePips: bigint | null;
      readonly usdPerCent: number;
    };

/** Source of the value of a market's first token and of the market's end. It never changes the worlds. */
export interface FairSource {
  fairAt(nowMs: number): FairView;
  /** Return the fair price at a past instant for the price history; null when unknown. */
  pastFairAt(atMs: number): number | null;
  /** Return the winning outcome once certain: 0, 1 or `void`; null before. */
  outcomeAt(nowMs: number): 0 | 1 | 'void' | null;
}

const averagedSeconds = 60;

/**
 * Up when the average of the last minute ends at or above that before the span, as short markets of the real venue are
 * settled. An average has the variance of the price 40 s earlier, and inside its minute that of a third of the cube.
 */
export function averagedFairSource(parameters: {
  readonly world: SpotWorld;
  readonly symbol: AssetSymbol;
  readonly startMs: number;
  readonly endMs: number;
}): FairSource {
  const { world, symbol, startMs, endMs } = parameters;
  const volatilityPerSecond = world.volatilityPerSecond(symbol);
  const fairOf = (expectedUsd: number, nowMs: number): number => {
    const strikeUsd = nowMs < startMs ? null : world.averageUsdAt(symbol, startMs);
    if (strikeUsd === null) return 0.5;
    const seconds = (endMs - nowMs) / 1000;
    const secondsLeft =
      seconds >= averagedSeconds ? seconds - 40 : Math.max(0, seconds) ** 3 / (3 * averagedSeconds ** 2);
    return digitalFairPrice({ spotUsd: expectedUsd, strikeUsd, volatilityPerSecond, secondsLeft });
  };
  const expectedUsdAt = (nowMs: number): number => {
    const seconds = averagedSeconds - (endMs - nowMs) / 1000;
    const spotUsd = world.priceUsd(symbol);
    if (seconds <= 0) return spotUsd;
    const share = Math.min(1, seconds / averagedSeconds);
    return share * world.recentAverageUsd(symbol, seconds) + (1 - share) * spotUsd;
  };
  return {
    fairAt: (nowMs) => ({ kind: 'model', fair: fairOf(expectedUsdAt(nowMs), nowMs) }),
    pastFairAt: (atMs) => {
      const spotUsd = world.priceUsdAt(symbol, atMs);
      return spotUsd === null ? null : fairOf(spotUsd, atMs);
    },
    outcomeAt: (nowMs) => {
      if (nowMs < endMs) return null;
      const [firstUsd, lastUsd] = [world.averageUsdAt(symbol, startMs), world.averageUsdAt(symbol, endMs)];
      return firstUsd === null || lastUsd === null ? null : lastUsd >= firstUsd ? 0 : 1;
    },
  };
}

/**
 * Up when the spot ends at or above the strike; up/down markets take the strike from the spot when their span starts.
 */
export function spotFairSource(parameters: {
  readonly world: SpotWorld;
  readonly symbol: AssetSymbol;
  readonly endMs: number;
  readonly strike: { readonly usd: number } | { readonly atMs: number };
}): FairSource {
  const { world, symbol, endMs, strike } = parameters;
  const volatilityPerSecond = world.volatilityPerSecond(symbol);
  const strikeUsd = (): number | null => ('usd' in strike ? strike.usd : world.priceUsdAt(symbol, strike.atMs));
  const fair = (spotUsd: number, nowMs: number): number => {
    const strikePriceUsd = 'atMs' in strike && nowMs < strike.atMs ? null : strikeUsd();
    if (strikePriceUsd === null) return 0.5;
    return digitalFairPrice({
      spotUsd,
      strikeUsd: strikePriceUsd,
      volatilityPerSecond,
      secondsLeft: (endMs - nowMs) / 1000,
    });
  };
  return {
    fairAt: (nowMs) => ({ kind: 'model', fair: fair(world.priceUsd(symbol), nowMs) }),
    pastFairAt: (atMs) => {
      const spotUsd = world.priceUsdAt(symbol, atMs);
      return spotUsd === null ? null : fair(spotUsd, atMs);
    },
    outcomeAt: (nowMs) => {
      if (nowMs < endMs) return null;
      const finalUsd = world.priceUsdAt(symbol, endMs);
      const strikeKnown = strikeUsd();
      if (finalUsd === null || strikeKnown === null) return null;
      return finalUsd >= strikeKnown ? 0 : 1;
    },
  };
}

/** Return the source of a game's market. A draw voids a market without a side for it. */
export function gameFairSource(parameters: {
  readonly game: GameModel;
  readonly probability: (game: GameModel) => number;
  readonly past: (atMs: number) => number | null;
}): FairSource {
  const { game, probability, past } = parameters;
  return {
    fairAt: () => ({ kind: 'model', fair: probability(game) }),
    pastFairAt: past,
    outcomeAt: () => {
      if (!game.isEnded) return null;
      const final = probability(game);
      if (final === 0.5) return 'void';
      return final > 0.5 ? 0 : 1;
    },
  };
}
