import { z } from 'zod';
import { isoTime } from '../codecs/formats.ts';
import { nullablePriceShape } from '../codecs/moneyShapes.ts';
import { eventFrame } from '../events.ts';
import { marketPrices } from '../resources/market.ts';
import { position } from '../resources/position.ts';
import { socketLimits } from './gateways.ts';

const followedPrices = z
  .object({
    ticker: z.string(),
    prices: marketPrices.nullable().meta({ description: 'Null without recent data' }),
    ...nullablePriceShape('yes_mark_price'),
    ...nullablePriceShape('no_mark_price'),
  })
  .meta({ description: 'Marks value the positions of a side; they remain when the prices are null' });

const eventId = z.string().regex(/^evt_[0-9a-z]+$/, 'must be an event ID');

/** Frames from the service, in the order in which a client receives them. */
export const serverFrames = {
  connected: z.object({
    frame: z.literal('connected'),
    connection_id: z.string(),
    expires_at: isoTime.nullable().meta({ description: 'Expiry of the token; null for an API key' }),
    last_event_id: eventId
      .nullable()
      .optional()
      .meta({ description: 'Markets gateway only: event after which the stream continues' }),
  }),
  snapshot: z.object({
    frame: z.literal('snapshot'),
    positions: z.array(position),
    last_event_id: eventId.nullable().meta({ description: 'Event to resume from; null before the first event' }),
    has_more: z.boolean().meta({ description: 'True when another snapshot frame follows immediately' }),
  }),
  event: eventFrame,
  prices: z.object({
    frame: z.literal('prices'),
    at: isoTime.meta({ description: 'Time of the service' }),
    markets: z.array(followedPrices),
  }),
  resync_required: z.object({
    frame: z.literal('resync_required'),
    reason: z.enum(['unknown_event', 'too_far_behind', 'chain_reorganised']),
  }),
  token_expiring: z.object({ frame: z.literal('token_expiring'), expires_at: isoTime }),
  authenticated: z.object({ frame: z.literal('authenticated'), expires_at: isoTime }),
  pong: z.object({ frame: z.literal('pong') }),
  error: z.object({ frame: z.literal('error'), code: z.literal('invalid_request'), message: z.string() }),
  restarting: z.object({
    frame: z.literal('restarting'),
    retry_after_ms: z.int().meta({ description: 'Milliseconds to wait before connecting again' }),
  }),
} as const satisfies Record<string, z.ZodType>;

export type ServerFrameName = keyof typeof serverFrames;
export type ServerFrame = {
  [Name in Exclude<ServerFrameName, 'event'>]: z.input<(typeof serverFrames)[Name]>;
}[Exclude<ServerFrameName, 'event'>];

/** Samples of every frame except `event`, whose samples are in the event table. */
export const serverFrameSamples: {
  readonly [Name in Exclude<ServerFrameName, 'event'>]: z.input<(typeof serverFrames)[Name]>;
} = {
  connected: { frame: 'connected', connection_id: 'con_5b0a1c', expires_at: '2026-01-15T13:00:00.000Z' },
  snapshot: { frame: 'snapshot', positions: [], last_event_id: 'evt_01jd0000000000000000000000', has_more: false },
  prices: {
    frame: 'prices',
    at: '2026-01-15T12:00:00.250Z',
    markets: [
      {
        ticker: 'btc-up',
        prices: {
          yes_ask_price_usd_pips: '5100',
          yes_ask_price_usd: '0.51',
          yes_bid_price_usd_pips: '4900',
          yes_bid_price_usd: '0.49',
          no_ask_price_usd_pips: '5100',
          no_ask_price_usd: '0.51',
          no_bid_price_usd_pips: '4900',
          no_bid_price_usd: '0.49',
        },
        yes_mark_price_usd_pips: '5000',
        yes_mark_price_usd: '0.50',
        no_mark_price_usd_pips: '5000',
        no_mark_price_usd: '0.50',
      },
    ],
  },
  resync_required: { frame: 'resync_required', reason: 'unknown_event' },
  token_expiring: { frame: 'token_expiring', expires_at: '2026-01-15T13:00:00.000Z' },
  authenticated: { frame: 'authenticated', expires_at: '2026-01-15T14:00:00.000Z' },
  pong: { frame: 'pong' },
  error: { frame: 'error', code: 'invalid_request', message: 'action: must be authenticate or ping' },
  restarting: { frame: 'restarting', retry_after_ms: 1_500 },
};

/** Frames from a client. */
export const clientFrames = {
  authenticate: z.strictObject({ action: z.literal('authenticate'), token: z.string().min(1) }),
  ping: z.strictObject({ action: z.literal('ping') }),
  follow_prices: z
    .strictObject({
      action: z.literal('follow_prices'),
      tickers: z.array(z.string().min(1).max(255)).max(socketLimits.followedMarkets),
    })
    .meta({ description: 'Markets gateway only. Replaces the set of followed markets' }),
} as const;
export const clientFrame = z.discriminatedUnion('action', [
  clientFrames.authenticate,
  clientFrames.ping,
  clientFrames.follow_prices,
]);
export const clientFrameSamples = {
  authenticate: { action: 'authenticate', token: '<ACCESS_TOKEN>' },
  ping: { action: 'ping' },
  follow_prices: { action: 'follow_prices', tickers: ['btc-up'] },
} as const satisfies { readonly [Name in keyof typeof clientFrames]: z.input<(typeof clientFrames)[Name]> };
