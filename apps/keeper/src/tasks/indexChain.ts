import { Fault } from '@core/errors';
import type { ChainBlock, ChainCursor, ChainEventRecord } from '@core/store';
import { decodeVaultLog, venueExchangeAbi } from '@core/vault';
import { decodeEventLog, type Hex, type Log, toEventSelector } from 'viem';
import type { KeeperPorts } from '../ports.ts';
import { projectSubjects } from './projectSubjects.ts';

/** Blocks read in one step: a range that any node answers. */
const maxRangeBlocks = 500n;
/** Stored headers looked at for the common ancestor: deeper than any reorganisation that is survived. */
const ancestorSearchBlocks = 128;
const orderFilledTopic = toEventSelector('OrderFilled(bytes32,address,uint256,uint8,uint256,uint256,uint256)');

/**
 * Brings the store to the chain's head, range by range. Each range commits as a whole: headers, events, cursor, projections,
 * usage and customer events together, so a crash repeats a range and never half of it.
 */
export async function indexChain(ports: KeeperPorts): Promise<void> {
  for (;;) {
    const cursor = await ports.store.chain.cursor(ports.chainKey);
    const head = await ports.client.getBlock({ blockTag: 'latest' });
    if (cursor !== null && !(await isOnChain(ports, cursor))) {
      await rollBack(ports, cursor);
      continue;
    }
    const from = cursor === null ? ports.deploymentBlock : cursor.blockNumber + 1n;
    if (from > head.number) {
      return;
    }
    const to = head.number < from + maxRangeBlocks - 1n ? head.number : from + maxRangeBlocks - 1n;
    await indexRange(ports, { from, to, cursor, head: head.number });
    ports.metrics.indexedBlock.set(Number(to));
  }
}

async function isOnChain(ports: KeeperPorts, cursor: ChainCursor): Promise<boolean> {
  const header = await headerOf(ports, cursor.blockNumber);
  return header !== null && header.blockHash === cursor.blockHash;
}

/** Goes back to the newest stored header that the chain still has. */
async function rollBack(ports: KeeperPorts, cursor: ChainCursor): Promise<void> {
  const query = { chainKey: ports.chainKey, blockNumber: cursor.blockNumber, limit: ancestorSearchBlocks };
  for (const block of await ports.store.chain.blocksBelow(query)) {
    const header = await headerOf(ports, block.blockNumber);
    if (header?.blockHash === block.blockHash) {
      await ports.store.transaction(async (unit) => {
        const subjects = await unit.chain.rollback(ports.chainKey, block);
        await projectSubjects(ports, unit, { subjects, fromBlock: null });
      });
      ports.metrics.rollbacks.inc();
      ports.logger.warn({ from: cursor.blockNumber, to: block.blockNumber }, 'chain reorganised');
      return;
    }
  }
  throw new Fault({ origin: 'chain', kind: 'frozen', message: 'no stored block is on the chain any more' });
}

interface Range {
  readonly from: bigint;
  readonly to: bigint;
  readonly cursor: ChainCursor | null;
  readonly head: bigint;
}

async function indexRange(ports: KeeperPorts, range: Range): Promise<void> {
  const { from, to, cursor, head } = range;
  const { vault, pool } = ports.contracts;
  const logs = await ports.client.getLogs({ address: [vault, pool], fromBlock: from, toBlock: to });
  const headers = await headersOf(ports, [from, to, ...logs.map(({ blockNumber }) => blockNumber)]);
  const first = headers.get(from);
  const last = headers.get(to);
  // A parent that is not our cursor, or a log of another block than its header, means that the chain moved meanwhile.
  const isContinuous = cursor === null || first?.parentHash === cursor.blockHash;
  if (
    last === undefined ||
    !isContinuous ||
    logs.some((log) => headers.get(log.blockNumber)?.blockHash !== log.blockHash)
  ) {
    throw new Fault({
      origin: 'chain',
      kind: 'retryable',
      message: `blocks ${from} to ${to} changed while they were read`,
    });
  }
  const events = logs.flatMap((log) => eventOf(ports, log, headers));
  const fills = await fillsOf(ports, events, range);
  const depthBlock = head - ports.finalityDepth;
  await ports.store.transaction(async (unit) => {
    const finalizedNumber = depthBlock < to ? depthBlock : to;
    const { parentHash: _, ...tip } = last;
    await unit.chain.advance({
      cursor: { ...tip, finalizedNumber: finalizedNumber > 0n ? finalizedNumber : 0n },
      blocks: [...headers.values()],
      events: [...events, ...fills],
    });
    const outcomes = events.filter(({ name }) => name === 'OutcomeRegistered').map(outcomeOf);
    await unit.markets.recordOutcomes(outcomes, ports.clock.nowMs());
    const subjects = [...new Set(events.flatMap(({ subject }) => (subject === null ? [] : [subject])))];
    await projectSubjects(ports, unit, { subjects, fromBlock: from });
  });
}

