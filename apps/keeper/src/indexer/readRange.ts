import { Fault } from '@core/errors';
import type { ChainBlock, ChainCursor, ChainEventRecord } from '@core/store';
import { decodeVaultLog, exchangeEventTopics, type LedgerEvent, venueExchangeAbi } from '@core/vault';
import {
  type Address,
  type Block,
  BlockNotFoundError,
  decodeEventLog,
  type Hex,
  type Log,
  type PublicClient,
} from 'viem';

/** What is read, and from where. */
export interface ChainSource {
  readonly client: PublicClient;
  readonly contracts: { readonly vault: Address; readonly pool: Address; readonly exchange: Address };
  readonly chainKey: string;
}

/** A range of blocks as one branch of the chain has it. */
export interface ReadRange {
  readonly tip: Omit<ChainCursor, 'finalizedNumber'>;
  readonly blocks: readonly ChainBlock[];
  readonly events: readonly ChainEventRecord[];
  /** Outcomes that were registered in it. */
  readonly outcomes: readonly { readonly tokenId: string; readonly outcomeId: number }[];
}

type Headers = ReadonlyMap<bigint, ChainBlock>;
type MinedLog = Log<bigint, number, false>;

interface DecodedLog {
  readonly log: MinedLog;
  readonly event: LedgerEvent;
}

type EndedOrder = Extract<LedgerEvent, { name: 'OrderEnded' }>['args'];

/** Blocks read in one step: a range that any node answers. */
const maxRangeBlocks = 500n;

/**
 * An order lives at most two minutes, so its fills are no further back than this on any chain with blocks of a second.
 */
const lookBackBlocks = 300n;

/** Short ranges are read block by block under their hashes: a node that does not have such a block says so. */
const maxBlocksByHash = 8n;

/** The last block of a range that begins at `from` and goes no further than `last`. */
export function rangeEndOf(from: bigint, last: bigint): bigint {
  const end = from + maxRangeBlocks - 1n;
  return last < end ? last : end;
}

/**
 * The headers and events of `from` to `to`, which continue the cursor's branch. The source is one node, and it has the
 * hash of the last block before and after its logs are read: a node that is behind, or changes its mind meanwhile, is
 * not believed.
 *
 * @throws Fault retryable when the chain moved while it was read, or the node does not have the range.
 */
export async function readRange(
  source: ChainSource,
  { from, to, cursor }: { readonly from: bigint; readonly to: bigint; readonly cursor: ChainCursor | null },
): Promise<ReadRange> {
  const before = await headersOf(source, to - from < maxBlocksByHash ? numbersOf(from, to) : [from, to]);
  const logs = await logsOf(source, { from, to, headers: before });
  const others = logs.map(({ blockNumber }) => blockNumber).filter((blockNumber) => !before.has(blockNumber));
  const headers: Headers = new Map([...before, ...(await headersOf(source, others))]);
  const after = await headerOf(source, to);
  const last = headers.get(to);
  // A parent that is not our cursor, or a log of another block than its header, means that the chain moved meanwhile.
  const isContinuous = cursor === null || headers.get(from)?.parentHash === cursor.blockHash;
  const isOneBranch = logs.every((log) => headers.get(log.blockNumber)?.blockHash === log.blockHash);
  if (last === undefined || last.blockHash !== after?.blockHash || !isContinuous || !isOneBranch) {
    const message = `blocks ${from} to ${to} changed while they were read`;
    throw new Fault({ origin: 'chain', kind: 'retryable', message });
  }
  const decoded = logs.flatMap((log): DecodedLog[] => {
    const event = decodeVaultLog(log, source.contracts);
    return event === null ? [] : [{ log, event }];
  });
  const ended = decoded.flatMap(({ event }) => (event.name === 'OrderEnded' ? [event.args] : []));
  const { parentHash: _, ...tip } = last;
  return {
    tip,
    blocks: [...headers.values()],
    events: [...decoded.map((one) => eventOf(source, one, headers)), ...(await fillsOf(source, ended, { from, to }))],
    outcomes: decoded.flatMap(({ event }) => (event.name === 'OutcomeRegistered' ? [outcomeOf(event.args)] : [])),
  };
}

/** Logs of vault and pool. */
async function logsOf(
  { client, contracts }: ChainSource,
  { from, to, headers }: { readonly from: bigint; readonly to: bigint; readonly headers: Headers },
): Promise<readonly MinedLog[]> {
  const address = [contracts.vault, contracts.pool];
  try {
    if (to - from >= maxBlocksByHash) return await client.getLogs({ address, fromBlock: from, toBlock: to });
    const blocks = [...headers.values()].map(({ blockHash }) => blockHash as Hex);
    const logs = await Promise.all(blocks.map((blockHash) => client.getLogs({ address, blockHash })));
    return logs.flat();
  } catch (cause) {
    throw new Fault({ origin: 'chain', kind: 'retryable', message: `no logs of blocks ${from} to ${to}`, cause });
  }
}

