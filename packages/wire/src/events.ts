import { z } from 'zod';
import { notification, notificationSamples } from './events/notifications.ts';
import { sampleMarket } from './events/sampleMarket.ts';
import { sampleClosedPosition, sampleOpenPosition, samplePendingPosition } from './events/samplePositions.ts';
import { market } from './resources/market.ts';
import { position } from './resources/position.ts';

/** Where an event is delivered: partner positions, user positions, or the markets gateway. */
export type Gateway = 'partner' | 'user' | 'markets';

/** One kind of event: who receives it, the shape of its `data`, and one sample per variant. */
export interface EventDefinition {
  readonly gateways: readonly Gateway[];
  readonly data: z.ZodType;
  readonly summary: string;
  readonly samples: readonly unknown[];
}

const marketUpdate = market.partial().extend({ ticker: z.string() });

const aboutPosition = { gateways: ['partner', 'user'], data: position } as const;
const operationTime = '2026-01-15T15:00:00.000Z';
const unwound = sampleOpenPosition();

/**
 * Every WebSocket event with the sample that POST /sample-events sends: what a gateway can emit and what a caller can
 * rehearse are complete together.
 */
export const events = {
  'position.created': {
    ...aboutPosition,
    summary: 'The chain has the position; its opening order comes next',
    samples: [samplePendingPosition()],
  },
  'position.opening': {
    ...aboutPosition,
    summary: 'An opening order was authorised',
    samples: [samplePendingPosition()],
  },
  'position.opened': {
    ...aboutPosition,
    summary: 'The position is open with what was filled',
    samples: [sampleOpenPosition()],
  },
  'position.close_requested': {
    ...aboutPosition,
    summary: 'The owner asked to close everything',
    samples: [
      sampleOpenPosition({ status: 'closing', pending_operation: { type: 'close', requested_at: operationTime } }),
    ],
  },
  'position.closed': {
    ...aboutPosition,
    summary: 'Everything is sold, or the owner repaid and took the tokens',
    samples: [sampleClosedPosition({ status: 'closed', close_reason: 'closed' })],
  },
  'position.partial_close_requested': {
    ...aboutPosition,
    summary: 'The owner asked to close a part',
    samples: [
      sampleOpenPosition({
        status: 'closing',
        pending_operation: { type: 'partial_close', requested_at: operationTime, token_units: '50000000' },
      }),
    ],
  },
  'position.partial_close_initiated': {
    ...aboutPosition,
    summary: 'The order for a part was authorised',
    samples: [
      sampleOpenPosition({
        status: 'closing',
        pending_operation: { type: 'partial_close', requested_at: operationTime, token_units: '50000000' },
      }),
    ],
  },
  'position.partial_closed': {
    ...aboutPosition,
    summary: 'A part was sold',
    samples: [sampleOpenPosition()],
  },
  'position.partial_close_aborted': {
    ...aboutPosition,
    summary: 'The order for a part ended without a fill, or the part can no longer be sold by itself',
    samples: [sampleOpenPosition()],
  },
  'position.force_unwound': {
    ...aboutPosition,
    summary: 'Tokens were sold to repay debt',
    samples: [{ ...unwound, current: { ...unwound.current, leverage_bps: 20_000, book_leverage_bps: 20_000 } }],
  },
  'position.liquidated': {
    ...aboutPosition,
    summary: 'The position was liquidated',
    samples: [sampleClosedPosition({ status: 'liquidated', close_reason: 'liquidated' })],
  },
  'position.settled': {
    ...aboutPosition,
    summary: "The market's payout was redeemed",
    samples: [sampleClosedPosition({ status: 'settled', close_reason: 'settled' })],
  },
  'position.reverted': {
    ...aboutPosition,
    summary: 'The opening failed and everything is refunded',
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
    summary: 'The owner cancelled the opening and everything is refunded',
    samples: [sampleClosedPosition({ status: 'cancelled', close_reason: 'cancelled' })],
  },
  'position.settlement_state_changed': {
    ...aboutPosition,
    summary: 'The market moved towards its payout: its status, its payouts, or an oracle that owes an answer',
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
  'position.updated': {
    ...aboutPosition,
    summary: 'Something else that shows: an order under way, added margin, a withdrawn request, a late payment',
    samples: [sampleOpenPosition({ current: { ...unwound.current, leverage_bps: 22_500, book_leverage_bps: 22_500 } })],
  },
  notification: {
    gateways: ['user'],
    data: notification,
    summary: 'How an opening is going; the code says what happened',
    samples: notificationSamples,
  },
  'market.discovered': {
    gateways: ['markets'],
    data: market,
    summary: 'A market was listed',
    samples: [sampleMarket],
  },
  'market.updated': {
    gateways: ['markets'],
    data: marketUpdate,
    summary: 'Fields of a market that changed, beside its ticker; at most one per market in 250 ms',
    samples: [
      {
        ticker: sampleMarket.ticker,
        status: 'closed',
        accepting_new_positions: false,
        rejection_reason_code: 'QUOTE_MARKET_NOT_ACTIVE',
        sided_eligibility: {
          yes: { accepting_new_positions: false, rejection_reason_code: 'QUOTE_MARKET_NOT_ACTIVE' },
          no: { accepting_new_positions: false, rejection_reason_code: 'QUOTE_MARKET_NOT_ACTIVE' },
        },
      },
    ],
  },
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

/** The samples a gateway's callers receive, in the order of the table: 16 for a partner, 20 for a user. */
export function sampleEventsOf(gateway: 'partner' | 'user'): readonly { type: EventType; data: unknown }[] {
  const definitions: ReadonlyArray<readonly [string, EventDefinition]> = Object.entries(events);
  return definitions
    .filter(([, definition]) => definition.gateways.includes(gateway))
    .flatMap(([type, definition]) => definition.samples.map((data) => ({ type: type as EventType, data })));
}
