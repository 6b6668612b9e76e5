import { type Hex, type LivePurpose, livePurposes, type PositionEvent } from '@core/position';
import { usdcUnits } from '@core/pricing';
import type { ChainEventRecord } from '@core/store';
import {
  OrderSide,
  type Purpose,
  positionStateNameOf,
  purposeNameOf,
  type VaultEvent,
  vaultAbi,
  venueExchangeAbi,
} from '@core/vault';
import type { AbiParameter } from 'viem';

/**
 * A fill of one of our orders at the exchange, the fee in USDC units. The account may have paid less than
 * `makerAmountFilled`: where a pair was minted, the exchange counts its first transfer. The vault measures.
 */
export interface OrderFilledEvent {
  readonly source: 'exchange';
  readonly name: 'OrderFilled';
  readonly args: {
    readonly orderHash: Hex;
    readonly side: number;
    readonly makerAmountFilled: bigint;
    readonly takerAmountFilled: bigint;
    readonly fee: bigint;
  };
}

export type StoredEvent = Pick<ChainEventRecord, 'transactionHash' | 'blockNumber' | 'logIndex' | 'blockTimeMs'> &
  (VaultEvent | OrderFilledEvent);

/**
 * Return a stored event with its type. The indexer wrote the row from a decoded log.
 * @throws Error for a row whose arguments are not those of its event.
 */
export function storedEventOf(record: ChainEventRecord): StoredEvent {
  const { name, transactionHash, blockNumber, logIndex, blockTimeMs } = record;
  const source = name === 'OrderFilled' ? 'exchange' : 'vault';
  const event = { source, name, args: record.arguments, transactionHash, blockNumber, logIndex, blockTimeMs } as const;
  if (!isStored(event))
    throw new Error(`log ${logIndex} of block ${blockNumber} is stored without arguments of ${name}`);
  return event;
}

/**
 * Return those of stored events that can be read, for readers of several positions: one unreadable row, whose position
 * is frozen when it is folded, stops no other.
 */
export function readableEventsOf(records: readonly ChainEventRecord[]): readonly StoredEvent[] {
  const isReadable = ({ name, arguments: args }: ChainEventRecord): boolean => {
    const inputs = inputsByName.get(name);
    return inputs !== undefined && hasValues(args, inputs);
  };
  return records.filter(isReadable).map(storedEventOf);
}

type StoredRow = Pick<StoredEvent, 'transactionHash' | 'blockNumber' | 'logIndex' | 'blockTimeMs' | 'source'> & {
  readonly name: string;
  readonly args: unknown;
};

function isStored(event: StoredRow): event is StoredRow & StoredEvent {
  const inputs = inputsByName.get(event.name);
  return inputs !== undefined && hasValues(event.args, inputs);
}

/** Arguments of every event of the vault, and of the fills of the exchange, by the name of the event. */
const inputsByName = new Map<string, readonly AbiParameter[]>([
  ...vaultAbi.flatMap((entry) => (entry.type === 'event' ? [[entry.name, entry.inputs] as const] : [])),
  ...venueExchangeAbi.flatMap((entry) =>
    entry.type === 'event' && entry.name === 'OrderFilled' ? [[entry.name, entry.inputs] as const] : [],
  ),
]);

function hasValues(values: unknown, inputs: readonly AbiParameter[]): boolean {
  if (typeof values !== 'object' || values === null) return false;
  return inputs.every((input) => isValue(Reflect.get(values, input.name ?? ''), input));
}

function isValue(value: unknown, input: AbiParameter): boolean {
  if ('components' in input) return hasValues(value, input.components);
  if (input.type === 'bool') return typeof value === 'boolean';
  const isNumber = input.type.startsWith('uint') || input.type.startsWith('int');
  return isNumber ? typeof value === 'bigint' || typeof value === 'number' : typeof value === 'string';
}

/**
 * Return the events of a position as the fold reads them, in their order. A grant is read as an order: the transaction
 * that authorised it takes the place of the order's hash, and its fills are those of the exchange.
 */
export function positionEventsOf(events: readonly StoredEvent[]): readonly PositionEvent[] {
  let grantHash: Hex = '0x';
  return events.flatMap((event) => {
    if (event.name === 'GrantAuthorized') grantHash = event.transactionHash;
    const read = positionEventOf(event, grantHash);
    return read === null ? [] : [read];
  });
}

/** Return an event as the fold reads it, contract numbers replaced by names; null for one that affects no position. */
function positionEventOf(event: StoredEvent, grantHash: Hex): PositionEvent | null {
  const { transactionHash, blockNumber, logIndex, blockTimeMs } = event;
  const position = { transactionHash, blockNumber, logIndex, blockTimeMs };
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
      return { ...position, name: event.name, args: { ...event.args, purpose: livePurposeOf(event.args.purpose) } };
    case 'OrderEnded':
      return { ...position, name: event.name, args: { ...event.args, purpose: livePurposeOf(event.args.purpose) } };
    case 'OrderFilled':
      return { ...position, name: event.name, args: filledOf(event.args) };
    case 'GrantAuthorized':
      return { ...position, name: 'OrderAuthorized', args: grantedOf(event.args, grantHash) };
    case 'GrantFilled': {
      const { feeUsdcUnits } = event.args;
      const side = purposeNameOf(event.args.purpose) === 'open' ? 'buy' : 'sell';
      return { ...position, name: 'OrderFilled', args: { orderHash: grantHash, side, feeUsdcUnits } };
    }
    case 'GrantEnded': {
      const { purpose, filledUnits } = event.args;
      return {
        ...position,
        name: 'OrderEnded',
        args: { purpose: livePurposeOf(purpose), filledMakerAmount: filledUnits },
      };
    }
    case 'PositionReduced':
      return {
        ...position,
        name: event.name,
        args: {
          ...event.args,
          purpose: purposeNameOf(event.args.purpose),
          state: positionStateNameOf(event.args.state),
        },
      };
    case 'PositionRefunded':
      return { ...position, name: event.name, args: { ...event.args, state: positionStateNameOf(event.args.state) } };
    default:
      return null;
  }
}

function filledOf({ orderHash, side, fee }: OrderFilledEvent['args']) {
  return { orderHash, side: side === OrderSide.Buy ? 'buy' : 'sell', feeUsdcUnits: usdcUnits(fee) } as const;
}

type GrantAuthorizedArguments = Extract<VaultEvent, { readonly name: 'GrantAuthorized' }>['args'];

function grantedOf({ purpose, endsAt, markPips }: GrantAuthorizedArguments, grantHash: Hex) {
  return { orderHash: grantHash, purpose: livePurposeOf(purpose), validUntil: endsAt, markPips };
}

function livePurposeOf(number: Purpose): LivePurpose {
  const name = purposeNameOf(number);
  const purpose = livePurposes.find((live) => live === name);
  if (purpose === undefined) throw new Error(`an order of purpose ${number} is none`);
  return purpose;
}
