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
].join(', ');
/** How long a browser may remember the answer to a preflight. */
const preflightAgeSeconds = 600;

/**
 * Lets scripts of the listed origins call the interface; one that ends in `:*` stands for all ports of its host. Other
 * origins get no header, so their browsers refuse; cookies are never involved. A preflight carries no credential: it is
 * answered here and charged to no one.
 */
export function crossOrigin(allowedOrigins: readonly string[]): RequestHandler {
  const allowed = new Set(allowedOrigins);
  return (request, response, next) => {
    if (allowed.size === 0 || !request.path.startsWith(basePath)) return next();
    // Caches must keep the answers to different origins apart, refused ones too.
    response.vary('Origin');
    const origin = request.get('origin');
    if (origin === undefined || !isAllowedOrigin(allowed, origin)) return next();
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

/** True for an origin that is listed, by itself or with all ports of its host. */
export function isAllowedOrigin(allowed: ReadonlySet<string>, origin: string): boolean {
  return allowed.has(origin) || allowed.has(origin.replace(/:\d+$/, ':*'));
}
