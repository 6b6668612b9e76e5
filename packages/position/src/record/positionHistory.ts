import {
  bigint,
  type FieldTable,
  flag,
  hex,
  hexes,
  instant,
  integer,
  leverageBps,
  nullable,
  oneOf,
  type RecordOf,
  text,
  tokenUnits,
  usdcUnits,
} from './field.ts';
import type { Position } from './position.ts';

/** The nine groups of the specification's position transactions. */
export const transactionGroups = [
  'open',
  'close',
  'liquidation',
  'settle',
  'force_unwind',
  'cancel_request',
  'cancel',
  'revert',
  'redemption',
] as const;
export type TransactionGroup = (typeof transactionGroups)[number];

export const positionTransactionFields = {
  group: oneOf(transactionGroups),
  transactionHash: hex,
  blockNumber: bigint,
  logIndex: integer,
  /** True when this transaction's purpose routes to the exchange: only then the wire shows the list. */
  routed: flag,
  /** The venue's match transactions. */
  exchangeTransactionHashes: hexes,
} as const satisfies FieldTable;

/** A transaction of a position's history. */
export interface PositionTransaction extends RecordOf<typeof positionTransactionFields> {}

export const positionUnwindFields = {
  /** 0, 1, … in order of execution. */
  sequence: integer,
  executedAtMs: instant,
  beforeLeverageBps: leverageBps,
  afterLeverageBps: leverageBps,
  /** A value of the specification's `reason` list; null when no risk run is behind it. */
  reason: nullable(text),
  /** The rung of the ladder that it carried out; null for any other unwind. */
  rung: nullable(integer),
  blockNumber: bigint,
} as const satisfies FieldTable;

/** A completed unwind. */
export interface PositionUnwind extends RecordOf<typeof positionUnwindFields> {}

export const positionPartialCloseFields = {
  sequence: integer,
  executedAtMs: instant,
  soldTokenUnits: tokenUnits,
  saleProceedsUsdcUnits: usdcUnits,
  capitalRepaidUsdcUnits: usdcUnits,
  userPayoutUsdcUnits: usdcUnits,
  remainingTokenUnits: tokenUnits,
  newLeverageBps: leverageBps,
  blockNumber: bigint,
} as const satisfies FieldTable;

/** A part of a position that its user closed. */
export interface PositionPartialClose extends RecordOf<typeof positionPartialCloseFields> {}

/** A position with everything that hangs on it. */
export interface PositionHistory {
  readonly position: Position;
  readonly transactions: readonly PositionTransaction[];
  readonly unwinds: readonly PositionUnwind[];
  readonly partialCloses: readonly PositionPartialClose[];
}