async function headerOf(ports: KeeperPorts, blockNumber: bigint): Promise<ChainBlock | null> {
  const headers = await headersOf(ports, [blockNumber]).catch((error: unknown) => {
    if (error instanceof Fault) {
      return null;
    }
    throw error;
  });
  return headers?.get(blockNumber) ?? null;
}

async function headersOf(ports: KeeperPorts, numbers: readonly bigint[]): Promise<ReadonlyMap<bigint, ChainBlock>> {
  const wanted = [...new Set(numbers)];
  const blocks = await Promise.all(
    wanted.map((blockNumber) =>
      ports.client.getBlock({ blockNumber }).catch((cause: unknown) => {
        throw new Fault({ origin: 'chain', kind: 'retryable', message: `block ${blockNumber} cannot be read`, cause });
      }),
    ),
  );
  return new Map(
    blocks.map((block) => [
      block.number,
      {
        chainKey: ports.chainKey,
        blockNumber: block.number,
        blockHash: block.hash,
        parentHash: block.parentHash,
        blockTimeMs: Number(block.timestamp) * 1_000,
      },
    ]),
  );
}

type MinedLog = Log<bigint, number, false>;

function eventOf(ports: KeeperPorts, log: MinedLog, headers: ReadonlyMap<bigint, ChainBlock>): ChainEventRecord[] {
  const decoded = decodeVaultLog(log, ports.contracts);
  if (decoded === null) {
    return [];
  }
  // The pool's own events repeat what the vault's say about a position: kept for the ledger, folded into nothing.
  const key = decoded.source === 'vault' && 'positionKey' in decoded.args ? String(decoded.args.positionKey) : null;
  return [
    recordOf(ports, log, { name: decoded.name, subject: key?.toLowerCase() ?? null, arguments: decoded.args, headers }),
  ];
}

function recordOf(
  ports: KeeperPorts,
  log: MinedLog,
  event: {
    readonly name: string;
    readonly subject: string | null;
    readonly arguments: unknown;
    readonly headers: ReadonlyMap<bigint, ChainBlock>;
  },
): ChainEventRecord {
  return {
    chainKey: ports.chainKey,
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
  ports: KeeperPorts,
  events: readonly ChainEventRecord[],
  range: Range,
): Promise<ChainEventRecord[]> {
  const ended = events.filter(({ name }) => name === 'OrderEnded').map(orderOf);
  const hashes = ended.filter(({ filledMakerAmount }) => filledMakerAmount > 0n).map(({ orderHash }) => orderHash);
  if (hashes.length === 0) {
    return [];
  }
  const logs = await ports.client.request({
    method: 'eth_getLogs',
    params: [
      {
        address: ports.contracts.exchange,
        topics: [orderFilledTopic, hashes],
        fromBlock: hexOf(range.from > lookBackBlocks ? range.from - lookBackBlocks : 0n),
        toBlock: hexOf(range.to),
      },
    ],
  });
  const found = logs.map((log) => ({
    ...log,
    blockNumber: BigInt(log.blockNumber ?? 0),
    logIndex: Number(log.logIndex),
    transactionIndex: Number(log.transactionIndex),
  }));
  const headers = await headersOf(
    ports,
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
    return recordOf(ports, log as MinedLog, { name: 'OrderFilled', subject, arguments: args, headers });
  });
}

/** An order lives at most two minutes, so its fills are no further back than this on any chain with blocks of a second. */
const lookBackBlocks = 300n;

const hexOf = (number: bigint): Hex => `0x${number.toString(16)}`;

interface EndedOrder {
  readonly positionKey: string;
  readonly orderHash: Hex;
  readonly filledMakerAmount: bigint;
}

function orderOf(event: ChainEventRecord): EndedOrder {
  return event.arguments as EndedOrder;
}

function outcomeOf(event: ChainEventRecord): { readonly tokenId: string; readonly outcomeId: number } {
  const { tokenId, outcomeId } = event.arguments as { readonly tokenId: bigint; readonly outcomeId: number };
  return { tokenId: tokenId.toString(), outcomeId };
}
