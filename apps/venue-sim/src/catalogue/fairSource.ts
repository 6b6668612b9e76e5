import type { AssetSymbol } from '../world/assets.ts';
import { digitalFairPrice } from '../world/digitalOption.ts';
import type { GameModel } from '../world/gameModel.ts';
import type { SpotWorld } from '../world/spotWorld.ts';

/** A recorded quote, or what a model quotes around; prices in dollars of the first token. */
export type FairView =
  | { readonly kind: 'model'; readonly fair: number }
  | {
      readonly kind: 'recorded';
      readonly bidPricePips: bigint | null;
      readonly askPricePips: bigint | null;
      readonly usdPerCent: number;
    };

/** What a market's first token is worth now, and how the market ends. Reads only; the worlds are moved elsewhere. */
export interface FairSource {
  fairAt(nowMs: number): FairView;
  /** Fair price at a past instant for the price history; null where the world does not know it. */
  pastFairAt(atMs: number): number | null;
  /** Winning outcome once it is certain: 0, 1 or `void`; null before. */
  outcomeAt(nowMs: number): 0 | 1 | 'void' | null;
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
    const known = 'atMs' in strike && nowMs < strike.atMs ? null : strikeUsd();
    if (known === null) return 0.5;
    return digitalFairPrice({ spotUsd, strikeUsd: known, volatilityPerSecond, secondsLeft: (endMs - nowMs) / 1000 });
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

/** A market on a game: any probability the game's model gives. A draw voids a market that has no side for it. */
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
