import type { ChainEventRecord } from '@core/store';
import type { VaultEvent } from '@core/vault';

/** A fill of one of our orders at the exchange: what left and entered the account, the fee in USDC units. */
export interface OrderFilledEvent {
  readonly source: 'exchange';
  readonly name: 'OrderFilled';
  readonly args: {
    readonly orderHash: string;
    readonly side: number;
    readonly makerAmountFilled: bigint;
    readonly takerAmountFilled: bigint;
    readonly feeAmount: bigint;
  };
}

/** Where an event happened. */
export interface EventPlace {
  readonly transactionHash: string;
  readonly blockNumber: bigint;
  readonly logIndex: number;
  readonly blockTimeMs: number;
}

/** An event of a position's history, with its place on the chain. */
export type PlacedEvent = EventPlace & (VaultEvent | OrderFilledEvent);

/** A stored event as the fold reads it. Rows are written by the indexer from decoded logs, so their shape is known. */
export function placedEventOf(record: ChainEventRecord): PlacedEvent {
  const { name, transactionHash, blockNumber, logIndex, blockTimeMs } = record;
  const source = name === 'OrderFilled' ? 'exchange' : 'vault';
  return { source, name, args: record.arguments, transactionHash, blockNumber, logIndex, blockTimeMs } as PlacedEvent;
}
