import { Fault } from '@core/errors';
import type { Clock } from '@core/runtime';
import { type ChainCursor, type ChainEventRecord, type Store, type StoreTransaction, subjectsOf } from '@core/store';
import { decodeVaultLog } from '@core/vault';
import type { Logger } from 'pino';
import type { PublicClient } from 'viem';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import { type ChainSource, rangeEndOf } from './chainSource.ts';
import { type ChainCount, chainCounts, differingCounts } from './compareCounts.ts';
import { readableEventsOf } from './ledgerEvent.ts';
import { isolatingFailures, type ProjectPositions } from './projectPositions.ts';
import { beginRange, projectReady, recordOutcomes } from './projectReady.ts';
import { storedAuthorizations } from './readFills.ts';
import { logsInRange, type ReadRange, readRange } from './readRange.ts';

export interface VerifyChainOptions {
  readonly source: Omit<ChainSource, 'client'>;
  /** Nodes, read in rotation: with several, mostly another than the index reads. */
  readonly nodes: readonly PublicClient[];
  readonly store: Pick<Store, 'chain' | 'transaction'>;
  readonly project: ProjectPositions;
  /** Called with the positions that lacked events, after these are stored. */
  readonly onChanged: (positionKeys: readonly string[]) => void;
  readonly bounds: { readonly deploymentBlock: bigint; readonly rescanDelayMs: number };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'repairedEvents' | 'unverifiedBlocks' | 'differingCounts' | 'missingFills'>;
}

/** Interval between comparisons with the contracts' counts while no blocks are read. */
const countIntervalMs = 10_000;
/** Interval between complete rescans: for a while after its start a process does not know which blocks lack events. */
const wholeRescanIntervalMs = 300_000;
/** Time for which only the blocks since the last agreement are reread before a complete rescan. */
const agreementTrustMs = 60_000;

/** Blocks that are not reread on their own while more follow: a longer range takes no more calls to the node. */
const fewBlocks = 16n;
/** Part of the delay of the second reading by which a short range may grow. */
const growthPart = 5;

/** Final blocks whose events are compared in each round, in one call to the node. */
const recentBlocks = 500n;

/** Attempts per node to read a fill before the verification continues without it. */
const fillRounds = 3;

/**
 * Read every block a second time, some time after it became final, and add events that the first reading lacked: a node
 * that answers for blocks it does not have delays events and loses none. While the index differs from the contracts'
 * own counts, or lacks events of final blocks that a node has, blocks are reread without that delay.
 */
export function verifyChainTask(options: VerifyChainOptions): Task {
  const { nodes, store, bounds, metrics, logger, source } = options;
  const { chainKey } = source;
  const finality = new FinalityLog(bounds.rescanDelayMs);
  let round = 0;
  let countedAtMs = Number.NEGATIVE_INFINITY;
  const progress = new VerifiedProgress();
  let rescannedAtMs = Number.NEGATIVE_INFINITY;
  let differingNames: readonly ChainCount[] = [];
  let differingSinceMs = Number.POSITIVE_INFINITY;
  /** Last verified block when the counts last agreed; null before that. */
  let agreedNumber: bigint | null = null;
  const missingFills = new Map<string, number>();
  return {
    name: 'verifyChain',
    lock: locks.index,
    intervalMs: 5_000,
    async run() {
      const cursor = await store.chain.cursor(chainKey);
      // Decision: apps/keeper/DECISIONS.md#every-block-is-read-twice
      const client = nodes[(round += 1) % nodes.length];
      if (cursor === null || client === undefined) return;
      const nowMs = performance.now();
      finality.record(cursor.finalizedNumber, nowMs);
      const verifiedNumber = (await store.chain.verifiedNumber(chainKey)) ?? bounds.deploymentBlock - 1n;
      metrics.unverifiedBlocks.set(Number(cursor.blockNumber - verifiedNumber));
      const finalNumber = finality.finalBefore(nowMs);
      const restMs = progress.restMs(verifiedNumber, nowMs);
      const isShort = finalNumber - verifiedNumber <= fewBlocks && restMs < bounds.rescanDelayMs / growthPart;
      const isReread = finalNumber > verifiedNumber && !isShort;
      if (differingNames.length > 0 || isReread || nowMs - countedAtMs >= countIntervalMs) {
        countedAtMs = nowMs;
        differingNames = (await differingCounts(options, client)) ?? differingNames;
        for (const count of chainCounts) metrics.differingCounts.set({ count }, differingNames.includes(count) ? 1 : 0);
        if (differingNames.length === 0) differingSinceMs = Number.POSITIVE_INFINITY;
        else if (differingSinceMs > nowMs) differingSinceMs = nowMs;
      }
      const isDiffering = differingNames.length > 0;
      const isLacking = isDiffering || (await lacksRecentEvents(options, { client, cursor, verifiedNumber }));
      if (!isDiffering) agreedNumber = verifiedNumber;
      const due = isLacking ? cursor.finalizedNumber : finalNumber;
      if (!isLacking && isShort) return;
      if (due > verifiedNumber) {
        const from = verifiedNumber + 1n;
        const to = rangeEndOf(from, due);
        await verifyRange(options, { client, cursor, from, to, missingFills });
      } else if (isDiffering) {
        const isAgreementTrusted = agreedNumber !== null && nowMs - differingSinceMs < agreementTrustMs;
        if (!isAgreementTrusted && nowMs - rescannedAtMs < wholeRescanIntervalMs) return;
        if (!isAgreementTrusted) rescannedAtMs = nowMs;
        const since = isAgreementTrusted ? agreedNumber : null;
        logger.warn(
          { differing: differingNames, verified: verifiedNumber, since },
          'index differs from contract counts: rereading blocks',
        );
        await store.chain.setVerified(chainKey, since);
      }
    },
  };
}

