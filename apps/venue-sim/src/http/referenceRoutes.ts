import { Router } from 'express';
import type { SimVenue } from '../simVenue.ts';
import { assets } from '../world/assets.ts';

/** What happens outside the venue: spot prices and games. */
export function referenceRoutes(venue: SimVenue): Router {
  const router = Router();
  router.get('/reference/spot', (_request, response) => {
    const timestampMs = venue.spot.nowMs;
    response.json({
      assets: Object.fromEntries(
        assets.map(({ symbol }) => [symbol, { price_usd: venue.spot.printedPrice(symbol), timestamp_ms: timestampMs }]),
      ),
    });
  });
  router.get('/reference/games', (_request, response) => {
    response.json({
      games: [...venue.fixtures()].map((fixture) => ({
        slug: fixture.slug,
        title: fixture.title,
        sport: fixture.league.sport,
        league: fixture.league.slug,
        started_at_ms: fixture.secondsPlayed > 0 ? fixture.startMs : null,
        starts_at_ms: fixture.startMs,
        elapsed_seconds: fixture.secondsPlayed,
        period: fixture.secondsPlayed > 0 ? fixture.model.period : null,
        score: fixture.secondsPlayed > 0 ? fixture.model.score : null,
        live: fixture.secondsPlayed > 0 && fixture.endedMs === null,
        ended: fixture.endedMs !== null,
      })),
    });
  });
  return router;
}
