import type { PricePips, TokenUnits } from '@core/pricing';
import { z } from 'zod';
import { toPricePips, toTokenUnits } from '../decimal.ts';
import { decimalText } from './wireTypes.ts';

/** Answer of the book server's own `GET /markets/{condition}`: what its engine trades, apart from the catalogue. */
export const tradingTermsSchema = z.looseObject({
  condition_id: z.string(),
  market_slug: z.string(),
  active: z.boolean(),
  closed: z.boolean(),
  accepting_orders: z.boolean(),
  neg_risk: z.boolean(),
  minimum_order_size: decimalText,
  minimum_tick_size: decimalText,
  tokens: z.array(z.looseObject({ token_id: z.string(), winner: z.boolean().nullish() })),
});

export interface TradingTerms {
  readonly conditionId: string;
  readonly ticker: string;
  /** First token (YES) first. */
  readonly tokenIds: readonly string[];
  readonly tickPricePips: PricePips;
  readonly minOrderTokenUnits: TokenUnits;
  readonly isActive: boolean;
  readonly isClosed: boolean;
  readonly isAcceptingOrders: boolean;
  readonly isNegRisk: boolean;
  /** Index of the token the venue calls the winner: for display, settlement reads the chain. */
  readonly winnerIndex: number | null;
}

/** The engine's terms in the service's words; null when tick or minimum size cannot be read exactly. */
export function tradingTermsOf(wire: z.output<typeof tradingTermsSchema>): TradingTerms | null {
  const tickPricePips = toPricePips(wire.minimum_tick_size);
  const minOrderTokenUnits = toTokenUnits(wire.minimum_order_size);
  const winnerIndex = wire.tokens.findIndex(({ winner }) => winner === true);
  return tickPricePips === null || minOrderTokenUnits === null
    ? null
    : {
        conditionId: wire.condition_id.toLowerCase(),
        ticker: wire.market_slug,
        tokenIds: wire.tokens.map(({ token_id }) => token_id),
        tickPricePips,
        minOrderTokenUnits,
        isActive: wire.active,
        isClosed: wire.closed,
        isAcceptingOrders: wire.accepting_orders,
        isNegRisk: wire.neg_risk,
        winnerIndex: winnerIndex === -1 ? null : winnerIndex,
      };
}
