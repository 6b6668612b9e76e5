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

/** Kinds of the rows of a ledger. An exit repays the debt and takes the tokens; a claim pays what came later. */
export const ledgerKinds = [
  'opening',
  'margin',
  'close',
  'unwind',
  'liquidation',
  'exit',
  'settlement',
  'refund',
  'claim',
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

export const positionLedgerFields = {
  /** 0, 1, … in order of the chain. */
  sequence: integer,
  kind: oneOf(ledgerKinds),
  executedAtMs: instant,
  transactionHash: hex,
  /** Tokens bought, sold, settled, or handed over by an exit. */
  tokenUnits: tokenUnits,
  /** Money the tokens were bought for, or brought, before fees; 0 of tokens that were not traded. */
  tradeUsdcUnits: usdcUnits,
  /** Principal that was repaid, also of bad debt. */
  repaidUsdcUnits: usdcUnits,
  /** Fees of service and venue. */
  feeUsdcUnits: usdcUnits,
  /** From the wallet; at the opening without what was returned. Also credited money of the owner that repaid debt. */
  paidInUsdcUnits: usdcUnits,
  /** To the wallet, or credited to it. */
  paidOutUsdcUnits: usdcUnits,
  /** Change of the realized profit after fees. Signed. */
  realizedPnlUsdcUnits: usdcUnits,
  remainingTokenUnits: tokenUnits,
  remainingPrincipalUsdcUnits: usdcUnits,
  /** Unpaid fees; interest on the remaining principal runs from here. */
  remainingFeeUsdcUnits: usdcUnits,
  /** Leverage in the books; null unless the position is open. */
  leverageBps: nullable(leverageBps),
  /** A value of the specification's `reason` list; null but for unwinds. */
  reason: nullable(text),
  blockNumber: bigint,
} as const satisfies FieldTable;

/** A movement of a position's tokens or money. */
export interface PositionLedgerRow extends RecordOf<typeof positionLedgerFields> {}

/** A position with everything that hangs on it. */
export interface PositionHistory {
  readonly position: Position;
  readonly transactions: readonly PositionTransaction[];
  readonly unwinds: readonly PositionUnwind[];
  readonly partialCloses: readonly PositionPartialClose[];
  readonly ledger: readonly PositionLedgerRow[];
}
