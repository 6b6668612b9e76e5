import { createHash } from 'node:crypto';
import type { Clock } from '@core/runtime';
import type { DueMarket, Store } from '@core/store';
import { observedStatusOf, type VenueClient, type VenueMarket } from '@core/venue';
import type { Logger } from 'pino';
import { Backoff } from '../runner/backoff.ts';
import { locks, type Task } from '../runner/task.ts';
import { IdentityProofs } from './identityProofs.ts';
import { type ListingRules, listedMarketOf } from './listedMarket.ts';
import { moveTowards } from './moveTowards.ts';
import { CataloguePass, conditionsPerRequest, readMarkets } from './readCatalogue.ts';
import { shownTextOf } from './shownMarket.ts';
import { UnfinishedMarkets } from './unfinishedMarkets.ts';

export interface SyncCatalogueOptions {
  readonly venue: Pick<VenueClient, 'cataloguePage'>;
  readonly markets: Pick<Store['markets'], 'sync' | 'unfinalized' | 'changedSince' | 'moveStatus'>;
  readonly rules: ListingRules;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A market that stopped trading and does not move: its oracle takes minutes or days. */
const retries = { firstMs: 3_000, longestMs: 60_000 };

/** Stopped markets asked for in one round; the next round takes the rest. */
const maxStopped = 4 * conditionsPerRequest;
/** Markets that close next, asked for in a round that has not come by them: one request. */
const maxClosing = conditionsPerRequest;

/**
 * Reads what trades now into the market list, a page of it in a round, and moves statuses along as the catalogue sees
 * them. Between two passes what closes next is asked for by name; what no longer trades and is not final, by name and
 * less and less often. Of our own list only what changed is read.
 */
export function syncCatalogueTask(options: SyncCatalogueOptions): Task {
  const identities = new IdentityProofs(options.rules);
  const backoff = new Backoff(retries);
  let known: Known | null = null;
  return {
    name: 'syncCatalogue',
    lock: locks.catalogue,
    intervalMs: 3_000,
    async run({ fenceToken }) {
      // Under a new token others may have written.
      if (known?.fenceToken !== fenceToken) known = knownUnder(fenceToken, options, identities);
      await syncRound(options, known, backoff);
    },
  };
}

/** What a process knows of the catalogue while it alone works on it. */
interface Known {
  readonly fenceToken: bigint;
  readonly pass: CataloguePass;
  readonly unfinished: UnfinishedMarkets;
  readonly written: WrittenMarkets;
  readonly identities: IdentityProofs;
  /** Tickers that the last whole pass did not come by. */
  missing: ReadonlySet<string>;
}

function knownUnder(fenceToken: bigint, { venue, markets }: SyncCatalogueOptions, identities: IdentityProofs): Known {
  return {
    fenceToken,
    pass: new CataloguePass(venue),
    unfinished: new UnfinishedMarkets(markets),
    written: new WrittenMarkets(),
    identities,
    missing: new Set(),
  };
}

async function syncRound(options: SyncCatalogueOptions, known: Known, backoff: Backoff): Promise<void> {
  const { venue, clock, logger } = options;
  const nowMs = clock.nowMs();
  const page = await known.pass.next();
  const { discovered } = await write(options, known, { seen: page.markets, nowMs });
  if (discovered > 0) logger.info({ count: discovered }, 'markets discovered');
  await known.unfinished.refresh();
  const { inOrder } = known.unfinished;
  if (page.completed !== null) known.missing = missingOf(inOrder, page.completed);
  const round = { page: new Set(page.markets.map(({ ticker }) => ticker)), missing: known.missing, nowMs };
  const waiting = new Set(backoff.waiting(performance.now()));
  const stopped = inOrder
    .filter((market) => hasStopped(market, round) && !waiting.has(subjectOf(market)))
    .slice(0, maxStopped);
  const closing = inOrder.filter((market) => isClosing(market, round)).slice(0, maxClosing);
  const named = [...new Set([...stopped, ...closing].map(({ venueMarketId }) => venueMarketId))];
  const looked = await readMarkets(venue, named);
  for (const market of stopped) backoff.postpone(subjectOf(market), performance.now());
  await write(options, known, { seen: looked, nowMs });
  await moveStatuses(options, known.unfinished, [...page.markets, ...looked]);
  if (page.completed !== null) known.written.keepOnly(inOrder.map(({ venueMarketId }) => venueMarketId));
}

const subjectOf = ({ id, status }: DueMarket): string => `${id}:${status}`;

function missingOf(unfinished: readonly DueMarket[], seen: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(unfinished.map(({ ticker }) => ticker).filter((ticker) => !seen.has(ticker)));
}

/** What was seen of trading markets. */
interface Round {
  /** On the page of this round. */
  readonly page: ReadonlySet<string>;
  /** Not in the last whole pass. */
  readonly missing: ReadonlySet<string>;
  readonly nowMs: number;
}

/** Does not trade, or perhaps no more: it is over by time or by status, or a whole pass did not come by it. */
function hasStopped({ ticker, status, closeTimeMs }: DueMarket, { page, missing, nowMs }: Round): boolean {
  if (page.has(ticker)) return false;
  return status !== 'active' || isOver(closeTimeMs, nowMs) || missing.has(ticker);
}

/** Trades and is still to close, but was not seen in this round. */
function isClosing(market: DueMarket, round: Round): boolean {
  return market.closeTimeMs !== null && !round.page.has(market.ticker) && !hasStopped(market, round);
}

function isOver(closeTimeMs: number | null, nowMs: number): boolean {
  return closeTimeMs !== null && closeTimeMs <= nowMs;
}

/** Writes what a client could see a difference in. Returns how many are new. */
async function write(
  { markets, rules }: SyncCatalogueOptions,
  { written, identities }: Pick<Known, 'written' | 'identities'>,
  { seen, nowMs }: { readonly seen: readonly VenueMarket[]; readonly nowMs: number },
): Promise<{ readonly discovered: number }> {
  const { policy } = rules;
  const listed = seen.flatMap((market) => listedMarketOf(market, { identity: identities.of(market), policy, nowMs }));
  const changed = listed
    .map((market) => ({ market, digest: digestOf(shownTextOf(market)) }))
    .filter(({ market, digest }) => !written.has(market.venueMarketId, digest));
  if (changed.length === 0) return { discovered: 0 };
  const { discovered } = await markets.sync(
    changed.map(({ market }) => market),
    nowMs,
  );
  for (const { market, digest } of changed) written.note(market.venueMarketId, digest);
  return { discovered: discovered.length };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

async function moveStatuses(
  options: SyncCatalogueOptions,
  unfinished: UnfinishedMarkets,
  seen: readonly VenueMarket[],
): Promise<void> {
  for (const market of seen) {
    const record = unfinished.of(market.ticker);
    if (record !== null) await moveTowards(options, record, observedStatusOf(market));
  }
}

/** What this process has written of each market, while no other process may have written meanwhile. */
class WrittenMarkets {
  readonly #digests = new Map<string, string>();

  has(venueMarketId: string, digest: string): boolean {
    return this.#digests.get(venueMarketId) === digest;
  }

  note(venueMarketId: string, digest: string): void {
    this.#digests.set(venueMarketId, digest);
  }

  /** What is finished is not remembered. */
  keepOnly(venueMarketIds: readonly string[]): void {
    const kept = new Set(venueMarketIds);
    for (const venueMarketId of this.#digests.keys()) {
      if (!kept.has(venueMarketId)) this.#digests.delete(venueMarketId);
    }
  }
}
