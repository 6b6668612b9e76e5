import { createHash } from 'node:crypto';
import { Fault } from '@core/errors';
import { type ListedMarket, observedStatusOf, type VenueMarket } from '@core/market';
import type { Clock } from '@core/runtime';
import { type DueMarket, isDatabaseFault, type Store } from '@core/store';
import { conditionsPerRequest, readNamedMarkets, type VenueClient } from '@core/venue';
import type { Logger } from 'pino';
import { Backoff } from '../runner/backoff.ts';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import { disableMoved } from './disableMoved.ts';
import { IdentityProofs } from './identityProofs.ts';
import { type ListingRules, listedMarketOf } from './listedMarket.ts';
import { moveTowards } from './moveTowards.ts';
import { CatalogueReader, type Pass, type PassStep } from './readCatalogue.ts';
import { UnfinishedMarkets } from './unfinishedMarkets.ts';
import { visibleTextOf } from './visibleText.ts';

export interface SyncCatalogueOptions {
  readonly venue: Pick<VenueClient, 'cataloguePage'>;
  readonly markets: Pick<Store['markets'], 'sync' | 'unfinalized' | 'changedSince' | 'moveStatus' | 'setDisabled'>;
  readonly rules: ListingRules;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems' | 'unreadableMarkets' | 'catalogueAge'>;
}

/** Pauses of a market that stopped trading and whose status does not change: its oracle takes minutes or days. */
const retries = { firstMs: 3_000, longestMs: 60_000 };

/** Stopped markets read in one round; the next round reads the rest. */
const maxStopped = 4 * conditionsPerRequest;
/** Markets that close next and are not on the page of the round: one request. */
const maxClosing = conditionsPerRequest;

/**
 * Read the trading markets into the market list, about one page per round, and move statuses as the catalogue changes.
 * Between two passes the markets that close next are read by condition; so are stopped markets that are not final, at a
 * decreasing rate. Of the own list only changes are read.
 */
export function syncCatalogueTask(options: SyncCatalogueOptions): Task {
  const identities = new IdentityProofs(options.rules);
  const { logger, metrics } = options;
  const backoff = new Backoff(retries);
  const isolation = { logger, metrics };
  const isolated = {
    listing: new IsolatedItems({ name: 'listMarkets', ...isolation }),
    writing: new IsolatedItems({ name: 'writeMarkets', atOnce: 4, ...isolation }),
    moving: new IsolatedItems({ name: 'moveMarkets', atOnce: 4, ...isolation }),
  };
  let state: CatalogueState | null = null;
  return {
    name: 'syncCatalogue',
    lock: locks.catalogue,
    intervalMs: 3_000,
    async run({ fenceToken }) {
      // Another process may have written under an earlier token.
      if (state?.fenceToken !== fenceToken) state = stateUnder(fenceToken, options, { identities, isolated });
      await syncRound(options, state, backoff);
    },
  };
}

/** State of the catalogue in a process that works on it alone. */
interface CatalogueState {
  readonly fenceToken: bigint;
  readonly pass: CatalogueReader;
  readonly unfinished: UnfinishedMarkets;
  readonly written: WrittenMarkets;
  readonly identities: IdentityProofs;
  /** Markets by condition: a record that cannot be read, written or moved blocks no other of its page. */
  readonly isolated: Readonly<Record<'listing' | 'writing' | 'moving', IsolatedItems>>;
  /** Tickers that the last complete pass did not contain. */
  missing: ReadonlySet<string>;
  /** Unreadable records of the last complete pass. */
  unreadable: Pass['unreadable'];
  /** Monotonic instant of the last complete pass; of the start before the first. */
  completedAtMs: number;
}

function stateUnder(
  fenceToken: bigint,
  { venue, markets }: SyncCatalogueOptions,
  shared: Pick<CatalogueState, 'identities' | 'isolated'>,
): CatalogueState {
  return {
    fenceToken,
    pass: new CatalogueReader(venue, (market) => shared.identities.problemOf(market)),
    unfinished: new UnfinishedMarkets(markets),
    written: new WrittenMarkets(),
    ...shared,
    missing: new Set(),
    unreadable: new Map(),
    completedAtMs: performance.now(),
  };
}

