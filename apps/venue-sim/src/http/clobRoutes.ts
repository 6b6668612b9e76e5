import { type Request, type Response, Router } from 'express';
import type { ApiKeys } from '../credentials/apiKeys.ts';
import { holdersOf } from '../market/holders.ts';
import type { SimMarket } from '../market/simMarket.ts';
import type { Outcome } from '../matching/bookOrder.ts';
import { formatLastTrade, formatPrice, formatSize } from '../units/decimals.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import { privateGuard } from './credentialRoutes.ts';
import { orderRoutes } from './orderRoutes.ts';

interface Token {
  readonly market: SimMarket;
  readonly outcome: Outcome;
}

const tokenOf = (venue: SimVenue, value: unknown): Token | null => {
  if (typeof value !== 'string' || !/^\d{1,78}$/.test(value)) return null;
  const tokenId = BigInt(value);
  const market = venue.markets.byToken(tokenId);
  if (market === undefined) return null;
  return { market, outcome: market.tokenIdOf(0) === tokenId ? 0 : 1 };
};

const noBook = (response: Response): void => {
  response.status(404).json({ error: 'No orderbook exists for the requested token id' });
};

/** Answers for one token, or that there is no book. */
const forToken =
  (venue: SimVenue, parameter: string, answer: (token: Token, request: Request) => unknown) =>
  (request: Request, response: Response): void => {
    const token = tokenOf(venue, request.query[parameter]);
    // A book is gone once its market has payouts.
    if (token === null || token.market.stage === 'resolved') noBook(response);
    else response.json(answer(token, request));
  };

const priceText = (pips: bigint | null): string => (pips === null ? '' : formatPrice(pips));

/** Best price a taker of the side gets: a buyer the lowest ask, a seller the highest bid. */
const bestFor = ({ market, outcome }: Token, side: unknown): bigint | null =>
  side === 'BUY' || side === 'buy' ? market.bestAskPips(outcome) : market.bestBidPips(outcome);

function midText({ market, outcome }: Token): string {
  const bid = market.bestBidPips(outcome);
  const ask = market.bestAskPips(outcome);
  if (bid === null || ask === null) return '';
  // Half a pip is a fifth decimal.
  const halfPips = bid + ask;
  return halfPips % 2n === 0n ? formatPrice(halfPips / 2n) : (Number(halfPips) / 20_000).toFixed(5);
}

function spreadText({ market, outcome }: Token): string {
  const bid = market.bestBidPips(outcome);
  const ask = market.bestAskPips(outcome);
  return bid === null || ask === null ? '' : formatPrice(ask - bid);
}

function historyOf({ market, outcome }: Token, request: Request) {
  const number = (name: string, byDefault: number): number => {
    const value = Number(request.query[name] ?? byDefault);
    return Number.isFinite(value) ? value : byDefault;
  };
  const startSeconds = number('startTs', 0);
  const endSeconds = number('endTs', Number.MAX_SAFE_INTEGER);
  const fidelity = Math.max(1, Math.floor(number('fidelity', 1)));
  const history = market.history
    .filter(({ atSeconds }) => atSeconds >= startSeconds && atSeconds <= endSeconds)
    .filter(({ atSeconds }) => (atSeconds / 60) % fidelity === 0)
    .map(({ atSeconds, pricePips }) => ({
      t: atSeconds,
      p: Number(formatPrice(outcome === 0 ? pricePips : 10_000n - pricePips)),
    }));
  return { history };
}

function bookRoutes(venue: SimVenue, router: Router): void {
  router.get(
    '/book',
    forToken(venue, 'token_id', ({ market, outcome }) => market.summaryOf(outcome)),
  );
  router.get(
    '/price',
    forToken(venue, 'token_id', (token, request) => ({ price: priceText(bestFor(token, request.query['side'])) })),
  );
  router.get(
    '/midpoint',
    forToken(venue, 'token_id', (token) => ({ mid: midText(token) })),
  );
  router.get(
    '/spread',
    forToken(venue, 'token_id', (token) => ({ spread: spreadText(token) })),
  );
  router.get(
    '/tick-size',
    forToken(venue, 'token_id', ({ market }) => ({ minimum_tick_size: Number(formatPrice(market.tickPricePips)) })),
  );
  router.get(
    '/neg-risk',
    forToken(venue, 'token_id', ({ market }) => ({ neg_risk: market.definition.isNegRisk })),
  );
  // The legacy answer: a flag, not a rate.
  router.get(
    '/fee-rate',
    forToken(venue, 'token_id', ({ market }) => ({ base_fee: market.definition.areFeesEnabled ? 1000 : 0 })),
  );
  router.get(
    '/last-trade-price',
    forToken(venue, 'token_id', ({ market, outcome }) => ({
      price: formatLastTrade(market.lastTradePipsOf(outcome)),
      side: 'BUY',
    })),
  );
  router.get('/prices-history', (request, response) => {
    const token = tokenOf(venue, request.query['market']);
    if (token === null) noBook(response);
    else response.json(historyOf(token, request));
  });
}

function holdersBody(market: SimMarket): unknown[] {
  return ([0, 1] as const).map((outcome) => {
    const { holders, totalTokenUnits } = holdersOf(market, outcome);
    return {
      token: market.tokenIdOf(outcome).toString(),
      holders: holders.slice(0, 20).map(({ account, tokenUnits }) => ({
        proxyWallet: account,
        asset: market.tokenIdOf(outcome).toString(),
        amount: formatSize(tokenUnits),
        outcomeIndex: outcome,
      })),
      total_supply: formatSize(totalTokenUnits),
    };
  });
}

/** Books, orders, trades and holders; orders and trades only with credentials where keys are given. */
export function clobRoutes(venue: SimVenue, apiKeys: ApiKeys | null): Router {
  const router = Router();
  // During an engine restart everything about orders is answered 425; throttling may cover reads too.
  router.use((request, response, next) => {
    const isOrder = request.path === '/order' || request.path.startsWith('/data/');
    if (venue.outages.isThrottledAt(venue.nowMs, isOrder ? 'orders' : 'reads')) {
      response.status(429).set('Retry-After', '1').json({ error: 'Too Many Requests' });
    } else if (isOrder && venue.outages.isRestartingAt(venue.nowMs)) {
      response.status(425).json({ error: 'service not ready' });
    } else next();
  });
  bookRoutes(venue, router);
  orderRoutes({ venue, router, guard: privateGuard(apiKeys) });
  router.get('/time', (_request, response) => {
    response.json(Math.floor(venue.nowMs / 1000));
  });
  router.get('/holders', (request, response) => {
    const market = request.query['market'];
    const found = typeof market === 'string' ? venue.markets.byCondition(market) : undefined;
    if (found === undefined) response.status(404).json({ error: 'market not found' });
    else response.json(holdersBody(found.market));
  });
  return router;
}
