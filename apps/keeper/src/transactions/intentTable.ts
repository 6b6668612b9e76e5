import { openingFailureReasons, type UnwindReason, unwindReasons as unwindReasonTable } from '@core/position';
import type { PricePips, TokenUnits } from '@core/pricing';
import { OrderSide } from '@core/vault';
import { type Address, type Hex, isAddress, isHex } from 'viem';
import { z } from 'zod';

const unwindReasons = Object.keys(unwindReasonTable) as [UnwindReason, ...UnwindReason[]];
const hex = z.custom<Hex>((value) => isHex(value));
const address = z.custom<Address>((value) => typeof value === 'string' && isAddress(value, { strict: false }));
const quantity = <Quantity>() => z.custom<Quantity>((value) => typeof value === 'bigint');

const venueOrder = z.object({
  salt: z.bigint(),
  maker: address,
  signer: address,
  tokenId: z.bigint(),
  makerAmount: z.bigint(),
  takerAmount: z.bigint(),
  side: z.union([z.literal(OrderSide.Buy), z.literal(OrderSide.Sell)]),
  signatureType: z.number().int(),
  timestamp: z.bigint(),
  metadata: hex,
  builder: hex,
});
const orderType = z.enum(['FOK', 'FAK']);

/** Chain time of the decision: retry delays are counted on one clock. */
const decided = z.object({ decidedAtMs: z.number().int() });

/** What an authorisation needs to be posted later, also by another process. */
const authorization = decided.extend({
  order: venueOrder,
  orderHash: hex,
  orderType,
  attempt: z.number().int(),
});

/** The close request that an order serves and what the book took of it: the next order's delay follows from it. */
const closeAttempt = decided.extend({
  requestedTokenUnits: quantity<TokenUnits>(),
  minPricePips: quantity<PricePips>(),
  reachTokenUnits: quantity<TokenUnits>(),
});

/** The contract's error when the call was refused before it was signed. */
const callOutcome = z.object({ revert: z.string() });

/** Why an unwind was ordered, and what was held: as long as that stays, orders since then sold nothing. */
const unwindAttempt = z.object({
  reason: z.enum(unwindReasons),
  heldTokenUnits: quantity<TokenUnits>(),
  isHardExit: z.boolean(),
  /** Absent in orders from before rungs were carried out. */
  rung: z.number().int().nullable().default(null),
});

/** A call of a contract; `details` is what has to be known beside it to go on after a crash. */
const callOf = <Details extends z.ZodType>(details: Details) => ({
  plan: z.object({ kind: z.literal('transaction'), to: address, data: hex, details }),
  outcome: callOutcome,
});
/** A decision without any outside effect, kept because later decisions rest on it. */
const note = z.object({ kind: z.literal('none'), details: decided });

/**
 * What became of an order at the venue: its refusal in the service's words, null when it was taken, and its matches.
 */
const orderOutcome = z.object({
  refusal: z.string().nullable(),
  trades: z.array(z.object({ tradeId: z.string(), status: z.string(), transactionHash: z.string().nullable() })),
});
const post = { plan: z.object({ kind: z.literal('order'), order: venueOrder, orderType }), outcome: orderOutcome };

const authorizeOpen = callOf(authorization);

/**
 * Every outside effect of the keeper: what its intent keeps (`plan`, written before the effect) and what is learned
 * when it ends without one (`outcome`). An operation that is not here cannot be prepared, sent or recovered. A
 * purpose of an order is its `authorize_`, its `post_` and its `finalize_`.
 */
export const intentTable = {
  register_outcome: callOf(z.object({})),
  /** An opening that was tried before an order existed is a note: it counts as an attempt. */
  authorize_open: { ...authorizeOpen, plan: z.discriminatedUnion('kind', [authorizeOpen.plan, note]) },
  authorize_close: callOf(authorization.extend({ close: closeAttempt })),
  authorize_unwind: callOf(authorization.extend({ unwind: unwindAttempt })),
  authorize_liquidate: callOf(authorization),
  post_open: post,
  post_close: post,
  post_unwind: post,
  post_liquidate: post,
  finalize_open: callOf(decided),
  finalize_close: callOf(decided),
  finalize_unwind: callOf(decided),
  finalize_liquidate: callOf(decided),
  /** An opening that has tokens and no live order. */
  finalize_none: callOf(decided),
  refund: callOf(decided.extend({ reason: z.enum(openingFailureReasons).nullable() })),
  settle: callOf(decided),
  defer_close: { plan: note, outcome: z.null() },
  /** A transfer to ourselves on a nonce that was given out and has no owner. */
  fill_gap: callOf(z.object({})),
} as const;

export type Operation = keyof typeof intentTable;
export type PlanOf<Name extends Operation> = z.output<(typeof intentTable)[Name]['plan']>;
export type OutcomeOf<Name extends Operation> = z.output<(typeof intentTable)[Name]['outcome']>;

export type OrderOutcome = z.output<typeof orderOutcome>;
export type Authorization = z.output<typeof authorization>;

/** What the keeper sends orders for. */
export type OrderedPurpose = Operation extends infer Name
  ? Name extends `post_${infer Purpose}`
    ? Purpose
    : never
  : never;

/** Operations that call a contract, and the plan of such a call. */
export type CallOperation = {
  [Name in Operation]: Extract<PlanOf<Name>, { kind: 'transaction' }> extends never ? never : Name;
}[Operation];
export type CallOf<Name extends CallOperation> = Extract<PlanOf<Name>, { kind: 'transaction' }>;

export function isOperation(name: string): name is Operation {
  return Object.hasOwn(intentTable, name);
}
