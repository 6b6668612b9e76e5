import { Fault } from '@core/errors';
import type { Clock } from '@core/runtime';
import { type ChainCursor, type Store, subjectsOf } from '@core/store';
import type { Logger } from 'pino';
import type { PublicClient } from 'viem';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import { type ChainCount, chainCounts, differingCounts } from './compareCounts.ts';
import type { ProjectPositions } from './projectPositions.ts';
import { type ChainSource, type ReadRange, rangeEndOf, readRange } from './readRange.ts';

export interface VerifyChainOptions {
  readonly source: Omit<ChainSource, 'client'>;
  /** Each round asks the next one: where there are several, mostly another than the index asked. */
  readonly nodes: readonly PublicClient[];
  readonly store: Pick<Store, 'chain' | 'transaction'>;
  readonly project: ProjectPositions;
  /** Called with the positions that lacked events, once these are stored. */
  readonly onChanged: (positionKeys: readonly string[]) => void;
  readonly bounds: { readonly deploymentBlock: bigint; readonly rescanDelayMs: number };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'repairedEvents' | 'unverifiedBlocks' | 'differingCounts'>;
}

/** How often the contracts' own counts are asked for while nothing is read. */
const countIntervalMs = 10_000;
/** How often everything may be read again: for a while after its start a process does not know since when it lacks. */
const wholeRescanIntervalMs = 300_000;
/** How long what was read since the counts last agreed may be read again and again before all of it is. */
const soundTrustMs = 60_000;

/**
 * Reads every block a second time, a while after it could no longer be reorganised, and adds what the first reading
 * lacked: a node that answers for a chain it has not seen delays events and loses none. As soon as the index differs
 * from what the contracts count themselves, blocks are read again without the wait, and again until the counts agree.
 */
export function verifyChainTask(options: VerifyChainOptions): Task {
  const { nodes, store, bounds, metrics, logger, source } = options;
  const { chainKey } = source;
  const finality = new FinalityLog(bounds.rescanDelayMs);
  let round = 0;
  let countedAtMs = Number.NEGATIVE_INFINITY;
  let rescannedAtMs = Number.NEGATIVE_INFINITY;
  let differing: readonly ChainCount[] = [];
  let differingSinceMs = Number.POSITIVE_INFINITY;
  /** How far blocks were verified when the counts last agreed; null before they did. */
  let sound: bigint | null = null;
  return {
    name: 'verifyChain',
    lock: locks.index,
    intervalMs: 5_000,
    async run() {
      const cursor = await store.chain.cursor(chainKey);
      const client = nodes[(round += 1) % nodes.length];
      if (cursor === null || client === undefined) return;
      const nowMs = performance.now();
      finality.note(cursor.finalizedNumber, nowMs);
      const verified = (await store.chain.verifiedNumber(chainKey)) ?? bounds.deploymentBlock - 1n;
      metrics.unverifiedBlocks.set(Number(cursor.blockNumber - verified));
      const settled = finality.finalBefore(nowMs);
      if (differing.length > 0 || settled > verified || nowMs - countedAtMs >= countIntervalMs) {
        countedAtMs = nowMs;
        differing = (await differingCounts(options, client)) ?? differing;
        for (const count of chainCounts) metrics.differingCounts.set({ count }, differing.includes(count) ? 1 : 0);
        if (differing.length === 0) differingSinceMs = Number.POSITIVE_INFINITY;
        else if (differingSinceMs > nowMs) differingSinceMs = nowMs;
      }
      const isLacking = differing.length > 0;
      if (!isLacking) sound = verified;
      const due = isLacking ? cursor.finalizedNumber : settled;
      if (due > verified) {
        const from = verified + 1n;
        const to = rangeEndOf(from, due);
        await verifyRange(options, { client, cursor, from, to });
      } else if (isLacking) {
        const isSoundTrusted = sound !== null && nowMs - differingSinceMs < soundTrustMs;
        if (!isSoundTrusted && nowMs - rescannedAtMs < wholeRescanIntervalMs) return;
        if (!isSoundTrusted) rescannedAtMs = nowMs;
        const since = isSoundTrusted ? sound : null;
        logger.warn(
          { differing, verified, since },
          'the contracts count otherwise than the index: blocks are read again',
        );
        await store.chain.setVerified(chainKey, since);
      }
    },
  };
}

