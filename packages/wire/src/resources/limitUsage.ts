import { z } from 'zod';
import { moneyShape, signedMoneyShape } from '../codecs/moneyShapes.ts';

/**
 * Limit usage (specification, Resources, Limit usage). Remaining is negative after a limit was lowered below its usage.
 */
export const limitUsage = z
  .object({ ...moneyShape('limit'), ...moneyShape('usage'), ...signedMoneyShape('remaining') })
  .meta({ id: 'LimitUsage' });

export type LimitUsageWire = z.input<typeof limitUsage>;
