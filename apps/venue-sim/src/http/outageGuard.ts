import type { RequestHandler, Response } from 'express';
import type { SimVenue } from '../venue/simVenue.ts';

/** Paths of orders, cancels and the account's own data. */
const isPrivatePath = (path: string): boolean => /^\/(?:orders?$|cancel-|data\/)/.test(path);

/** Reject a throttled request like the venue's limiter, which accepts requests again after a second. */
function refuseThrottled(response: Response): void {
  const seconds = '1';
  response
    .status(429)
    .set({
      'Retry-After': seconds,
      'Poly-RateLimit-Limit': '0',
      'Poly-RateLimit-Remaining': '0',
      'Poly-RateLimit-Reset': seconds,
    })
    .json({ error: 'Too Many Requests' });
}

/** Answer order requests with 425 during an engine restart; throttle reads too when the scenario says so. */
export const outageGuard =
  (venue: SimVenue): RequestHandler =>
  (request, response, next) => {
    const { outages, nowMs } = venue;
    const isPrivate = isPrivatePath(request.path);
    if (outages.isThrottledAt(nowMs, isPrivate ? 'orders' : 'reads')) {
      refuseThrottled(response);
      return;
    }
    if (isPrivate && outages.isRestartingAt(nowMs)) {
      response.status(425).json({ error: 'service not ready' });
      return;
    }
    const stop = outages.stopAt(nowMs);
    const isChange = isPrivate && request.method !== 'GET';
    if (isChange && stop === 'disabled') {
      response.status(503).json({ error: 'Trading is currently disabled' });
      return;
    }
    if (request.method !== 'POST' || !isPrivate) {
      next();
      return;
    }
    if (stop === 'cancel_only') {
      response.status(503).json({ error: 'Trading is currently cancel-only' });
    } else if (stop === 'region') {
      response.status(403).json({ error: 'Trading restricted in your region' });
    } else next();
  };