/**
 * Return true when a node has events of final blocks that are not verified yet, and the index lacks one: requests of
 * users change no count of the contracts. Later blocks may differ for a reason. A node that does not answer proves
 * nothing.
 */
async function lacksRecentEvents(
  { source, store }: VerifyChainOptions,
  {
    client,
    cursor,
    verifiedNumber,
  }: { readonly client: PublicClient; readonly cursor: ChainCursor; readonly verifiedNumber: bigint },
): Promise<boolean> {
  const { chainKey, contracts } = source;
  const to = cursor.finalizedNumber;
  const from = verifiedNumber + recentBlocks > to ? verifiedNumber + 1n : to - recentBlocks + 1n;
  if (from > to) return false;
  const logs = await logsInRange({ ...source, client }, { from, to }).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    return [];
  });
  const storedKeys = new Set((await store.chain.eventPlaces({ chainKey, from, to })).map(keyOf));
  return logs.some((log) => decodeVaultLog(log, contracts) !== null && !storedKeys.has(keyOf(log)));
}

/** Time since the last range was verified. */
class VerifiedProgress {
  #verifiedNumber: bigint | null = null;
  #atMs = Number.NEGATIVE_INFINITY;

  /** Return the time since the verified block last moved in this process; infinite before. */
  restMs(verifiedNumber: bigint, nowMs: number): number {
    if (this.#verifiedNumber !== null && this.#verifiedNumber !== verifiedNumber) this.#atMs = nowMs;
    this.#verifiedNumber = verifiedNumber;
    return nowMs - this.#atMs;
  }
}

interface Verifying {
  readonly client: PublicClient;
  readonly cursor: ChainCursor;
  readonly from: bigint;
  readonly to: bigint;
  /** Rounds in which the fill of an order was missing, by order hash. */
  readonly missingFills: Map<string, number>;
}

/**
 * Verify one range. A stored log was in the block of its hash, so if the second reading lacks it, the second reading is
 * doubted: the range stays unverified and the next node is read.
 */
async function verifyRange(
  options: VerifyChainOptions,
  { client, cursor, from, to, missingFills }: Verifying,
): Promise<void> {
  const { source, store, project, onChanged, clock, logger, metrics } = options;
  const { chainKey } = source;
  const authorizations = storedAuthorizations(store.chain, chainKey);
  const range = await readRange({ ...source, client }, { from, to, cursor: null, authorizations });
  const storedEvents = await store.chain.eventPlaces({ chainKey, from: lowestOf(range, from), to });
  const reread = new Set(range.events.map(keyOf));
  // A fill is read with the end of its order, which may be after the range.
  const mustContain = storedEvents.filter(({ blockNumber, name }) => blockNumber >= from && name !== 'OrderFilled');
  const isDoubtful = mustContain.some((event) => !reread.has(keyOf(event)));
  if (isDoubtful) {
    const message = `a node lacks events of blocks ${from} to ${to} that another reading had`;
    throw new Fault({ origin: 'chain', kind: 'retryable', message });
  }
  await checkFills(options, range, missingFills);
  const storedKeys = new Set(storedEvents.map(keyOf));
  const missingEvents = range.events.filter((event) => !storedKeys.has(keyOf(event)));
  const subjects = subjectsOf(missingEvents);
  const write = (isolation: { readonly isIsolated: boolean }) => async (unit: StoreTransaction) => {
    if (missingEvents.length > 0) {
      // Projections are locked before the cursor, as everywhere: otherwise two transactions could deadlock.
      await beginRange(unit, { subjects, ...isolation });
      // Readers of changes by block are at the cursor at most, and wait until this transaction ends.
      const cursorNow = (await unit.chain.lockCursor(chainKey)) ?? cursor;
      await unit.chain.addMissed({ blocks: range.blocks, events: missingEvents });
      await recordOutcomes(unit, range.outcomes, { nowMs: clock.nowMs(), ...isolation });
      const fromBlock = lowestOf({ events: missingEvents }, to);
      const postponed = await projectReady({ project, chainKey }, unit, { subjects, fromBlock, ...isolation });
      const folded = subjects.filter((subject) => !postponed.includes(subject));
      await unit.positions.markChanged(folded, cursorNow.blockNumber);
    }
    await unit.chain.setVerified(chainKey, to);
  };
  await isolatingFailures((isolation) => store.transaction(write(isolation)));
  if (missingEvents.length > 0) {
    metrics.repairedEvents.inc(missingEvents.length);
    logger.warn({ from, to, count: missingEvents.length }, 'events withheld by a node added');
    onChanged(subjects);
  }
}

/**
 * Check that every filled order has a fill. When neither reading has it, the range stays unverified and the next node
 * is read. A fill that no node has after some rounds is counted, and blocks no other range.
 */
async function checkFills(
  { source, store, nodes, logger, metrics }: VerifyChainOptions,
  range: ReadRange,
  missingFills: Map<string, number>,
): Promise<void> {
  const fillHashes = new Set(fillHashesOf(range.events));
  const unread = range.filledOrders.filter(({ orderHash }) => !fillHashes.has(orderHash.toLowerCase()));
  if (unread.length === 0) return;
  const positionKeys = unread.map(({ positionKey }) => positionKey.toLowerCase());
  const storedHashes = new Set(fillHashesOf(await store.chain.eventsOf(source.chainKey, positionKeys)));
  for (const { orderHash, positionKey } of unread) {
    const hash = orderHash.toLowerCase();
    if (storedHashes.has(hash)) continue;
    const round = (missingFills.get(hash) ?? 0) + 1;
    missingFills.set(hash, round);
    if (round <= fillRounds * nodes.length) {
      const message = `a node lacks the fill of order ${orderHash}`;
      throw new Fault({ origin: 'chain', kind: 'retryable', message });
    }
    metrics.missingFills.inc();
    logger.error({ orderHash, positionKey }, 'no node has the fill of an order: venue fee unknown');
  }
}

function fillHashesOf(records: readonly ChainEventRecord[]): readonly string[] {
  const fills = records.filter(({ name }) => name === 'OrderFilled');
  return readableEventsOf(fills).flatMap((event) =>
    event.name === 'OrderFilled' ? [event.args.orderHash.toLowerCase()] : [],
  );
}

const keyOf = ({ blockNumber, logIndex }: { readonly blockNumber: bigint; readonly logIndex: number }): string =>
  `${blockNumber}:${logIndex}`;

/** Return the lowest block of the events: a fill may be slightly before the range in which its order ended. */
function lowestOf({ events }: Pick<ReadRange, 'events'>, otherwise: bigint): bigint {
  return events.reduce((lowest, { blockNumber }) => (blockNumber < lowest ? blockNumber : lowest), otherwise);
}

/** Times at which blocks became final for this process; after a start all of them count as newly final. */
class FinalityLog {
  readonly #delayMs: number;
  #records: { readonly number: bigint; readonly atMs: number }[] = [];
  #final = -1n;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  record(number: bigint, atMs: number): void {
    const last = this.#records.at(-1);
    if (last === undefined || number > last.number) this.#records.push({ number, atMs });
    else if (number < last.number) this.#records = this.#records.filter((entry) => entry.number <= number);
  }

  /** Return the highest block that has been final for the delay; -1 when none is known. */
  finalBefore(nowMs: number): bigint {
    const isOver = ({ atMs }: { readonly atMs: number }): boolean => nowMs - atMs >= this.#delayMs;
    const over = this.#records.filter(isOver);
    this.#final = over.at(-1)?.number ?? this.#final;
    this.#records = this.#records.filter((entry) => !isOver(entry));
    return this.#final;
  }
}
