import { Fault } from '@core/errors';
import { type Clock, type Finality, finalBlockOf, type NodeHealth } from '@core/runtime';
import {
  type ChainBlock,
  type ChainCursor,
  type ChainEventRecord,
  isDatabaseFault,
  type Store,
  type StoreTransaction,
  subjectsOf,
} from '@core/store';
import type { Logger } from 'pino';
import type { PublicClient } from 'viem';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import type { Wake } from '../runner/wake.ts';
import { chainFault } from '../transactions/chainFault.ts';
import { type ChainSource, headerOf, headOf, type LastHead, rangeEndOf, toHeader } from './chainSource.ts';
import { countGrants } from './grantOutcomes.ts';
import { isolatingFailures, type ProjectPositions } from './projectPositions.ts';
import { beginRange, projectReady, recordOutcomes } from './projectReady.ts';
import { storedAuthorizations } from './readFills.ts';
import { readRange } from './readRange.ts';

export interface IndexChainOptions {
  readonly source: Omit<ChainSource, 'client'>;
  /** Nodes, each read on its own: answers of two nodes are never mixed. */
  readonly nodes: readonly PublicClient[];
  /** Order in which the nodes are read. */
  readonly health: NodeHealth;
  readonly store: Pick<Store, 'chain' | 'transaction'>;
  readonly project: ProjectPositions;
  /**
   * Called with the positions that a range changed by more than the authorisation of an order, or that a rollback
   * changed, once it is stored.
   */
  readonly onChanged: (positionKeys: readonly string[]) => void;
  /** Called when the chain has a new head. */
  readonly newHead: Wake;
  readonly lastHead: LastHead;
  /** First block of the index, and rule for the blocks that are not reorganised any more. */
  readonly bounds: { readonly deploymentBlock: bigint; readonly finality: Finality };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<
    KeeperMetrics,
    'indexedBlock' | 'finalBlockUnknown' | 'endedGrants' | 'fillSeconds' | 'rollbacks'
  >;
}

/** Stored headers of one page of the search for the common ancestor. */
const ancestorPageBlocks = 128;

/** Longest lag without a failure: nodes behind one address differ by a block or two for moments. */
const toleratedLagMs = 5_000;

/** Index the chain from the first node that answers and is not behind another one or the index. */
export function indexChainTask(options: IndexChainOptions): Task {
  let reachedAtMs = performance.now();
  return {
    name: 'indexChain',
    lock: locks.index,
    // A head wakes it. Another node than the one that reported the head may be asked, a moment behind it; and where
    // blocks come every two seconds, no round comes between two of them.
    intervalMs: 3_000,
    wake: options.newHead,
    async run() {
      options.newHead.take();
      const failures: unknown[] = [];
      for (const { node: client } of options.health.ordered(options.nodes, false)) {
        const result = await indexChain({ ...options, source: { ...options.source, client } }).catch(failureOf);
        if (result === 'reached') {
          reachedAtMs = performance.now();
          return;
        }
        if (result !== 'behind') failures.push(result.failure);
      }
      if (failures.length > 0) throw failures[0];
      if (performance.now() - reachedAtMs > toleratedLagMs) {
        throw new Fault({ origin: 'chain', kind: 'retryable', message: 'every node is behind the index' });
      }
    },
  };
}

/**
 * Return a failure that another node may not have, including answers that make no sense. A reorganisation deeper than
 * the stored headers and a failure of the database are rethrown: no node causes them.
 */
function failureOf(error: unknown): { readonly failure: unknown } {
  if (isDatabaseFault(error) || (error instanceof Fault && error.kind !== 'retryable')) throw error;
  return { failure: error };
}

type NodeOptions = Omit<IndexChainOptions, 'source'> & { readonly source: ChainSource };

/**
 * Bring the store to the node's head, range by range. Each range commits as a whole: headers, events, cursor,
 * projections, usage and customer events together, so that a crash repeats a range and never half of one. A node behind
 * the cursor proves nothing about the chain.
 */
