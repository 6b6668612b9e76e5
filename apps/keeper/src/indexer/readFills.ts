import type { ChainEventRecord, ChainStore } from '@core/store';
import { type BlockRange, exchangeEventTopics, type LedgerEvent, readInParts, venueExchangeAbi } from '@core/vault';
import { decodeEventLog, type Hex } from 'viem';
import { chainFault } from '../transactions/chainFault.ts';
import { type ChainSource, headersOf, type MinedLog, rangeEndOf, recordOf } from './chainSource.ts';
import { readableEventsOf } from './ledgerEvent.ts';

/** An order that the exchange filled at least in part. */
export type FilledOrder = Pick<
  Extract<LedgerEvent, { name: 'OrderEnded' }>['args'],
  'orderHash' | 'positionKey' | 'filledMakerAmount'
>;

/** The time in which the exchange may fill an order. */
export interface OrderAuthorization {
  readonly blockNumber: bigint;
  /** Chain time after which the vault allows no fill. */
  readonly validUntilMs: number;
}

/** Reads the stored authorisations of orders of positions, by order hash in lower case. */
export type FindAuthorizations = (positionKeys: readonly string[]) => Promise<ReadonlyMap<string, OrderAuthorization>>;

/** The authorisations among the stored events. */
export function storedAuthorizations(chain: Pick<ChainStore, 'eventsOf'>, chainKey: string): FindAuthorizations {
  return async (positionKeys) => {
    const events = await chain.eventsOf(
      chainKey,
      positionKeys.map((positionKey) => positionKey.toLowerCase()),
    );
    return new Map(
      readableEventsOf(events).flatMap(({ name, blockNumber, args }) => {
        if (name !== 'OrderAuthorized') return [];
        const { orderHash, validUntil } = args;
        return [[orderHash.toLowerCase(), { blockNumber, validUntilMs: Number(validUntil) * 1_000 }] as const];
      }),
    );
  };
}

/**
 * Distance of a fill before the end of its order: an order lives at most two minutes, and a block takes at least a
 * second.
 */
const maxFillDistanceBlocks = 300n;

/**
 * Read the exchange's fills of orders that ended in a range. An order that ended late is searched on its own, from the
 * block of its authorisation to the end of its validity; the others are searched together.
 * @throws Fault retryable when the node does not answer.
 */
export async function readFills(
  source: ChainSource,
  filled: readonly FilledOrder[],
  { from, to, authorizations }: BlockRange & { readonly authorizations: FindAuthorizations },
): Promise<readonly ChainEventRecord[]> {
  if (filled.length === 0) return [];
  const byHash = await authorizations(filled.map(({ positionKey }) => positionKey));
  const nearFrom = from > maxFillDistanceBlocks ? from - maxFillDistanceBlocks : 0n;
  const recentOrders: FilledOrder[] = [];
  const fills: ChainEventRecord[] = [];
  for (const order of filled) {
    const authorization = byHash.get(order.orderHash.toLowerCase());
    if (authorization === undefined || authorization.blockNumber >= nearFrom) recentOrders.push(order);
    else fills.push(...(await readLateFills(source, order, { authorization, to })));
  }
  return [...fills, ...(await readFillsIn(source, recentOrders, { from: nearFrom, to }))];
}

/** Read the fills of one order that ended long after its authorisation, range by range. */
async function readLateFills(
  source: ChainSource,
  order: FilledOrder,
  { authorization, to }: { readonly authorization: OrderAuthorization; readonly to: bigint },
): Promise<readonly ChainEventRecord[]> {
  const fills: ChainEventRecord[] = [];
  for (let from = authorization.blockNumber; from <= to; ) {
    const end = rangeEndOf(from, to);
    fills.push(...(await readFillsIn(source, [order], { from, to: end })));
    const header = (await headersOf(source, [end])).get(end);
    if (header !== undefined && header.blockTimeMs > authorization.validUntilMs) break;
    from = end + 1n;
  }
  return fills;
}

async function readFillsIn(
  source: ChainSource,
  orders: readonly FilledOrder[],
  range: BlockRange,
): Promise<readonly ChainEventRecord[]> {
  if (orders.length === 0) return [];
  const topics: [Hex, Hex[]] = [exchangeEventTopics.OrderFilled, orders.map(({ orderHash }) => orderHash)];
  const { exchange } = source.contracts;
  const readLogs = ({ from, to }: BlockRange) =>
    source.client.request({
      method: 'eth_getLogs',
      params: [{ address: exchange, topics, fromBlock: hexOf(from), toBlock: hexOf(to) }],
    });
  const logs = await readInParts(source.client, range, readLogs).catch((cause: unknown) => {
    const message = `no fills of blocks ${range.from} to ${range.to}`;
    throw chainFault(message, cause);
  });
  const numberedLogs = logs.map((log) => ({ ...log, ...numbersOf(log) }));
  const numbers = numberedLogs.map(({ blockNumber }) => blockNumber);
  const headers = await headersOf(source, numbers);
  const keyOf = new Map(orders.map(({ orderHash, positionKey }) => [orderHash, positionKey.toLowerCase()]));
  return numberedLogs.map((log) => {
    const { topics: logTopics, data } = log;
    const event = { abi: venueExchangeAbi, eventName: 'OrderFilled', topics: logTopics, data } as const;
    const { args } = decodeEventLog(event);
    const subject = keyOf.get(args.orderHash) ?? null;
    return recordOf(source, log, { name: 'OrderFilled', subject, arguments: args, headers });
  });
}

interface NumberedLog {
  readonly transactionHash: Hex | null;
  readonly blockNumber: Hex | null;
  readonly logIndex: Hex | null;
  readonly transactionIndex: Hex | null;
}

/** Return the position of a log in numbers. */
function numbersOf(
  log: NumberedLog,
): Pick<MinedLog, 'blockNumber' | 'logIndex' | 'transactionHash' | 'transactionIndex'> {
  return {
    transactionHash: log.transactionHash ?? '0x',
    blockNumber: BigInt(log.blockNumber ?? 0),
    logIndex: Number(log.logIndex),
    transactionIndex: Number(log.transactionIndex),
  };
}

const hexOf = (number: bigint): Hex => `0x${number.toString(16)}`;
