import { Router } from 'express';
import type { Fixture } from '../catalogue/fixtures.ts';
import type { SimVenue } from '../simVenue.ts';
import { assets } from '../world/assets.ts';

/** Games that ended longer ago than this are no longer told. */
const endedGameMs = 6 * 3_600_000;

/** What happens outside the venue: spot prices and games. */
export function referenceRoutes(venue: SimVenue): Router {
  const router = Router();
  const isTold = ({ endedMs }: Fixture): boolean => endedMs === null || endedMs > venue.nowMs - endedGameMs;
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
      games: [...venue.fixtures()].filter(isTold).map((fixture) => ({
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