async function syncRound(options: SyncCatalogueOptions, state: CatalogueState, backoff: Backoff): Promise<void> {
  const { venue, clock, logger } = options;
  const nowMs = clock.nowMs();
  const step = await state.pass.next();
  const { discovered } = await write(options, state, { records: step.markets, nowMs });
  if (discovered > 0) logger.info({ count: discovered }, 'markets discovered');
  await state.unfinished.refresh();
  const { inOrder } = state.unfinished;
  if (step.completed !== null) state.missing = missingOf(inOrder, step.completed.tickers);
  const round = { page: new Set(step.markets.map(({ ticker }) => ticker)), missing: state.missing, nowMs };
  const waiting = new Set(backoff.waiting(performance.now()));
  const stoppedMarkets = inOrder
    .filter((market) => hasStopped(market, round) && !waiting.has(subjectOf(market)))
    .slice(0, maxStopped);
  const closing = inOrder.filter((market) => isClosing(market, round)).slice(0, maxClosing);
  const names = [...new Set([...stoppedMarkets, ...closing].map(({ venueMarketId }) => venueMarketId))];
  const named = await readNamedMarkets(venue, names);
  for (const market of stoppedMarkets) backoff.postpone(subjectOf(market), performance.now());
  await write(options, state, { records: named.markets, nowMs });
  await moveStatuses(options, state, [...step.markets, ...named.markets]);
  await disableMoved(options, { ...state, records: [...step.markets, ...named.markets] });
  if (step.completed !== null) state.written.keepOnly(inOrder.map(({ venueMarketId }) => venueMarketId));
  reportProgress(options, state, step);
  const fault = step.fault ?? named.fault;
  if (fault !== null) throw fault;
}

/**
 * Longest duration of a pass: 100,000 records at 500 per round of three seconds. A longer one makes no progress, even
 * if its rounds succeed.
 */
const maxPassMs = 600_000;

/** Report the progress of passes. @throws Fault when no pass completes, so that health reports the task. */
function reportProgress(
  { logger, metrics }: SyncCatalogueOptions,
  state: CatalogueState,
  { completed }: PassStep,
): void {
  const nowMs = performance.now();
  if (completed !== null) {
    state.completedAtMs = nowMs;
    metrics.unreadableMarkets.reset();
    for (const problem of completed.unreadable.values()) metrics.unreadableMarkets.inc({ problem });
    const records = [...completed.unreadable].filter(([slug]) => !state.unreadable.has(slug));
    if (records.length > 0) {
      const first = Object.fromEntries(records.slice(0, 20));
      logger.warn({ records: first, count: records.length }, 'catalogue records unreadable');
    }
    state.unreadable = completed.unreadable;
  }
  const ageMs = nowMs - state.completedAtMs;
  metrics.catalogueAge.set(ageMs / 1_000);
  if (ageMs <= maxPassMs) return;
  const message = `no complete pass through the catalogue for ${Math.round(ageMs / 1_000)} s`;
  throw new Fault({ origin: 'venue', kind: 'retryable', message });
}

const subjectOf = ({ id, status }: DueMarket): string => `${id}:${status}`;

function missingOf(unfinished: readonly DueMarket[], tickers: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(unfinished.map(({ ticker }) => ticker).filter((ticker) => !tickers.has(ticker)));
}

/** Trading markets of a round. */
interface Round {
  /** On the page of this round. */
  readonly page: ReadonlySet<string>;
  /** Not in the last whole pass. */
  readonly missing: ReadonlySet<string>;
  readonly nowMs: number;
}

/**
 * Return true for a market that may have stopped trading: by its time, by its status, or because a complete pass did
 * not contain it.
 */
function hasStopped({ ticker, status, closeTimeMs }: DueMarket, { page, missing, nowMs }: Round): boolean {
  if (page.has(ticker)) return false;
  return status !== 'active' || isOver(closeTimeMs, nowMs) || missing.has(ticker);
}

