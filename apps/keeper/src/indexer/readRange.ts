import { Fault } from '@core/errors';
import type { ChainBlock, ChainCursor, ChainEventRecord } from '@core/store';
import { type BlockRange, decodeVaultLog, type LedgerEvent, readInParts } from '@core/vault';
import { chainFault } from '../transactions/chainFault.ts';
import { type ChainSource, type Headers, headerOf, headersOf, type MinedLog, recordOf } from './chainSource.ts';
import { type FilledOrder, type FindAuthorizations, readFills } from './readFills.ts';

/** A range of blocks on one branch of the chain. */
export interface ReadRange {
  readonly tip: Omit<ChainCursor, 'finalizedNumber'>;
  readonly blocks: readonly ChainBlock[];
  readonly events: readonly ChainEventRecord[];
  /** Orders that ended in it and that the exchange filled: each has a fill, in this range or before it. */
  readonly filledOrders: readonly FilledOrder[];
  /** Outcomes that were registered in it. */
  readonly outcomes: readonly { readonly tokenId: string; readonly outcomeId: number }[];
}

export interface RangeRequest extends BlockRange {
  /** Cursor that the range continues; null when it need not continue one. */
  readonly cursor: ChainCursor | null;
  /** Head that was read just before: the header of the last block, where the range ends there. */
  readonly head?: ChainBlock;
  /** Stored authorisations, from which the search for an order's fills starts. */
  readonly authorizations: FindAuthorizations;
}

interface DecodedLog {
  readonly log: MinedLog;
  readonly event: LedgerEvent;
}

/** Short ranges are read block by block under their hashes: a node without such a block returns an error. */
const maxBlocksByHash = 8n;

/**
 * Read the headers and events of `from` to `to`, which continue the cursor's branch. The source is one node. A short
 * range is a chain of parents whose logs are read by their hashes. Of a longer one the hash of the last block is read
 * before and after the logs: a node that is behind, or changes its branch in between, is not trusted.
 * @throws Fault retryable when the chain moved during the read, or the node does not have the range.
 */
export async function readRange(
  source: ChainSource,
  { from, to, cursor, head, authorizations }: RangeRequest,
): Promise<ReadRange> {
  const isByHash = to - from < maxBlocksByHash;
  const numbers = isByHash ? numbersOf(from, to) : [from, to];
  const before = new Map(head?.blockNumber === to ? [[to, head]] : []);
  const unread = numbers.filter((number) => !before.has(number));
  for (const [number, header] of await headersOf(source, unread)) before.set(number, header);
  const logs = await logsOf(source, { from, to, headers: before });
  const others = logs.map(({ blockNumber }) => blockNumber).filter((blockNumber) => !before.has(blockNumber));
  const headers: Headers = new Map([...before, ...(await headersOf(source, others))]);
  const last = headers.get(to);
  const isUnmoved = isByHash ? isChain(headers, numbers) : last?.blockHash === (await headerOf(source, to))?.blockHash;
  // A parent other than the cursor, or a log of another block than its header: the chain moved during the read.
  const isContinuous = cursor === null || headers.get(from)?.parentHash === cursor.blockHash;
  const isOneBranch = logs.every((log) => headers.get(log.blockNumber)?.blockHash === log.blockHash);
  if (last === undefined || !isUnmoved || !isContinuous || !isOneBranch) {
    const message = `blocks ${from} to ${to} changed while they were read`;
    throw new Fault({ origin: 'chain', kind: 'retryable', message });
  }
  const decoded = logs.flatMap((log): DecodedLog[] => {
    const event = decodeVaultLog(log, source.contracts);
    return event === null ? [] : [{ log, event }];
  });
  const ended = decoded.flatMap(({ event }) => (event.name === 'OrderEnded' ? [event.args] : []));
  const orders = ended.filter(({ filledMakerAmount }) => filledMakerAmount > 0n);
  const fills = await readFills(source, orders, { from, to, authorizations });
  const { parentHash: _, ...tip } = last;
  return {
    tip,
    blocks: [...headers.values()],
    events: [...decoded.map((one) => eventOf(source, one, headers)), ...fills],
    filledOrders: orders,
    outcomes: decoded.flatMap(({ event }) => (isRegistration(event) ? [outcomeOf(event.args)] : [])),
  };
}

/** Return true where each block is the parent of the next one. */
const isChain = (headers: Headers, numbers: readonly bigint[]): boolean =>
  numbers.every(
    (number, index) => index === 0 || headers.get(number)?.parentHash === headers.get(number - 1n)?.blockHash,
  );

const numbersOf = (from: bigint, to: bigint): readonly bigint[] =>
  Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index));

/** Logs of vault and pool. */
async function logsOf(
  source: ChainSource,
  { from, to, headers }: { readonly from: bigint; readonly to: bigint; readonly headers: Headers },
): Promise<readonly MinedLog[]> {
  const { client, contracts } = source;
  if (to - from >= maxBlocksByHash) return logsInRange(source, { from, to });
  try {
    const address = [contracts.vault, contracts.pool];
    const blocks = [...headers.values()].map(({ blockHash }) => blockHash);
    const logs = await Promise.all(blocks.map((blockHash) => client.getLogs({ address, blockHash })));
    return logs.flat();
  } catch (cause) {
    throw unreadable({ from, to }, cause);
  }
}

/**
 * Read the logs of vault and pool by block numbers.
 * @throws Fault retryable when the node does not answer.
 */
export function logsInRange({ client, contracts }: ChainSource, range: BlockRange): Promise<readonly MinedLog[]> {
  const address = [contracts.vault, contracts.pool];
  return readInParts(client, range, ({ from, to }) => client.getLogs({ address, fromBlock: from, toBlock: to })).catch(
    (cause: unknown) => {
      throw unreadable(range, cause);
    },
  );
}

const unreadable = ({ from, to }: BlockRange, cause: unknown): Fault =>
  chainFault(`no logs of blocks ${from} to ${to}`, cause);

/**
 * Return the stored form of a log. The pool's events repeat the vault's for a position: stored for the ledger, and
 * folded into nothing.
 */
function eventOf(source: ChainSource, { log, event }: DecodedLog, headers: Headers): ChainEventRecord {
  const key = event.source === 'vault' && 'positionKey' in event.args ? event.args.positionKey : null;
  return recordOf(source, log, {
    name: event.name,
    subject: key?.toLowerCase() ?? null,
    arguments: event.args,
    headers,
  });
}

/** Registration of an outcome of either ledger: both share the numbers. */
type Registration = Extract<LedgerEvent, { name: 'OutcomeRegistered' | 'ManagedOutcomeRegistered' }>;

const isRegistration = (event: LedgerEvent): event is Registration =>
  event.name === 'OutcomeRegistered' || event.name === 'ManagedOutcomeRegistered';

function outcomeOf({ tokenId, outcomeId }: Registration['args']) {
  return { tokenId: tokenId.toString(), outcomeId };
}
