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
import { readMarkets, readOpenMarkets } from './readCatalogue.ts';
import { shownTextOf } from './shownMarket.ts';

export interface SyncCatalogueOptions {
  readonly venue: Pick<VenueClient, 'cataloguePage'>;
  readonly markets: Pick<Store['markets'], 'sync' | 'unfinished' | 'moveStatus'>;
  readonly rules: ListingRules;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A market that stopped trading and does not move: its oracle takes minutes or days. */
const retries = { firstMs: 3_000, longestMs: 60_000 };

/**
 * Reads what trades now into the market list, and moves statuses along as the catalogue sees them. Of what no longer
 * trades only markets that are not final yet are asked for, one by one and less and less often.
 */
export function syncCatalogueTask(options: SyncCatalogueOptions): Task {
  const { venue, markets, rules, clock, logger } = options;
  const written = new WrittenMarkets();
  const known = { written, identities: new IdentityProofs(rules) };
  const backoff = new Backoff(retries);
  return {
    name: 'syncCatalogue',
    lock: locks.catalogue,
    intervalMs: 3_000,
    async run({ fenceToken }) {
      written.forgetOthers(fenceToken);
      const nowMs = clock.nowMs();
      const open = await readOpenMarkets(venue);
      const { discovered } = await write(options, known, { seen: open, nowMs });
      if (discovered > 0) logger.info({ count: discovered }, 'markets discovered');
      const unfinished = await markets.unfinished();
      const stopped = stoppedOf(unfinished, open, new Set(backoff.waiting(performance.now())));
      const looked = await readMarkets(
        venue,
        stopped.map(({ venueMarketId }) => venueMarketId),
      );
      for (const market of stopped) backoff.postpone(subjectOf(market), performance.now());
      await write(options, known, { seen: looked, nowMs });
      await moveStatuses(options, unfinished, [...open, ...looked]);
      written.keepOnly(unfinished.map(({ venueMarketId }) => venueMarketId));
    },
  };
}

const subjectOf = ({ id, status }: DueMarket): string => `${id}:${status}`;

/** Markets that are not final and do not trade, except those that wait as long as they have their status. */
function stoppedOf(
  unfinished: readonly DueMarket[],
  open: readonly VenueMarket[],
  waiting: ReadonlySet<string>,
): readonly DueMarket[] {
  const trading = new Set(open.map(({ ticker }) => ticker));
  return unfinished.filter((market) => !trading.has(market.ticker) && !waiting.has(subjectOf(market)));
}

/** What a process remembers of the catalogue. */
interface Known {
  readonly written: WrittenMarkets;
  readonly identities: IdentityProofs;
}

/** Writes what a client could see a difference in. Returns how many are new. */
async function write(
  { markets, rules }: SyncCatalogueOptions,
  { written, identities }: Known,
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
  unfinished: readonly DueMarket[],
  seen: readonly VenueMarket[],
): Promise<void> {
  const known = new Map(unfinished.map((market) => [market.ticker, market]));
  for (const market of seen) {
    const record = known.get(market.ticker);
    if (record !== undefined) await moveTowards(options, record, observedStatusOf(market));
  }
}

/** What this process has written of each market, while no other process may have written meanwhile. */
class WrittenMarkets {
  readonly #digests = new Map<string, string>();
  #fenceToken: bigint | null = null;

  /** Called with each round's token: under a new one others may have written. */
  forgetOthers(fenceToken: bigint): void {
    if (fenceToken !== this.#fenceToken) this.#digests.clear();
    this.#fenceToken = fenceToken;
  }

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