/** Return true for a trading market that has a close time and is not on the page of the round. */
function isClosing(market: DueMarket, round: Round): boolean {
  return market.closeTimeMs !== null && !round.page.has(market.ticker) && !hasStopped(market, round);
}

function isOver(closeTimeMs: number | null, nowMs: number): boolean {
  return closeTimeMs !== null && closeTimeMs <= nowMs;
}

/** A market to write, and the digest of the listing. */
interface Change {
  readonly market: ListedMarket;
  readonly digest: string;
}

/** Write the markets of which a client can notice a change. Return the number of new ones. */
async function write(
  options: SyncCatalogueOptions,
  state: Pick<CatalogueState, 'written' | 'identities' | 'isolated'>,
  { records, nowMs }: { readonly records: readonly VenueMarket[]; readonly nowMs: number },
): Promise<{ readonly discovered: number }> {
  const { policy } = options.rules;
  const { written, identities, isolated } = state;
  const changed: Change[] = [];
  for (const record of records) {
    isolated.listing.attempt(record.ticker, () => {
      for (const market of listedMarketOf(record, { identity: identities.of(record), policy, nowMs })) {
        const digest = digestOf(visibleTextOf(market));
        if (!written.has(market.venueMarketId, digest)) changed.push({ market, digest });
      }
    });
  }
  const writable = changed.filter(({ market }) => !isolated.writing.isWaiting(market.venueMarketId));
  return { discovered: await writeTogether(options, state, { changes: writable, nowMs }) };
}

/** `lock_not_available` and `query_canceled`: a statement waited too long, perhaps for a single row. */
const lockTimeoutCodes: ReadonlySet<unknown> = new Set(['55P03', '57014']);

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && lockTimeoutCodes.has(error.code);
}

/** Write markets in one transaction. When the database refuses one of them, each is written on its own. */
async function writeTogether(
  { markets, logger }: SyncCatalogueOptions,
  { written, isolated }: Pick<CatalogueState, 'written' | 'isolated'>,
  { changes, nowMs }: { readonly changes: readonly Change[]; readonly nowMs: number },
): Promise<number> {
  if (changes.length === 0) return 0;
  const sync = async (some: readonly Change[]): Promise<number> => {
    const { discovered } = await markets.sync(
      some.map(({ market }) => market),
      nowMs,
    );
    for (const { market, digest } of some) written.record(market.venueMarketId, digest);
    return discovered.length;
  };
  try {
    return await sync(changes);
  } catch (error) {
    // An unreachable database refuses all of them; a locked row is a failure of one.
    if (isDatabaseFault(error) && !isLockTimeout(error)) throw error;
    logger.warn({ err: error, count: changes.length }, 'market batch refused: writing one by one');
  }
  let discovered = 0;
  await isolated.writing.serve(
    changes,
    ({ market }) => market.venueMarketId,
    async (change) => {
      discovered += await sync([change]);
      return true;
    },
  );
  return discovered;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

async function moveStatuses(
  options: SyncCatalogueOptions,
  { unfinished, isolated }: Pick<CatalogueState, 'unfinished' | 'isolated'>,
  records: readonly VenueMarket[],
): Promise<void> {
  const moves = records.flatMap((market) => {
    const record = unfinished.of(market.ticker);
    const status = observedStatusOf(market);
    return record === null || record.status === status ? [] : [{ record, status }];
  });
  await isolated.moving.serve(
    moves,
    ({ record }) => record.id,
    async ({ record, status }) => {
      await moveTowards(options, record, status);
      return true;
    },
  );
}

/** Digests of the markets that this process wrote, valid while no other process writes. */
class WrittenMarkets {
  readonly #digests = new Map<string, string>();

  has(venueMarketId: string, digest: string): boolean {
    return this.#digests.get(venueMarketId) === digest;
  }

  record(venueMarketId: string, digest: string): void {
    this.#digests.set(venueMarketId, digest);
  }

  /** Remove every other market. */
  keepOnly(venueMarketIds: readonly string[]): void {
    const retained = new Set(venueMarketIds);
    for (const venueMarketId of this.#digests.keys()) {
      if (!retained.has(venueMarketId)) this.#digests.delete(venueMarketId);
    }
  }
}
