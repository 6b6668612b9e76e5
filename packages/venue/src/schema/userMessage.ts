import { z } from 'zod';
import type { OrderEvent, OrderState, TradeState } from '../port/venueClient.ts';
import { toTokenUnits } from '../text/decimal.ts';
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
  status: z.string().nullish(),
});

/** The status of a message without one follows from its type; a message without both cannot be read. */
const statusOf = ({ status, type, size_matched: matched, original_size: size }: WireOrderMessage): string | null => {
  if (status) return status;
  switch (type) {
    case 'PLACEMENT':
      return 'LIVE';
    case 'UPDATE':
      return toTokenUnits(matched) === toTokenUnits(size) ? 'MATCHED' : 'LIVE';
    case 'CANCELLATION':
      return 'CANCELED';
    case null:
    case undefined:
      return null;
  }
};

type WireOrderMessage = z.output<typeof wireOrderMessageSchema>;

const orderMessageOf = (message: unknown): UserMessage | null => {
  const wire = wireOrderMessageSchema.safeParse(message).data;
  const status = wire === undefined ? null : statusOf(wire);
  const order = wire === undefined || status === null ? null : orderStateOf({ ...wire, status });
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
