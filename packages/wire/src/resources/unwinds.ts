import { keysOf, unwindReasons } from '@core/position';
import { z } from 'zod';
import { isoTime } from '../codecs/formats.ts';
import { priceShape } from '../codecs/moneyShapes.ts';
import { leverageBpsNumber } from '../codecs/quantities.ts';

/** Reason of an unwind (specification, Resources, Position, `reason` values). */
const unwindReasonValue = z.enum(keysOf(unwindReasons));

const executedUnwind = z.object({
  executed_at: isoTime,
  before_leverage_bps: leverageBpsNumber,
  after_leverage_bps: leverageBpsNumber,
  reason: unwindReasonValue.nullable(),
  reason_detail: z.string().nullable(),
});

const plannedUnwind = z
  .object({
    rung: z.int(),
    trigger: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('price'), ...priceShape('price') }),
      z.object({ kind: z.literal('time'), at: isoTime }),
    ]),
    target_leverage_bps: leverageBpsNumber,
    status: z.enum(['planned', 'triggered', 'superseded']),
    triggered_at: isoTime.nullable(),
    executed_unwind_id: z.string().nullable(),
  })
  .meta({ id: 'PlannedUnwind' });

const leverageHistory = {
  current_leverage_bps: leverageBpsNumber,
  origination_leverage_bps: leverageBpsNumber,
  originated_at: isoTime.nullable(),
};

/** Expansion `unwinds`: completed unwinds in order of time. */
export const unwinds = z
  .object({ ...leverageHistory, data: z.array(executedUnwind), has_more: z.boolean() })
  .meta({ id: 'Unwinds' });

/** Expansion `planned_unwinds`: the ladder of a committed position. */
export const plannedUnwinds = z
  .object({ data: z.array(plannedUnwind), has_more: z.boolean() })
  .meta({ id: 'PlannedUnwinds' });

/** Response of the deprecated unwinds route: executed rows, then ladder rows, filtered by `status`. */
export const unwindList = z
  .object({ ...leverageHistory, data: z.array(z.union([executedUnwind, plannedUnwind])), has_more: z.boolean() })
  .meta({ id: 'UnwindList', deprecated: true });

export type UnwindsWire = z.input<typeof unwinds>;
export type PlannedUnwindsWire = z.input<typeof plannedUnwinds>;