interface Verifying {
  readonly client: PublicClient;
  readonly cursor: ChainCursor;
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * A log that was read has been in the block of its hash, so what is stored and not seen again is doubted in the second
 * answer: the range stays unverified and another node is asked.
 */
async function verifyRange(options: VerifyChainOptions, { client, cursor, from, to }: Verifying): Promise<void> {
  const { source, store, project, onChanged, clock, logger, metrics } = options;
  const { chainKey } = source;
  const seen = await readRange({ ...source, client }, { from, to, cursor: null });
  const stored = await store.chain.eventPlaces({ chainKey, from: lowestOf(seen, from), to });
  const placesSeen = new Set(seen.events.map(placeOf));
  // A fill is read with the end of its order, which may lie behind the range.
  const expected = stored.filter(({ blockNumber, name }) => blockNumber >= from && name !== 'OrderFilled');
  const isDoubtful = expected.some((event) => !placesSeen.has(placeOf(event)));
  if (isDoubtful) {
    const message = `a node lacks events of blocks ${from} to ${to} that another reading had`;
    throw new Fault({ origin: 'chain', kind: 'retryable', message });
  }
  const placesStored = new Set(stored.map(placeOf));
  const missed = seen.events.filter((event) => !placesStored.has(placeOf(event)));
  const subjects = subjectsOf(missed);
  await store.transaction(async (unit) => {
    if (missed.length > 0) {
      // Projections before the cursor, as everywhere: two transactions would otherwise wait for each other in a circle.
      await unit.positions.lockProjections(subjects);
      // Those who follow changes by block have come as far as the cursor at most, and come no further until this ends.
      const held = (await unit.chain.lockCursor(chainKey)) ?? cursor;
      await unit.chain.addMissed({ blocks: seen.blocks, events: missed });
      await unit.markets.recordOutcomes(seen.outcomes, clock.nowMs());
      await project(unit, { subjects, fromBlock: lowestOf({ events: missed }, to) });
      await unit.positions.markChanged(subjects, held.blockNumber);
    }
    await unit.chain.setVerified(chainKey, to);
  });
  if (missed.length > 0) {
    metrics.repairedEvents.inc(missed.length);
    logger.warn({ from, to, count: missed.length }, 'events that a node had withheld were added');
    onChanged(subjects);
  }
}

const placeOf = ({ blockNumber, logIndex }: { readonly blockNumber: bigint; readonly logIndex: number }): string =>
  `${blockNumber}:${logIndex}`;

/** Fills belong to orders that ended in the range and may lie a little before it. */
function lowestOf({ events }: Pick<ReadRange, 'events'>, otherwise: bigint): bigint {
  return events.reduce((lowest, { blockNumber }) => (blockNumber < lowest ? blockNumber : lowest), otherwise);
}

/** Since when blocks have been final for this process; a process that starts takes all of them for newly final. */
class FinalityLog {
  readonly #delayMs: number;
  #notes: { readonly number: bigint; readonly atMs: number }[] = [];
  #final = -1n;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  note(number: bigint, atMs: number): void {
    const last = this.#notes.at(-1);
    if (last === undefined || number > last.number) this.#notes.push({ number, atMs });
    else if (number < last.number) this.#notes = this.#notes.filter((note) => note.number <= number);
  }

  /** Highest block that was final a delay ago; -1 when none is known. */
  finalBefore(nowMs: number): bigint {
    const isOver = ({ atMs }: { readonly atMs: number }): boolean => nowMs - atMs >= this.#delayMs;
    const over = this.#notes.filter(isOver);
    this.#final = over.at(-1)?.number ?? this.#final;
    this.#notes = this.#notes.filter((note) => !isOver(note));
    return this.#final;
  }
}
