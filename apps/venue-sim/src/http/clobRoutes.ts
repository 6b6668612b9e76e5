import { Router } from 'express';
import type { ApiKeys } from '../credentials/apiKeys.ts';
import { holdersOf } from '../market/holders.ts';
import type { SimMarket } from '../market/simMarket.ts';
import { formatSize } from '../units/decimals.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import { accountRoutes } from './accountRoutes.ts';
import { bookRoutes } from './bookRoutes.ts';
import { cancelRoutes } from './cancelRoutes.ts';
import { privateGuard } from './credentialRoutes.ts';
import { orderRoutes } from './orderRoutes.ts';
import { outageGuard } from './outageGuard.ts';
import { tradingTermsRoutes } from './tradingTermsRoutes.ts';

/** Default number of holders of a token per response. */
const defaultHolders = 20;
const maximumHolders = 500;

function holdersBody(market: SimMarket, limit: number): unknown[] {
  return ([0, 1] as const).map((outcome) => {
    const { holders, totalTokenUnits } = holdersOf(market, outcome);
    return {
      token: market.tokenIdOf(outcome).toString(),
      holders: holders.slice(0, limit).map(({ account, tokenUnits }) => ({
        proxyWallet: account,
        asset: market.tokenIdOf(outcome).toString(),
        amount: formatSize(tokenUnits),
        outcomeIndex: outcome,
      })),
      total_supply: formatSize(totalTokenUnits),
    };
  });
}

/** Routes of books, orders, trades and holders. With API keys, orders and trades require credentials. */
export function clobRoutes(venue: SimVenue, apiKeys: ApiKeys | null): Router {
  const router = Router();
  router.use(outageGuard(venue));
  const routes = { venue, router, guard: privateGuard(apiKeys) };
  bookRoutes(venue, router);
  tradingTermsRoutes(venue, router);
  orderRoutes(routes);
  cancelRoutes(routes);
  accountRoutes(routes);
  router.get('/time', (_request, response) => {
    response.json(Math.floor(venue.nowMs / 1000));
  });
  // Version of the order struct that the order server accepts.
  router.get('/version', (_request, response) => {
    response.json({ version: 2 });
  });
  router.get('/api/geoblock', (_request, response) => {
    const blocked = venue.outages.stopAt(venue.nowMs) === 'region';
    response.json({ blocked, ip: '127.0.0.1', country: blocked ? 'US' : 'IE', region: '' });
  });
  router.get('/holders', (request, response) => {
    const market = request.query['market'];
    const running = typeof market === 'string' ? venue.markets.byCondition(market) : undefined;
    const limit = Math.min(maximumHolders, Math.max(1, Number(request.query['limit']) || defaultHolders));
    // The data server returns a bare null for an unknown market.
    response.json(running === undefined ? null : holdersBody(running.market, limit));
  });
  return router;
}
