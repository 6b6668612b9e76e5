import type { OrderState, TradeState } from '../client/venueClient.ts';
import { orderStateOf, tradeStateOf, wireOrderStateSchema, wireTradeSchema } from './orders.ts';

export type UserMessage =
  | { readonly kind: 'order'; readonly order: OrderState }
  | { readonly kind: 'trade'; readonly trade: TradeState };

const eventTypeOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'event_type' in message ? message.event_type : null;

/** One message of the user socket; `unknown` is a type this service does not use, null one that cannot be read. */
export function parseUserMessage(message: unknown): UserMessage | 'unknown' | null {
  switch (eventTypeOf(message)) {
    case 'order': {
      const wire = wireOrderStateSchema.safeParse(message);
      const order = wire.success ? orderStateOf(wire.data) : null;
      return order === null ? null : { kind: 'order', order };
    }
    case 'trade': {
      const wire = wireTradeSchema.safeParse(message);
      const trade = wire.success ? tradeStateOf(wire.data) : null;
      return trade === null ? null : { kind: 'trade', trade };
    }
    case null:
      return null;
    default:
      return 'unknown';
  }
}
