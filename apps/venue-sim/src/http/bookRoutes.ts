import { json, type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import type { SimMarket } from '../market/simMarket.ts';
import { formatLastTrade, formatPrice } from '../units/decimals.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import { refuseUnknownToken, type Token, tokenOf } from './tokenOf.ts';

/** Maximum tokens in one batch read. */
const maximumBatch = 500;

/** Respond for one token, or with an error when it has no book. */
const forToken =
  (venue: SimVenue, parameter: string, answer: (token: Token, request: Request) => unknown) =>
  (request: Request, response: Response): void => {
    const token = tokenOf(venue, request.query[parameter]);
    // A market with payouts has no book.
    if (token === null || token.market.stage === 'resolved') refuseUnknownToken(response);
    else response.json(answer(token, request));
  };

const batchSchema = z
  .array(z.looseObject({ token_id: z.string(), side: z.enum(['BUY', 'SELL']).optional() }))
  .max(maximumBatch);

type BatchItem = z.output<typeof batchSchema>[number];

const priceText = (pips: bigint | null): string => (pips === null ? '' : formatPrice(pips));

/** Return the best price on a side of the book: the highest bid or the lowest ask. */
const bestOn = ({ market, outcome }: Token, side: unknown): bigint | null =>
  side === 'BUY' || side === 'buy' ? market.bestBidPips(outcome) : market.bestAskPips(outcome);

function midText({ market, outcome }: Token): string {
  const bid = market.bestBidPips(outcome);
  const ask = market.bestAskPips(outcome);
  if (bid === null || ask === null) return '';
  // Half a pip needs a fifth decimal.
  const halfPips = bid + ask;
  return halfPips % 2n === 0n ? formatPrice(halfPips / 2n) : (Number(halfPips) / 20_000).toFixed(5);
}

function spreadText({ market, outcome }: Token): string {
  const bid = market.bestBidPips(outcome);
  const ask = market.bestAskPips(outcome);
  return bid === null || ask === null ? '' : formatPrice(ask - bid);
}

const lastTradeOf = ({ market, outcome }: Token) => ({
  price: formatLastTrade(market.lastTradePipsOf(outcome)),
  side: 'BUY',
});

/** Length of the named intervals in seconds; `max` is unlimited. */
const intervalSeconds: Readonly<Record<string, number>> = {
  '1h': 3_600,
  '6h': 6 * 3_600,
  '1d': 86_400,
  '1w': 7 * 86_400,
  max: Number.MAX_SAFE_INTEGER,
};

function historyOf(venue: SimVenue, { market, outcome }: Token, request: Request) {
  const number = (name: string, byDefault: number): number => {
    const value = Number(request.query[name] ?? byDefault);
    return Number.isFinite(value) ? value : byDefault;
  };
  const interval = intervalSeconds[String(request.query['interval'])];
  const startSeconds = number('startTs', interval === undefined ? 0 : venue.nowMs / 1000 - interval);
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

/** Legacy fee rate: a flag, not a rate. */
const baseFeeOf = (market: SimMarket): number => (market.definition.areFeesEnabled ? 1000 : 0);

/** Routes that read one token. */
function singleRoutes(venue: SimVenue, router: Router): void {
  const serve = (path: string, answer: (token: Token, request: Request) => unknown): void => {
    router.get(path, forToken(venue, 'token_id', answer));
  };
  serve('/book', ({ market, outcome }) => market.summaryOf(outcome));
  serve('/price', (token, request) => ({ price: priceText(bestOn(token, request.query['side'])) }));
  serve('/midpoint', (token) => ({ mid: midText(token) }));
  serve('/spread', (token) => ({ spread: spreadText(token) }));
  serve('/tick-size', ({ market }) => ({ minimum_tick_size: Number(formatPrice(market.tickPricePips)) }));
  serve('/neg-risk', ({ market }) => ({ neg_risk: market.definition.isNegRisk }));
  serve('/fee-rate', ({ market }) => ({ base_fee: baseFeeOf(market) }));
  serve('/last-trade-price', lastTradeOf);
  router.get('/prices-history', (request, response) => {
    const token = tokenOf(venue, request.query['market']);
    if (token === null) refuseUnknownToken(response);
    else response.json(historyOf(venue, token, request));
  });
}

/** Routes that read several tokens; those without a book are left out. */
function batchRoutes(venue: SimVenue, router: Router): void {
  const body = json({ limit: '256kb', type: () => true });
  const readAll = (path: string, answer: (entries: readonly (readonly [Token, BatchItem])[]) => unknown): void => {
    router.post(path, body, (request, response) => {
      const items = batchSchema.safeParse(request.body);
      if (!items.success) {
        response.status(400).json({ error: 'Invalid payload' });
        return;
      }
      const entries = items.data.flatMap((item) => {
        const token = tokenOf(venue, item.token_id);
        return token === null || token.market.stage === 'resolved' ? [] : [[token, item] as const];
      });
      response.json(answer(entries));
    });
  };
  const texts =
    (textOf: (token: Token) => string) =>
    (entries: readonly (readonly [Token, BatchItem])[]): Record<string, string> =>
      Object.fromEntries(
        entries.flatMap(([token, { token_id: tokenId }]) => {
          const text = textOf(token);
          return text === '' ? [] : [[tokenId, text] as const];
        }),
      );
  readAll('/books', (entries) => entries.map(([{ market, outcome }]) => market.summaryOf(outcome)));
  readAll('/midpoints', texts(midText));
  readAll('/spreads', texts(spreadText));
  readAll('/prices', (entries) => {
    const prices: Record<string, Record<string, string>> = {};
    for (const [token, { token_id: tokenId, side }] of entries) {
      for (const bookSide of side === undefined ? (['BUY', 'SELL'] as const) : [side]) {
        const text = priceText(bestOn(token, bookSide));
        if (text !== '') prices[tokenId] = { ...prices[tokenId], [bookSide]: text };
      }
    }
    return prices;
  });
  readAll('/last-trades-prices', (entries) =>
    entries.flatMap(([token, { token_id }]) => {
      const last = lastTradeOf(token);
      return last.price === '' ? [] : [{ token_id, ...last }];
    }),
  );
}

/** Order books and prices, of one token and of many. */
export function bookRoutes(venue: SimVenue, router: Router): void {
  singleRoutes(venue, router);
  batchRoutes(venue, router);
}
