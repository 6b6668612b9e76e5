import { basePath } from '@core/wire';
import type { RequestHandler } from 'express';

const allowedMethods = 'GET, POST';
const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key';
/** Headers of the interface that scripts may read beside the body. */
const exposedHeaders = [
  'Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Idempotent-Replayed',
  'WWW-Authenticate',
  'Indexed-Block',
  'Date',
].join(', ');
/** Time during which a browser may cache the answer to a preflight. */
const preflightAgeSeconds = 600;

/**
 * Let scripts of the listed origins call the interface; one that ends in `:*` stands for all ports of its host. Other
 * origins get no header, so their browsers refuse; cookies are never involved. A preflight carries no credential: it is
 * answered here and charged to no one.
 */
export function crossOrigin(allowedOrigins: readonly string[]): RequestHandler {
  const origins = new Set(allowedOrigins);
  return (request, response, next) => {
    if (origins.size === 0 || !request.path.startsWith(basePath)) return next();
    // Caches must keep the answers to different origins apart, refused ones too.
    response.vary('Origin');
    const origin = request.get('origin');
    if (origin === undefined || !isAllowedOrigin(origins, origin)) return next();
    response.set('Access-Control-Allow-Origin', origin);
    if (request.method !== 'OPTIONS' || request.get('access-control-request-method') === undefined) {
      response.set('Access-Control-Expose-Headers', exposedHeaders);
      return next();
    }
    response.set({
      'Access-Control-Allow-Methods': allowedMethods,
      'Access-Control-Allow-Headers': allowedHeaders,
      'Access-Control-Max-Age': String(preflightAgeSeconds),
    });
    response.status(204).end();
  };
}

/** Return true for an origin that is listed, with its port or with all ports of its host. */
export function isAllowedOrigin(origins: ReadonlySet<string>, origin: string): boolean {
  return origins.has(origin) || origins.has(origin.replace(/:\d+$/, ':*'));
}
