import { type LivePurpose, livePurposes, type PositionEvent } from '@core/position';
import { usdcUnits } from '@core/pricing';
import type { ChainEventRecord } from '@core/store';
import { OrderSide, type Purpose, positionStateNameOf, purposeNameOf, type VaultEvent } from '@core/vault';

/**
 * A fill of one of our orders at the exchange, the fee in USDC units. What left the account may be less than
 * `makerAmountFilled`: where a pair was minted, the exchange counts what it took at first. The vault measures.
 */
export interface OrderFilledEvent {
  readonly source: 'exchange';
  readonly name: 'OrderFilled';
  readonly args: {
    readonly orderHash: string;
    readonly side: number;
    readonly makerAmountFilled: bigint;
    readonly takerAmountFilled: bigint;
    readonly fee: bigint;
  };
}

export type StoredEvent = Pick<ChainEventRecord, 'transactionHash' | 'blockNumber' | 'logIndex' | 'blockTimeMs'> &
  (VaultEvent | OrderFilledEvent);

/** A stored event with its shape. Rows are written by the indexer from decoded logs, so it is known. */
export function storedEventOf(record: ChainEventRecord): StoredEvent {
  const { name, transactionHash, blockNumber, logIndex, blockTimeMs } = record;
  const source = name === 'OrderFilled' ? 'exchange' : 'vault';
  return { source, name, args: record.arguments, transactionHash, blockNumber, logIndex, blockTimeMs } as StoredEvent;
}

/**
 * An event as the fold reads it, numbers of the contract turned into names; null for one that no position depends on.
 */
export function positionEventOf(event: StoredEvent): PositionEvent | null {
  const { transactionHash, blockNumber, logIndex, blockTimeMs } = event;
  const place = { transactionHash, blockNumber, logIndex, blockTimeMs };
  switch (event.name) {
    case 'PositionCreated':
    case 'PositionOpened':
    case 'CloseRequested':
    case 'CancelRequested':
    case 'MarginAdded':
    case 'PositionExited':
    case 'PositionSettled':
    case 'Claimed':
    case 'PaymentDeferred':
      return event;
    case 'OrderAuthorized':
      return { ...place, name: event.name, args: { ...event.args, purpose: livePurposeOf(event.args.purpose) } };
    case 'OrderEnded':
      return { ...place, name: event.name, args: { ...event.args, purpose: livePurposeOf(event.args.purpose) } };
    case 'OrderFilled':
      return { ...place, name: event.name, args: filledOf(event.args) };
    case 'PositionReduced':
      return {
        ...place,
        name: event.name,
        args: {
          ...event.args,
          purpose: purposeNameOf(event.args.purpose),
          state: positionStateNameOf(event.args.state),
        },
      };
    case 'PositionRefunded':
      return { ...place, name: event.name, args: { ...event.args, state: positionStateNameOf(event.args.state) } };
    default:
      return null;
  }
}

function filledOf({ orderHash, side, fee }: OrderFilledEvent['args']) {
  return { orderHash, side: side === OrderSide.Buy ? 'buy' : 'sell', feeUsdcUnits: usdcUnits(fee) } as const;
}

function livePurposeOf(number: Purpose): LivePurpose {
  const name = purposeNameOf(number);
  const purpose = livePurposes.find((live) => live === name);
  if (purpose === undefined) throw new Error(`an order of purpose ${number} is none`);
  return purpose;
}
