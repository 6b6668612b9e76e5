import { keysOf } from '@core/position';
import { z } from 'zod';

/** Definition of a notification code: message, params and a sample. */
interface NotificationDefinition {
  /** Text for display; programs dispatch on the code. */
  readonly message: string;
  readonly params: z.ZodType;
  readonly sample: unknown;
}

const samplePositionId = 'pos_01jd00000000000000000sample';
const attemptParams = z.object({ position_id: z.string(), attempt: z.int().min(1), max_attempts: z.int().min(1) });
const endParams = z.object({ position_id: z.string(), reason: z.string() });

/** Codes of the event type `notification`, which only the user gateway carries. */
export const notifications = {
  PARTIAL_OPEN_PROGRESS: {
    message: 'The minimum fill is reached, and the rest is being ordered.',
    params: attemptParams,
    sample: { position_id: samplePositionId, attempt: 2, max_attempts: 3 },
  },
  PARTIAL_OPEN_FLOOR_MISSED: {
    message: 'Less than the minimum fill was reached. Everything is refunded.',
    params: endParams,
    sample: { position_id: samplePositionId, reason: 'floor_missed' },
  },
  ORDER_FULFILLMENT_FAILED: {
    message: 'The order was not filled. Everything is refunded.',
    params: endParams,
    sample: { position_id: samplePositionId, reason: 'order_not_filled' },
  },
  ORDER_FULFILLMENT_RETRYING: {
    message: 'The order was not filled and is retried.',
    params: attemptParams,
    sample: { position_id: samplePositionId, attempt: 2, max_attempts: 3 },
  },
} as const satisfies Record<string, NotificationDefinition>;

export type NotificationCode = keyof typeof notifications;
export const notificationCodes: readonly NotificationCode[] = keysOf(notifications);

const variants = notificationCodes.map((code) =>
  z.object({ code: z.literal(code), message: z.string(), params: notifications[code].params }),
);
const [first, ...rest] = variants;
if (first === undefined) throw new Error('notifications have codes');

/** `data` of a notification: the params depend on the code. */
export const notification = z.discriminatedUnion('code', [first, ...rest]);

/** One notification of each code. */
export const notificationSamples = notificationCodes.map((code) => ({
  code,
  message: notifications[code].message,
  params: notifications[code].sample,
}));
