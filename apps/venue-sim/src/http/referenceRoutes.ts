import { Router } from 'express';
import type { Fixture } from '../catalogue/fixtures.ts';
import type { SimMarket } from '../market/simMarket.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import { assets } from '../world/assets.ts';

/** Maximum age of an ended game in the response. */
const endedGameMs = 6 * 3_600_000;

/** Serve the world outside the venue: spot prices and games. */
export function referenceRoutes(venue: SimVenue): Router {
  const router = Router();
  const isServed = ({ endedMs }: Fixture): boolean => endedMs === null || endedMs > venue.nowMs - endedGameMs;
  router.get('/reference/spot', (_request, response) => {
    const timestampMs = venue.spot.nowMs;
    response.json({
      assets: Object.fromEntries(
        assets.map(({ symbol }) => [symbol, { price_usd: venue.spot.printedPrice(symbol), timestamp_ms: timestampMs }]),
      ),
    });
  });
  router.get('/reference/games', (_request, response) => {
    const games = [...venue.fixtures()].filter(isServed).map(gameOf);
    const replays = venue.markets.replayedGames.map(({ market }) => replayedGameOf(market, venue.nowMs));
    response.json({ games: [...games, ...replays] });
  });
  return router;
}

function gameOf(fixture: Fixture) {
  const hasStarted = fixture.secondsPlayed > 0;
  return {
    slug: fixture.slug,
    title: fixture.title,
    sport: fixture.league.sport,
    league: fixture.league.slug,
    started_at_ms: hasStarted ? fixture.startMs : null,
    starts_at_ms: fixture.startMs,
    elapsed_seconds: fixture.secondsPlayed,
    period: hasStarted ? fixture.model.period : null,
    score: hasStarted ? fixture.model.score : null,
    live: hasStarted && fixture.endedMs === null,
    ended: fixture.endedMs !== null,
  };
}

/** Return the game of a recorded series: its clock runs, its score is not in the record. */
function replayedGameOf(market: SimMarket, nowMs: number) {
  const startMs = market.definition.gameStartMs ?? nowMs;
  const isLive = market.stage === 'trading';
  return {
    slug: market.definition.event.slug,
    title: market.definition.question,
    sport: null,
    league: null,
    started_at_ms: startMs,
    starts_at_ms: startMs,
    elapsed_seconds: Math.max(0, Math.floor((Math.min(nowMs, market.definition.endDateMs) - startMs) / 1000)),
    period: null,
    score: null,
    live: isLive,
    ended: !isLive,
  };
}