const numbersOf = (from: bigint, to: bigint): readonly bigint[] =>
  Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index));

/**
 * A header of the chain as it is now; null only when the node says that it has none of that number.
 *
 * @throws Fault retryable when the node does not answer: that says nothing about the chain.
 */
export async function headerOf(source: ChainSource, blockNumber: bigint): Promise<ChainBlock | null> {
  try {
    return toHeader(source, await source.client.getBlock({ blockNumber }));
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null;
    throw unreadable(blockNumber, error);
  }
}

/** @throws Fault retryable when the node does not answer. */
export async function headOf(source: ChainSource): Promise<ChainBlock> {
  const block = await source.client.getBlock({ blockTag: 'latest' }).catch((cause: unknown) => {
    throw new Fault({ origin: 'chain', kind: 'retryable', message: 'the head cannot be read', cause });
  });
  return toHeader(source, block);
}

async function headersOf(source: ChainSource, numbers: readonly bigint[]): Promise<Headers> {
  const blocks = await Promise.all(
    [...new Set(numbers)].map((blockNumber) =>
      source.client.getBlock({ blockNumber }).catch((cause: unknown) => {
        throw unreadable(blockNumber, cause);
      }),
    ),
  );
  return new Map(blocks.map((block) => [block.number, toHeader(source, block)]));
}

function unreadable(blockNumber: bigint, cause: unknown): Fault {
  return new Fault({ origin: 'chain', kind: 'retryable', message: `block ${blockNumber} cannot be read`, cause });
}

function toHeader({ chainKey }: ChainSource, block: Block<bigint, false, 'latest'>): ChainBlock {
  return {
    chainKey,
    blockNumber: block.number,
    blockHash: block.hash,
    parentHash: block.parentHash,
    blockTimeMs: Number(block.timestamp) * 1_000,
  };
}

/** The pool's own events repeat what the vault's say about a position: kept for the ledger, folded into nothing. */
function eventOf(source: ChainSource, { log, event }: DecodedLog, headers: Headers): ChainEventRecord {
  const key = event.source === 'vault' && 'positionKey' in event.args ? event.args.positionKey : null;
  return recordOf(source, log, {
    name: event.name,
    subject: key?.toLowerCase() ?? null,
    arguments: event.args,
    headers,
  });
}

function recordOf(
  { chainKey }: ChainSource,
  log: Pick<MinedLog, 'blockNumber' | 'logIndex' | 'transactionHash' | 'transactionIndex' | 'address'>,
  event: Pick<ChainEventRecord, 'name' | 'subject' | 'arguments'> & { readonly headers: Headers },
): ChainEventRecord {
  return {
    chainKey,
    blockNumber: log.blockNumber,
    logIndex: log.logIndex,
    transactionHash: log.transactionHash,
    transactionIndex: log.transactionIndex,
    contractAddress: log.address.toLowerCase(),
    name: event.name,
    subject: event.subject,
    arguments: event.arguments,
    blockTimeMs: event.headers.get(log.blockNumber)?.blockTimeMs ?? 0,
  };
}

/** What the exchange did with the orders that ended in this range: its fees and its transactions. */
async function fillsOf(
  source: ChainSource,
  ended: readonly EndedOrder[],
  range: { readonly from: bigint; readonly to: bigint },
): Promise<readonly ChainEventRecord[]> {
  const hashes = ended.filter(({ filledMakerAmount }) => filledMakerAmount > 0n).map(({ orderHash }) => orderHash);
  if (hashes.length === 0) {
    return [];
  }
  const logs = await source.client.request({
    method: 'eth_getLogs',
    params: [
      {
        address: source.contracts.exchange,
        topics: [exchangeEventTopics.OrderFilled, hashes],
        fromBlock: hexOf(range.from > lookBackBlocks ? range.from - lookBackBlocks : 0n),
        toBlock: hexOf(range.to),
      },
    ],
  });
  const found = logs.map((log) => ({
    ...log,
    transactionHash: log.transactionHash ?? '0x',
    blockNumber: BigInt(log.blockNumber ?? 0),
    logIndex: Number(log.logIndex),
    transactionIndex: Number(log.transactionIndex),
  }));
  const headers = await headersOf(
    source,
    found.map(({ blockNumber }) => blockNumber),
  );
  return found.map((log) => {
    const { args } = decodeEventLog({
      abi: venueExchangeAbi,
      eventName: 'OrderFilled',
      topics: log.topics,
      data: log.data,
    });
    const subject = ended.find(({ orderHash }) => orderHash === args.orderHash)?.positionKey.toLowerCase() ?? null;
    return recordOf(source, log, { name: 'OrderFilled', subject, arguments: args, headers });
  });
}

const hexOf = (number: bigint): Hex => `0x${number.toString(16)}`;

function outcomeOf({ tokenId, outcomeId }: Extract<LedgerEvent, { name: 'OutcomeRegistered' }>['args']) {
  return { tokenId: tokenId.toString(), outcomeId };
}
