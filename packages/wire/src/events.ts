import { keysOf } from '@core/position';
import { z } from 'zod';
import { notification, notificationSamples } from './events/notifications.ts';
import { sampleMarket } from './events/sampleMarket.ts';
import { sampleClosedPosition, sampleOpenPosition, samplePendingPosition } from './events/samplePositions.ts';
import { market } from './resources/market.ts';
import { position } from './resources/position.ts';

/** Gateway of an event: partner positions, user positions, or markets. */
export type Gateway = 'partner' | 'user' | 'markets';

/** Definition of an event type: recipients, schema of its `data`, and one sample per variant. */
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

/** Table of all WebSocket events with the samples of POST /sample-events, so that every event can be rehearsed. */
export const events = {
  'position.created': {
    ...aboutPosition,
    summary: 'The position exists on chain; its opening order follows',
    samples: [samplePendingPosition()],
  },
  'position.opening': {
    ...aboutPosition,
    summary: 'An opening order was authorised',
    samples: [samplePendingPosition()],
  },
  'position.opened': {
    ...aboutPosition,
    summary: 'The position is open with the filled part',
    samples: [sampleOpenPosition()],
  },
  'position.close_requested': {
    ...aboutPosition,
    summary: 'The owner requested a full close',
    samples: [
      sampleOpenPosition({ status: 'closing', pending_operation: { type: 'close', requested_at: operationTime } }),
    ],
  },
  'position.closed': {
    ...aboutPosition,
    summary: 'All tokens are sold, or the owner repaid the loan and withdrew the tokens',
    samples: [sampleClosedPosition({ status: 'closed', close_reason: 'closed' })],
  },
  'position.partial_close_requested': {
    ...aboutPosition,
    summary: 'The owner requested a partial close',
    samples: [
      sampleOpenPosition({
        status: 'closing',
        pending_operation: { type: 'partial_close', requested_at: operationTime, token_units: '50000000' },
      }),
    ],
  },
  'position.partial_close_initiated': {
    ...aboutPosition,
    summary: 'The order of a partial close was authorised',
    samples: [
      sampleOpenPosition({
        status: 'closing',
        pending_operation: { type: 'partial_close', requested_at: operationTime, token_units: '50000000' },
      }),
    ],
  },
  'position.partial_closed': {
    ...aboutPosition,
    summary: 'A partial close was executed',
    samples: [sampleOpenPosition()],
  },
  'position.partial_close_aborted': {
    ...aboutPosition,
    summary: 'The order of a partial close ended without a fill, or the part became too small to sell separately',
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
    summary: 'The settlement of the market advanced: its status, its payouts, or an oracle with a pending answer',
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
    summary: 'Another visible change: a pending order, added margin, a withdrawn request, a late payment',
    samples: [sampleOpenPosition({ current: { ...unwound.current, leverage_bps: 22_500, book_leverage_bps: 22_500 } })],
  },
  notification: {
    gateways: ['user'],
    data: notification,
    summary: 'Progress of an opening; dispatch on the code',
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
    summary: 'Ticker and changed fields of a market; at most one per market in 250 ms',
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

/** Event type. */
export type EventType = keyof typeof events;

/** Frame in which a gateway sends an event. */
export const eventFrame = z
  .object({
    frame: z.literal('event'),
    id: z.string().regex(/^evt_[0-9a-z]+$/),
    seq: z.int().min(1).meta({ description: 'Counts the event frames of this connection' }),
    type: z.enum(keysOf(events)),
    created_at: z.iso.datetime(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'EventFrame' });

/** Definition of every event type, in the order of the table. */
export const eventDefinitions: ReadonlyArray<readonly [EventType, EventDefinition]> = keysOf(events).map((type) => [
  type,
  events[type],
]);

/** Return the samples of a gateway in the order of the table: 16 for a partner, 20 for a user. */
export function sampleEventsOf(gateway: 'partner' | 'user'): readonly { type: EventType; data: unknown }[] {
  return eventDefinitions
    .filter(([, definition]) => definition.gateways.includes(gateway))
    .flatMap(([type, definition]) => definition.samples.map((data) => ({ type, data })));
}
