import type { Request, Response, Router } from 'express';
import type { SimMarket } from '../market/simMarket.ts';
import { formatPrice } from '../units/decimals.ts';
import type { SimVenue } from '../venue/simVenue.ts';
import { cursorPageOf } from './cursorPage.ts';
import { tokenOf } from './tokenOf.ts';

const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

const secondsDelayOf = ({ definition }: SimMarket): number => (definition.gameStartMs === null ? 0 : 3);

/** Return a market in the format of the order server's `GET /markets/{condition}`. */
export function tradingTerms(market: SimMarket) {
  const { definition, stage, resolution } = market;
  return {
    condition_id: definition.conditionId,
    question_id: definition.questionId,
    market_slug: definition.slug,
    question: definition.question,
    active: true,
    closed: stage === 'resolved',
    archived: false,
    accepting_orders: stage === 'trading' && market.isListed,
    enable_order_book: true,
    neg_risk: definition.isNegRisk,
    minimum_order_size: 5,
    minimum_tick_size: Number(formatPrice(market.tickPricePips)),
    end_date_iso: new Date(definition.endDateMs).toISOString(),
    game_start_time: isoOrNull(definition.gameStartMs),
    seconds_delay: secondsDelayOf(market),
    tokens: ([0, 1] as const).map((outcome) => ({
      token_id: market.tokenIdOf(outcome).toString(),
      outcome: definition.outcomes[outcome],
      price: Number(formatPrice(outcome === 0 ? market.shownPricePips() : 10_000n - market.shownPricePips())),
      winner: resolution === outcome,
    })),
  };
}

const simplifiedTerms = (market: SimMarket) => {
  const { condition_id, tokens, active, closed, archived, accepting_orders } = tradingTerms(market);
  return { condition_id, tokens, active, closed, archived, accepting_orders };
};

/** Return the short terms of a market, which clients read before they build an order. */
function shortTerms(market: SimMarket) {
  const { definition } = market;
  const { areFeesEnabled, feeSchedule } = definition;
  const rate = areFeesEnabled ? feeSchedule : null;
  return {
    c: definition.conditionId,
    t: ([0, 1] as const).map((outcome) => ({
      t: market.tokenIdOf(outcome).toString(),
      o: definition.outcomes[outcome],
    })),
    mts: Number(formatPrice(market.tickPricePips)),
    mos: 5,
    nr: definition.isNegRisk,
    sd: secondsDelayOf(market),
    gst: isoOrNull(definition.gameStartMs),
    cbos: definition.gameStartMs !== null,
    ao: market.stage === 'trading' && market.isListed,
    aot: new Date(definition.listedMs).toISOString(),
    mbf: areFeesEnabled ? 1000 : 0,
    tbf: areFeesEnabled ? 1000 : 0,
    rfqe: false,
    ...(rate === null ? {} : { fd: { r: Number(rate.ratePpm) / 1e6, e: Number(rate.exponent), to: true } }),
  };
}

const notFound = (response: Response): void => {
  response.status(404).json({ error: 'market not found' });
};

/** Routes of the order server's own market list. */
export function tradingTermsRoutes(venue: SimVenue, router: Router): void {
  const list = (path: string, present: (market: SimMarket) => unknown, isOpenOnly: boolean): void => {
    router.get(path, (request, response, next) => {
      // The catalogue has a list at the same path, without this cursor.
      if (path === '/markets' && request.query['next_cursor'] === undefined) {
        next();
        return;
      }
      const markets = venue.markets.listed
        .map(({ market }) => market)
        .filter((market) => !isOpenOnly || market.isAcceptingOrders);
      response.json(cursorPageOf(request, markets, present));
    });
  };
  list('/markets', tradingTerms, false);
  list('/simplified-markets', simplifiedTerms, false);
  list('/sampling-markets', tradingTerms, true);
  list('/sampling-simplified-markets', simplifiedTerms, true);
  router.get('/clob-markets/:condition', ({ params }: Request<{ condition: string }>, response) => {
    const running = venue.markets.byCondition(params.condition);
    if (running === undefined) notFound(response);
    else response.json(shortTerms(running.market));
  });
  router.get('/markets-by-token/:token', ({ params }: Request<{ token: string }>, response) => {
    const token = tokenOf(venue, params.token);
    if (token === null) {
      notFound(response);
      return;
    }
    const { market } = token;
    response.json({
      condition_id: market.definition.conditionId,
      primary_token_id: market.tokenIdOf(0).toString(),
      secondary_token_id: market.tokenIdOf(1).toString(),
    });
  });
}