async function indexChain(options: NodeOptions): Promise<'reached' | 'behind'> {
  const { source, store, bounds, metrics } = options;
  for (;;) {
    const cursor = await store.chain.cursor(source.chainKey);
    const head = reportedHead(options, cursor) ?? (await headOf(source));
    if (cursor !== null && !isNext(head, cursor)) {
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
    await indexRange(options, { from, to, cursor, head });
    metrics.indexedBlock.set(Number(to));
    // A later head wakes the task.
    if (to === head.blockNumber) return 'reached';
  }
}

/**
 * Return the head that woke the task where it follows the cursor; null otherwise. It may be of another node: the logs
 * of one block are read by its hash, which a node without it does not know.
 */
function reportedHead({ source, lastHead }: NodeOptions, cursor: ChainCursor | null): ChainBlock | null {
  if (cursor === null || lastHead.block === null) return null;
  const head = toHeader(source, lastHead.block);
  return isNext(head, cursor) ? head : null;
}

/** Return true for the block after the cursor on its branch: the cursor's block need not be read. */
function isNext(head: ChainBlock, cursor: ChainCursor): boolean {
  return head.blockNumber === cursor.blockNumber + 1n && head.parentHash === cursor.blockHash;
}

/** Return the node's header of an indexed block; null when the node is behind it. In most rounds it is the head. */
async function headerAt(
  source: ChainSource,
  { head, blockNumber }: { readonly head: ChainBlock; readonly blockNumber: bigint },
): Promise<ChainBlock | null> {
  if (head.blockNumber === blockNumber) return head;
  return head.blockNumber < blockNumber ? null : headerOf(source, blockNumber);
}

/**
 * Roll back to the newest stored header that the chain still has. Without one, everything is indexed again from the
 * deployment: positions disappear and return with their events.
 */
async function rollBack(options: NodeOptions, cursor: ChainCursor): Promise<void> {
  const { source, store, project, onChanged, metrics, logger } = options;
  const { chainKey } = source;
  const ancestor = (await storedAncestor(options, cursor)) ?? (await beforeDeployment(options));
  const changed = await isolatingFailures((isolation) =>
    store.transaction(async (unit) => {
      const subjects = await unit.chain.rollback(chainKey, ancestor);
      const positionKeys = await project(unit, { subjects, fromBlock: null, ...isolation });
      await unit.chain.postpone({ chainKey, positionKeys, fromBlock: ancestor.blockNumber + 1n });
      return subjects;
    }),
  );
  // What was authorised for them may be gone.
  onChanged(changed);
  metrics.rollbacks.inc();
  logger.warn({ from: cursor.blockNumber, to: ancestor.blockNumber }, 'chain reorganised');
}

/** Return the newest stored header that the chain still has, page by page; null without one. */
async function storedAncestor({ source, store }: NodeOptions, cursor: ChainCursor): Promise<ChainBlock | null> {
  const { chainKey } = source;
  let blockNumber = cursor.blockNumber;
  for (;;) {
    const page = await store.chain.blocksBelow({ chainKey, blockNumber, limit: ancestorPageBlocks });
    for (const block of page) {
      if ((await headerOf(source, block.blockNumber))?.blockHash === block.blockHash) return block;
    }
    const last = page.at(-1);
    if (last === undefined || last.blockNumber === 0n) return null;
    blockNumber = last.blockNumber - 1n;
  }
}

/**
 * Return the block before the first indexed one.
 * @throws Fault when the chain has no vault: it is another chain, and stored data is not discarded for it.
 */
async function beforeDeployment({ source, bounds, logger }: NodeOptions): Promise<ChainBlock> {
  const { vault } = source.contracts;
  const code = await source.client.getCode({ address: vault }).catch((cause: unknown) => {
    throw chainFault('the code of the vault cannot be read', cause);
  });
  const header = await headerOf(source, bounds.deploymentBlock > 0n ? bounds.deploymentBlock - 1n : 0n);
  if (code === undefined || header === null) {
    const message = `no stored block is on the chain, and it has no vault at ${vault}: check RPC_URL`;
    throw new Fault({ origin: 'chain', kind: 'frozen', message });
  }
  logger.error({ from: header.blockNumber }, 'no stored block is on the chain: reindexing from the deployment');
  return header;
}

async function indexRange(
  { source, store, project, onChanged, bounds, clock, logger, metrics }: NodeOptions,
  range: { readonly from: bigint; readonly to: bigint; readonly cursor: ChainCursor | null; readonly head: ChainBlock },
): Promise<void> {
  const { tip, blocks, events, outcomes } = await readRange(source, {
    ...range,
    authorizations: storedAuthorizations(store.chain, source.chainKey),
  });
  const { to } = range;
  const { chainKey } = source;
  const head = range.head.blockNumber;
  const final = await finalBlockOf(source.client, { finality: bounds.finality, head });
  metrics.finalBlockUnknown.set(final === null ? 1 : 0);
  const latest = final ?? range.cursor?.finalizedNumber ?? 0n;
  const finalizedNumber = latest < to ? latest : to;
  const subjects = subjectsOf(events);
  const write = (isolation: { readonly isIsolated: boolean }) => async (unit: StoreTransaction) => {
    const cursor = { ...tip, finalizedNumber };
    // Locks precede the first write: transactions are numbered by it, and events are read in that order.
    await beginRange(unit, { subjects, ...isolation });
    await unit.chain.advance({ cursor, blocks, events });
    await recordOutcomes(unit, outcomes, { nowMs: clock.nowMs(), ...isolation });
    return projectReady({ project, chainKey }, unit, { subjects, fromBlock: range.from, ...isolation });
  };
  const postponed = await isolatingFailures((isolation) => store.transaction(write(isolation)));
  if (postponed.length > 0) logger.warn({ postponed, to }, 'positions postponed: a row is locked by another session');
  // An authorisation wakes no task: the keeper that sent it continues with the order.
  const isAuthorization = (name: string): boolean => name === 'OrderAuthorized' || name === 'GrantAuthorized';
  onChanged(subjectsOf(events.filter(({ name }) => !isAuthorization(name))));
  await countEndedGrants({ store, metrics }, events);
}

/** Count the grants that ended in a stored range. */
async function countEndedGrants(
  { store, metrics }: Pick<IndexChainOptions, 'store' | 'metrics'>,
  events: readonly ChainEventRecord[],
): Promise<void> {
  const ends = events.filter(({ name }) => name === 'GrantEnded');
  const [first] = ends;
  if (first === undefined) return;
  const sinceMs = Math.min(...ends.map(({ blockTimeMs }) => blockTimeMs));
  countGrants(await store.chain.endedGrants({ chainKey: first.chainKey, sinceMs, limit: ends.length }), metrics);
}
