import type { Response } from 'express';
import type { SimMarket } from '../market/simMarket.ts';
import type { Outcome } from '../matching/bookOrder.ts';
import type { SimVenue } from '../venue/simVenue.ts';

/** One token of a market. */
export interface Token {
  readonly market: SimMarket;
  readonly outcome: Outcome;
}

/** Return the token of a decimal id; null when the venue does not list it. */
export const tokenOf = (venue: SimVenue, value: unknown): Token | null => {
  if (typeof value !== 'string' || !/^\d{1,78}$/.test(value)) return null;
  const tokenId = BigInt(value);
  const market = venue.markets.byToken(tokenId);
  if (market === undefined) return null;
  return { market, outcome: market.tokenIdOf(0) === tokenId ? 0 : 1 };
};

export const refuseUnknownToken = (response: Response): void => {
  response.status(404).json({ error: 'No orderbook exists for the requested token id' });
};
