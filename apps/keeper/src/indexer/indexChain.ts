import { Fault } from '@core/errors';
import type { Clock } from '@core/runtime';
import { type ChainBlock, type ChainCursor, type Store, subjectsOf } from '@core/store';
import type { Logger } from 'pino';
import type { PublicClient } from 'viem';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import type { ProjectPositions } from './projectPositions.ts';
import { type ChainSource, headerOf, headOf, rangeEndOf, readRange } from './readRange.ts';

export interface IndexChainOptions {
  readonly source: Omit<ChainSource, 'client'>;
  /** Each is read by itself: what one of them says is never mixed with another's answer. */
  readonly nodes: readonly PublicClient[];
  readonly store: Pick<Store, 'chain' | 'transaction'>;
  readonly project: ProjectPositions;
  /** Called with the positions that a range changed by more than the authorisation of an order, once it is stored. */
  readonly onChanged: (positionKeys: readonly string[]) => void;
  /** Where the index begins, and how far behind the head blocks may still be reorganised. */
  readonly bounds: { readonly deploymentBlock: bigint; readonly finalityDepth: bigint };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'indexedBlock' | 'rollbacks'>;
}

/** Stored headers looked at for the common ancestor: deeper than any reorganisation that is survived. */
const ancestorSearchBlocks = 128;

/** Nodes behind one address differ by a block or two for moments; a lag of this length is worth a failure. */
const toleratedLagMs = 5_000;

/** The first node that can be read and is not behind what is indexed does the round. */
export function indexChainTask(options: IndexChainOptions): Task {
  let reachedAtMs = performance.now();
  return {
    name: 'indexChain',
    lock: locks.index,
    intervalMs: 250,
    async run() {
      const failures: unknown[] = [];
      for (const client of options.nodes) {
        const result = await indexChain({ ...options, source: { ...options.source, client } }).catch(failureOf);
        if (result === 'reached') {
          reachedAtMs = performance.now();
          return;
        }
        if (result !== 'behind') failures.push(result.failure);
      }
      if (failures.length > 0) throw failures[0];
      if (performance.now() - reachedAtMs > toleratedLagMs) {
        throw new Fault({ origin: 'chain', kind: 'retryable', message: 'every node is behind what was indexed' });
      }
    },
  };
}

/** What the other nodes may still do. A reorganisation deeper than what is stored is no fault of the node. */
function failureOf(error: unknown): { readonly failure: unknown } {
  if (error instanceof Fault && error.kind === 'retryable') return { failure: error };
  throw error;
}

type NodeOptions = Omit<IndexChainOptions, 'source'> & { readonly source: ChainSource };

/**
 * Brings the store to the node's head, range by range. Each range commits as a whole: headers, events, cursor,
 * projections, usage and customer events together, so a crash repeats a range and never half of it. A node that has not
 * come as far as the cursor says nothing about the chain.
 */
async function indexChain(options: NodeOptions): Promise<'reached' | 'behind'> {
  const { source, store, bounds, metrics } = options;
  for (;;) {
    const cursor = await store.chain.cursor(source.chainKey);
    const head = await headOf(source);
    if (cursor !== null) {
      const header = await headerAt(source, { head, blockNumber: cursor.blockNumber });
      if (header === null) return 'behind';
      if (header.blockHash !== cursor.blockHash) {
        await rollBack(options, cursor);
        continue;
      }
    }
    const from = cursor === null ? bounds.deploymentBlock : cursor.blockNumber + 1n;
    if (from > head.blockNumber) return 'reached';
    const to = rangeEndOf(from, head.blockNumber);
    await indexRange(options, { from, to, cursor, head: head.blockNumber });
    metrics.indexedBlock.set(Number(to));
  }
}

/** The node's header of an indexed block: in most rounds there is no newer one. Null when it has not come so far. */
async function headerAt(
  source: ChainSource,
  { head, blockNumber }: { readonly head: ChainBlock; readonly blockNumber: bigint },
): Promise<ChainBlock | null> {
  if (head.blockNumber === blockNumber) return head;
  return head.blockNumber < blockNumber ? null : headerOf(source, blockNumber);
}

/** Goes back to the newest stored header that the chain still has. */
async function rollBack(options: NodeOptions, cursor: ChainCursor): Promise<void> {
  const { source, store, project, metrics, logger } = options;
  const { chainKey } = source;
  const query = { chainKey, blockNumber: cursor.blockNumber, limit: ancestorSearchBlocks };
  for (const block of await store.chain.blocksBelow(query)) {
    const header = await headerOf(source, block.blockNumber);
    if (header?.blockHash === block.blockHash) {
      await store.transaction(async (unit) => {
        const subjects = await unit.chain.rollback(chainKey, block);
        await project(unit, { subjects, fromBlock: null });
      });
      metrics.rollbacks.inc();
      logger.warn({ from: cursor.blockNumber, to: block.blockNumber }, 'chain reorganised');
      return;
    }
  }
  throw new Fault({ origin: 'chain', kind: 'frozen', message: 'no stored block is on the chain any more' });
}

async function indexRange(
  { source, store, project, onChanged, bounds, clock }: NodeOptions,
  range: { readonly from: bigint; readonly to: bigint; readonly cursor: ChainCursor | null; readonly head: bigint },
): Promise<void> {
  const { tip, blocks, events, outcomes } = await readRange(source, range);
  const depthBlock = range.head - bounds.finalityDepth;
  const finalizedNumber = depthBlock < range.to ? depthBlock : range.to;
  const subjects = subjectsOf(events);
  await store.transaction(async (unit) => {
    const cursor = { ...tip, finalizedNumber: finalizedNumber > 0n ? finalizedNumber : 0n };
    // Before anything is written: transactions are numbered by their first write, and events are read in that order.
    await unit.positions.lockProjections(subjects);
    await unit.chain.advance({ cursor, blocks, events });
    await unit.markets.recordOutcomes(outcomes, clock.nowMs());
    await project(unit, { subjects, fromBlock: range.from });
  });
  // The keeper that authorised an order goes on with it: there is nothing for others to do.
  onChanged(subjectsOf(events.filter(({ name }) => name !== 'OrderAuthorized')));
}
