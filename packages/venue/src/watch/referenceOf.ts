import type { ReferenceSnapshot, VenueMarket } from '@core/market';
import type { GameReading, ReferenceFeeds } from '../reference/referenceFeeds.ts';

const fullBps = 10_000;

/** Share of the typical length played, in 1/10000 and at most 10000; null while the game has not begun. */
const elapsedBpsOf = (game: GameReading, typicalLengthMs: number | null): number | null => {
  if (game.isEnded) {
    return fullBps;
  }
  const { isLive, elapsedSeconds } = game;
  return !isLive || elapsedSeconds === null || typicalLengthMs === null || typicalLengthMs === 0
    ? null
    : Math.min(fullBps, Math.floor((elapsedSeconds * 1000 * fullBps) / typicalLengthMs));
};

/** The reference feed's last reading of a market's subject at an instant; null when there never was one. */
export function referenceOf(market: VenueMarket, feeds: ReferenceFeeds, nowMs: number): ReferenceSnapshot | null {
  if (market.cryptoAsset !== null) {
    const spot = feeds.spotOf(market.cryptoAsset, market.cryptoSettlement);
    return spot === null
      ? null
      : { ageMs: Math.max(0, nowMs - spot.atMs), elapsedBps: null, isLive: false, isEnded: false };
  }
  const { gameId } = market;
  const game = feeds.gameOf(market.event?.slug ?? market.ticker, gameId) ?? feeds.gameOf(market.ticker, gameId);
  return game === null
    ? null
    : {
        ageMs: Math.max(0, nowMs - game.observedAtMs),
        elapsedBps: elapsedBpsOf(game, market.typicalLengthMs),
        isLive: game.isLive,
        isEnded: game.isEnded,
      };
}
