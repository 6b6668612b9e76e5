import { z } from 'zod';
import type { OrderEvent, OrderState, TradeState } from '../port/venueClient.ts';
import { orderStateOf, tradeStateOf, wireOrderStateSchema, wireTradeSchema } from './orders.ts';
import { informative } from './wireTypes.ts';

export type UserMessage =
  | { readonly kind: 'order'; readonly event: OrderEvent | null; readonly order: OrderState }
  | { readonly kind: 'trade'; readonly trade: TradeState };

const eventTypeOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'event_type' in message ? message.event_type : null;

const orderEvents: Readonly<Record<'PLACEMENT' | 'UPDATE' | 'CANCELLATION', OrderEvent>> = {
  PLACEMENT: 'placement',
  UPDATE: 'update',
  CANCELLATION: 'cancellation',
};

const wireOrderMessageSchema = wireOrderStateSchema.extend({
  type: informative(z.enum(['PLACEMENT', 'UPDATE', 'CANCELLATION'])),
});

const orderMessageOf = (message: unknown): UserMessage | null => {
  const wire = wireOrderMessageSchema.safeParse(message).data;
  const order = wire === undefined ? null : orderStateOf(wire);
  return order === null ? null : { kind: 'order', event: wire?.type ? orderEvents[wire.type] : null, order };
};

const tradeMessageOf = (message: unknown): UserMessage | null => {
  const wire = wireTradeSchema.safeParse(message).data;
  const trade = wire === undefined ? null : tradeStateOf(wire);
  return trade === null ? null : { kind: 'trade', trade };
};

/** One message of the user socket; `unknown` is a type this service does not use, null one that cannot be read. */
export function parseUserMessage(message: unknown): UserMessage | 'unknown' | null {
  switch (eventTypeOf(message)) {
    case 'order':
      return orderMessageOf(message);
    case 'trade':
      return tradeMessageOf(message);
    case null:
      return null;
    default:
      return 'unknown';
  }
}
