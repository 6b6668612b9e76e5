import type { MarketCategory } from '@core/market';
import type { Hex } from '@core/position';

export interface ChainCursor {
  readonly chainKey: string;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  /** Highest block that cannot be reorganised. */
  readonly finalizedNumber: bigint;
  readonly blockTimeMs: number;
}

export interface ChainBlock {
  readonly chainKey: string;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  readonly parentHash: Hex;
  readonly blockTimeMs: number;
}

export interface ChainEventRecord {
  readonly chainKey: string;
  readonly blockNumber: bigint;
  readonly logIndex: number;
  readonly transactionHash: Hex;
  readonly transactionIndex: number;
  readonly contractAddress: Hex;
  readonly name: string;
  /** Position key, null for events of no position. */
  readonly subject: string | null;
  /** Decoded arguments, domain values. */
  readonly arguments: unknown;
  readonly blockTimeMs: number;
}

/** The end of a grant, with what it was authorised for. */
export interface EndedGrantRecord extends ChainEventRecord {
  /** Category of its market; null without a listed one. */
  readonly category: MarketCategory | null;
  /** Entry price of its position's quote; null without a position, 0 without a quote. */
  readonly entryPricePips: bigint | null;
  /** Decoded arguments of its authorisation. */
  readonly authorization: unknown;
  readonly authorizedAtMs: number;
  /** Decoded arguments of its fills, in no order. */
  readonly fills: readonly unknown[];
  /** It ended in the transaction of a fill. */
  readonly isEndedByFill: boolean;
}

/** Indexed values of the vault's and the pool's own counts, all at one block. */
export interface IndexedCounts extends Pick<ChainCursor, 'blockNumber' | 'blockHash'> {
  readonly outcomeCount: number;
  /** Positions whose account has come into being. */
  readonly accountCount: number;
  /** Borrow of all positions that is not repaid. */
  readonly owedUsdcUnits: bigint;
}

export type EventPlace = Pick<ChainEventRecord, 'blockNumber' | 'logIndex' | 'name'>;

/** Return the subjects of events, each once; events without one are left out. */
export function subjectsOf(events: readonly { readonly subject: string | null }[]): readonly string[] {
  return [...new Set(events.flatMap(({ subject }) => (subject === null ? [] : [subject])))];
}
