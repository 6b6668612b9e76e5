import type { VenueOrder } from '@core/vault';
import type { Address, Hex } from 'viem';
import { z } from 'zod';

const hex = z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'));
const address = z.custom<Address>((value) => typeof value === 'string' && value.startsWith('0x'));
const signedOrder = z.custom<VenueOrder & { readonly signature: Hex }>((value) => typeof value === 'object');

/**
 * Purposes of the filler's own transactions: `lend` and `take` move assets into its deposit wallet and back. `split`
 * stands in journals of fillers that made pairs in a call of their own.
 */
export const callPurposes = ['approve', 'split', 'merge', 'redeem', 'fill', 'lend', 'take'] as const;
export type CallPurpose = (typeof callPurposes)[number];

const movementSchema = z.object({
  hash: hex,
  blockNumber: z.bigint(),
  /** `fill`: with the vault; `venue`: settled by the exchange; `pair`: split, merge or redemption; else a transfer. */
  kind: z.enum(['fill', 'venue', 'pair', 'transfer']),
  /** Grants that the transaction filled; one of kind `fill` filled one when absent. */
  fillCount: z.number().optional(),
  /** USDC units that came in; negative when they went out. */
  usdcUnits: z.bigint(),
  tokens: z.array(z.object({ tokenId: z.bigint(), tokenUnits: z.bigint() })).readonly(),
});

/** Sum of what one transaction moved to and from the filler's account. */
export type Movement = z.output<typeof movementSchema>;

const openedSchema = z.object({
  kind: z.literal('opened'),
  chainId: z.number(),
  vault: address,
  account: address,
  /** Last block before the accounts begin, and the USDC held in it. */
  blockNumber: z.bigint(),
  usdcUnits: z.bigint(),
});

/** Beginning of a journal: deployment and account that it belongs to. */
export type Opened = z.output<typeof openedSchema>;

const callSchema = z.object({
  kind: z.literal('call'),
  /** Key of the effect: purpose, subject and attempt. A second signature of it replaces the first on its nonce. */
  id: z.string(),
  purpose: z.enum(callPurposes),
  nonce: z.number(),
  to: address,
  data: hex,
  gas: z.bigint(),
  maxFeePerGasWei: z.bigint(),
  maxPriorityFeeWei: z.bigint(),
  hash: hex,
  rawTransaction: hex,
});

/** Signed transaction, written before it is sent. */
export type SignedCall = z.output<typeof callSchema>;

const callEndSchema = z.object({
  kind: z.literal('call_end'),
  id: z.string(),
  outcome: z.enum(['included', 'reverted', 'replaced']),
  gasWei: z.bigint(),
});

const orderSchema = z.object({
  kind: z.literal('order'),
  /** Hash of the order. */
  id: hex,
  conditionId: hex,
  order: signedOrder,
  orderType: z.enum(['FOK', 'FAK', 'GTC']),
});

/** Signed order, written before it is posted. */
export type SignedOrder = z.output<typeof orderSchema>;

const orderEndSchema = z.object({
  kind: z.literal('order_end'),
  id: hex,
  outcome: z.enum(['over', 'refused']),
  code: z.string().nullable(),
});

/** End of a transaction or order. */
export type EndLine = z.output<typeof callEndSchema> | z.output<typeof orderEndSchema>;

const marketSchema = z.object({
  kind: z.literal('market'),
  conditionId: hex,
  yesTokenId: z.bigint(),
  noTokenId: z.bigint(),
});

/** Market that the filler traded in. */
export type TradedMarket = Omit<z.output<typeof marketSchema>, 'kind'>;

/** Line of the journal. */
export const lineSchema = z.discriminatedUnion('kind', [
  openedSchema,
  callSchema,
  callEndSchema,
  orderSchema,
  orderEndSchema,
  marketSchema,
  /** Movements of the account up to a block. */
  z.object({ kind: z.literal('booked'), throughBlock: z.bigint(), movements: z.array(movementSchema).readonly() }),
  /** Gas of transactions whose lines were removed. */
  z.object({ kind: z.literal('gas'), wei: z.bigint() }),
]);

export type JournalLine = z.output<typeof lineSchema>;
