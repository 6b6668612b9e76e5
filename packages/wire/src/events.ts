import { z } from 'zod';
import { sampleClosedPosition, sampleOpenPosition, samplePendingPosition } from './events/samplePositions.ts';
import { market } from './resources/market.ts';
import { position } from './resources/position.ts';

/** Where an event is delivered: partner positions, user positions, or the markets gateway. */
export type Gateway = 'partner' | 'user' | 'markets';

/** One kind of event: who receives it, the shape of its `data`, and one sample per variant. */
export interface EventDefinition {
  readonly gateways: readonly Gateway[];
  readonly data: z.ZodType;
  readonly samples: readonly unknown[];
}

/** Codes of the event type `notification`, which only the user gateway carries. */
export const notificationCodes = [
  'PARTIAL_OPEN_PROGRESS',
  'PARTIAL_OPEN_FLOOR_MISSED',
  'ORDER_FULFILLMENT_FAILED',
  'ORDER_FULFILLMENT_RETRYING',
] as const;

const notification = z.object({
  code: z.enum(notificationCodes),
  message: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});

const marketUpdate = market.partial().extend({ ticker: z.string() });

const aboutPosition = { gateways: ['partner', 'user'], data: position } as const;
const operationTime = '2026-01-15T15:00:00.000Z';
const unwound = sampleOpenPosition();

/**
 * Every WebSocket event with the sample that POST /sample-events sends: what a gateway can emit and what a caller can
 * rehearse are complete together.
 */
export const events = {
  'position.created': { ...aboutPosition, samples: [samplePendingPosition()] },
  'position.opening': { ...aboutPosition, samples: [samplePendingPosition()] },
  'position.opened': { ...aboutPosition, samples: [sampleOpenPosition()] },
  'position.close_requested': {
    ...aboutPosition,
    samples: [
      sampleOpenPosition({ status: 'closing', pending_operation: { type: 'close', requested_at: operationTime } }),
    ],
  },
  'position.closed': {
    ...aboutPosition,
    samples: [sampleClosedPosition({ status: 'closed', close_reason: 'closed' })],
  },
  'position.partial_close_requested': {
    ...aboutPosition,
    samples: [
      sampleOpenPosition({
        status: 'closing',
        pending_operation: { type: 'partial_close', requested_at: operationTime, token_units: '50000000' },
      }),
    ],
  },
  'position.partial_close_initiated': {
    ...aboutPosition,
    samples: [
      sampleOpenPosition({
        status: 'closing',
        pending_operation: { type: 'partial_close', requested_at: operationTime, token_units: '50000000' },
      }),
    ],
  },
  'position.partial_closed': { ...aboutPosition, samples: [sampleOpenPosition()] },
  'position.partial_close_aborted': { ...aboutPosition, samples: [sampleOpenPosition()] },
  'position.force_unwound': {
    ...aboutPosition,
    samples: [{ ...unwound, current: { ...unwound.current, leverage_bps: 20_000, book_leverage_bps: 20_000 } }],
  },
  'position.liquidated': {
    ...aboutPosition,
    samples: [sampleClosedPosition({ status: 'liquidated', close_reason: 'liquidated' })],
  },
  'position.settled': {
    ...aboutPosition,
    samples: [sampleClosedPosition({ status: 'settled', close_reason: 'settled' })],
  },
  'position.reverted': {
    ...aboutPosition,
    samples: [
      sampleClosedPosition({
        status: 'cancelled',
        close_reason: 'reverted',
        failure: { reason: 'order_not_filled' },
      }),
    ],
  },
  'position.cancelled': {
    ...aboutPosition,
    samples: [sampleClosedPosition({ status: 'cancelled', close_reason: 'cancelled' })],
  },
  'position.settlement_state_changed': {
    ...aboutPosition,
    samples: [
      sampleOpenPosition({
        status: 'settling',
        timing: {
          ...unwound.timing,
          is_settlement_pending: true,
          market_status: 'closed',
          settlement_state: 'awaiting_resolution',
          time_to_close_minutes: 0,
        },
      }),
    ],
  },
  notification: {
    gateways: ['user'],
    data: notification,
    samples: [
      {
        code: 'PARTIAL_OPEN_PROGRESS',
        message: 'Half of the requested size is filled.',
        params: { position_id: unwound.id, filled_bps: 5_000 },
      },
      {
        code: 'PARTIAL_OPEN_FLOOR_MISSED',
        message: 'Less than the smallest allowed part was filled. Everything is refunded.',
        params: { position_id: unwound.id, min_fill_bps: 2_000 },
      },
      {
        code: 'ORDER_FULFILLMENT_FAILED',
        message: 'The order was not filled. Everything is refunded.',
        params: { position_id: unwound.id },
      },
      {
        code: 'ORDER_FULFILLMENT_RETRYING',
        message: 'The order was not filled and is tried again.',
        params: { position_id: unwound.id, attempt: 2 },
      },
    ],
  },
  'market.discovered': { gateways: ['markets'], data: market, samples: [] },
  'market.updated': { gateways: ['markets'], data: marketUpdate, samples: [] },
} as const satisfies Record<string, EventDefinition>;

/** The name of an event. */
export type EventType = keyof typeof events;

/** Frame in which a gateway sends an event. */
export const eventFrame = z
  .object({
    frame: z.literal('event'),
    id: z.string().regex(/^evt_[0-9a-z]+$/),
    seq: z.int().min(1).meta({ description: 'Counts the event frames of this connection' }),
    type: z.enum(Object.keys(events) as [EventType, ...EventType[]]),
    created_at: z.iso.datetime(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'EventFrame' });

/** The samples a gateway's callers receive, in the order of the table: 15 for a partner, 19 for a user. */
export function sampleEventsOf(gateway: 'partner' | 'user'): readonly { type: EventType; data: unknown }[] {
  const definitions: ReadonlyArray<readonly [string, EventDefinition]> = Object.entries(events);
  return definitions
    .filter(([, definition]) => definition.gateways.includes(gateway))
    .flatMap(([type, definition]) => definition.samples.map((data) => ({ type: type as EventType, data })));
}
