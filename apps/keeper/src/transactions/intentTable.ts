import { keysOf, openingFailureReasons, unwindReasons as unwindReasonTable } from '@core/position';
import type { PricePips, TokenUnits } from '@core/pricing';
import { OrderSide } from '@core/vault';
import { type Address, type Hex, isAddress, isHex } from 'viem';
import { z } from 'zod';

const unwindReasons = keysOf(unwindReasonTable);
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

/** Chain time of the decision: retry delays use that clock. */
const decided = z.object({ decidedAtMs: z.number().int() });

/** Data with which an authorised order is posted later, possibly by another process. */
const orderAuthorization = decided.extend({
  order: venueOrder,
  orderHash: hex,
  orderType,
  attempt: z.number().int(),
});

/** Grant that was authorised: nothing is posted for it. */
const grantAuthorization = decided.extend({
  grant: z.object({ mostUnits: z.bigint() }),
  attempt: z.number().int(),
});

/** Authorisation on either route, with the data of its purpose. */
const authorizing = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.union([orderAuthorization.extend(shape), grantAuthorization.extend(shape)]);

/** Close request of an order and the depth of the book at it: the delay of the next order follows from them. */
const closeAttempt = decided.extend({
  requestedTokenUnits: quantity<TokenUnits>(),
  minPricePips: quantity<PricePips>(),
  reachTokenUnits: quantity<TokenUnits>(),
});

/** The contract's error when the call was refused before it was signed, and the refusals so far. */
const callOutcome = z.object({ revert: z.string(), count: z.number().int().default(1) });

/** Reason of an unwind and tokens at its order: while the tokens are unchanged, orders since then sold nothing. */
const unwindAttempt = z.object({
  reason: z.enum(unwindReasons),
  heldTokenUnits: quantity<TokenUnits>(),
  isHardExit: z.boolean(),
  /** Absent in orders from before rungs were carried out. */
  rung: z.number().int().nullable().default(null),
});

/** A contract call; `details` is the state needed to resume after a crash. Absent gas: the limit of every call. */
const callOf = <Details extends z.ZodType>(details: Details) => ({
  plan: z.object({ kind: z.literal('transaction'), to: address, data: hex, gas: z.bigint().optional(), details }),
  outcome: callOutcome,
});
/** A decision without an external effect, stored because later decisions depend on it. */
const note = z.object({ kind: z.literal('none'), details: decided });

/** Outcome of an order at the venue: its refusal in the service's terms, null when it was accepted, and its matches. */
const orderOutcome = z.object({
  refusal: z.string().nullable(),
  trades: z.array(z.object({ tradeId: z.string(), status: z.string(), transactionHash: z.string().nullable() })),
});
const post = { plan: z.object({ kind: z.literal('order'), order: venueOrder, orderType }), outcome: orderOutcome };

const authorizeOpen = callOf(authorizing({}));

/** Authorisation of a sale: a call of its own, or a member of a batch, whose intent has the batch as its subject. */
const authorizeSale = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const { plan, outcome } = callOf(authorizing(shape));
  const member = z.object({ kind: z.literal('member'), batch: hex, details: grantAuthorization.extend(shape) });
  return { plan: z.discriminatedUnion('kind', [plan, member]), outcome };
};

/**
 * Every external effect of the keeper: the plan of its intent, written before the effect, and its outcome when it ends
 * without one. An operation outside this table cannot be prepared, sent or recovered. A purpose of an order has an
 * `authorize_`, a `post_` and a `finalize_` operation.
 */
export const intentTable = {
  register_outcome: callOf(z.object({})),
  /** An attempt that ended before an order existed is a note: it counts as an attempt. */
  authorize_open: { ...authorizeOpen, plan: z.discriminatedUnion('kind', [authorizeOpen.plan, note]) },
  authorize_close: authorizeSale({ close: closeAttempt }),
  authorize_unwind: authorizeSale({ unwind: unwindAttempt }),
  authorize_liquidate: authorizeSale({}),
  /** Grants of several sales of one token under one consent. */
  authorize_batch: callOf(decided),
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
  /** A transfer to the keeper itself on an assigned nonce without an owner. */
  fill_gap: callOf(z.object({})),
} as const;

export type Operation = keyof typeof intentTable;
export type PlanOf<Name extends Operation> = z.output<(typeof intentTable)[Name]['plan']>;
export type OutcomeOf<Name extends Operation> = z.output<(typeof intentTable)[Name]['outcome']>;

export type OrderOutcome = z.output<typeof orderOutcome>;
/** Authorisation of an order at the venue. */
export type OrderAuthorization = z.output<typeof orderAuthorization>;
/** Authorisation of a grant. */
export type GrantAuthorization = z.output<typeof grantAuthorization>;
/** Authorisation of an order or a grant. */
export type Authorization = OrderAuthorization | GrantAuthorization;

/** Purposes of orders. */
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
