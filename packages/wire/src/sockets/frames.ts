import { z } from 'zod';
import { isoTime } from '../codecs/formats.ts';
import { eventFrame } from '../events.ts';
import { position } from '../resources/position.ts';

const eventId = z.string().regex(/^evt_[0-9a-z]+$/, 'must be an event ID');

/** Frames the service sends, in the order in which a client meets them. */
export const serverFrames = {
  connected: z.object({
    frame: z.literal('connected'),
    connection_id: z.string(),
    expires_at: isoTime.nullable().meta({ description: 'When the token expires; null for an API key' }),
    last_event_id: eventId
      .nullable()
      .optional()
      .meta({ description: 'Markets gateway only: what the stream goes on from' }),
  }),
  snapshot: z.object({
    frame: z.literal('snapshot'),
    positions: z.array(position),
    last_event_id: eventId.nullable().meta({ description: 'Resume from here; null when there was no event yet' }),
    has_more: z.boolean().meta({ description: 'True when another snapshot frame follows at once' }),
  }),
  event: eventFrame,
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
    retry_after_ms: z.int().meta({ description: 'Wait this long before connecting again' }),
  }),
} as const satisfies Record<string, z.ZodType>;

export type ServerFrameName = keyof typeof serverFrames;
export type ServerFrame = {
  [Name in Exclude<ServerFrameName, 'event'>]: z.input<(typeof serverFrames)[Name]>;
}[Exclude<ServerFrameName, 'event'>];

/** Samples of every frame but `event`, whose samples stand in the event table. */
export const serverFrameSamples: {
  readonly [Name in Exclude<ServerFrameName, 'event'>]: z.input<(typeof serverFrames)[Name]>;
} = {
  connected: { frame: 'connected', connection_id: 'con_5b0a1c', expires_at: '2026-01-15T13:00:00.000Z' },
  snapshot: { frame: 'snapshot', positions: [], last_event_id: 'evt_01jd0000000000000000000000', has_more: false },
  resync_required: { frame: 'resync_required', reason: 'unknown_event' },
  token_expiring: { frame: 'token_expiring', expires_at: '2026-01-15T13:00:00.000Z' },
  authenticated: { frame: 'authenticated', expires_at: '2026-01-15T14:00:00.000Z' },
  pong: { frame: 'pong' },
  error: { frame: 'error', code: 'invalid_request', message: 'action: must be authenticate or ping' },
  restarting: { frame: 'restarting', retry_after_ms: 1_500 },
};

/** Frames a client may send. */
export const clientFrames = {
  authenticate: z.strictObject({ action: z.literal('authenticate'), token: z.string().min(1) }),
  ping: z.strictObject({ action: z.literal('ping') }),
} as const;
export const clientFrame = z.discriminatedUnion('action', [clientFrames.authenticate, clientFrames.ping]);
export const clientFrameSamples = {
  authenticate: { action: 'authenticate', token: '<ACCESS_TOKEN>' },
  ping: { action: 'ping' },
} as const satisfies { readonly [Name in keyof typeof clientFrames]: z.input<(typeof clientFrames)[Name]> };
