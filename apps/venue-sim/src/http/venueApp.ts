import type { Logger } from '@core/runtime';
import express, { type ErrorRequestHandler } from 'express';
import type { ApiKeys } from '../credentials/apiKeys.ts';
import type { VenueJournal } from '../journal/venueJournal.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import { clobRoutes } from './clobRoutes.ts';
import { controlRoutes } from './controlRoutes.ts';
import { credentialRoutes } from './credentialRoutes.ts';
import { gammaRoutes } from './gammaRoutes.ts';
import { referenceRoutes } from './referenceRoutes.ts';
import { relayerRoutes } from './relayerRoutes.ts';

export interface ServedVenue {
  readonly venue: SimVenue;
  /** Null when private endpoints require no credentials. */
  readonly apiKeys: ApiKeys | null;
  readonly journal: VenueJournal | null;
}

/** Return the HTTP application of a venue: catalogue, orders, credentials, reference feeds and control routes. */
export function venueApp({ venue, apiKeys, journal }: ServedVenue, logger: Logger): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Lists may be long: repeated query keys only, no nesting.
  app.set('query parser', 'simple');
  app.get('/ok', (_request, response) => {
    response.json('OK');
  });
  app.use(controlRoutes(venue, journal));
  app.use(referenceRoutes(venue));
  if (apiKeys !== null) app.use(credentialRoutes(venue, apiKeys), relayerRoutes(venue, apiKeys));
  app.use(clobRoutes(venue, apiKeys));
  app.use(gammaRoutes(venue));
  app.use((_request, response) => {
    response.status(404).json({ error: 'not found' });
  });
  // oxlint-disable-next-line max-params -- Express knows an error handler by its four parameters.
  const onError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500;
    if (status >= 500) logger.error({ err: error }, 'request failed');
    const message = error instanceof Error && status < 500 ? error.message : 'internal error';
    response.status(status).json({ error: message });
  };
  app.use(onError);
  return app;
}
