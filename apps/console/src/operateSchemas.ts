import { z } from 'zod';

const exit = z.object({
  category: z.enum(['crypto', 'sport']),
  sale_count: z.number(),
  p95_ms: z.number().nullable(),
  exit_seconds: z.number(),
  is_open: z.boolean(),
});

const keeper = z.object({
  address: z.string(),
  /** Market shares that this keeper serves, by number and count: `3/64`. */
  shares: z.array(z.string()),
  heartbeat_age_ms: z.number(),
  is_venue_taking_orders: z.boolean(),
  is_price_signer_answering: z.boolean(),
  required_signatures: z.number().nullable(),
  price_signers: z.array(z.object({ name: z.string(), is_answering: z.boolean(), is_appointed: z.boolean() })),
  unseen_markets: z.array(z.string()),
  exits: z.array(exit),
});

const task = z.object({
  name: z.string(),
  interval_ms: z.number(),
  silence_ms: z.number(),
  is_silent: z.boolean(),
});

const key = z.object({ id: z.string(), prefix: z.string(), is_active: z.boolean() });
const partner = z.object({ id: z.string(), name: z.string(), environment: z.string(), keys: z.array(key) });

/** Responses of the operational endpoints, reduced to what the operator page shows. */
export const apiReadiness = z.object({ missing: z.array(z.string()), keepers: z.array(keeper) });
export const keeperReadiness = z.object({ tasks: z.array(task) });
export const partnerList = z.array(partner);

/** Duration of forced sales of a category, with the maximum leverage that follows. */
export type ExitFacts = z.infer<typeof exit>;
/** State of a keeper from its last heartbeat. */
export type KeeperFacts = z.infer<typeof keeper>;
/** Job of the keeper with the time since its last success. */
export type TaskFacts = z.infer<typeof task>;
export type ApiFacts = z.infer<typeof apiReadiness>;
export type PartnerFacts = z.infer<typeof partner>;
