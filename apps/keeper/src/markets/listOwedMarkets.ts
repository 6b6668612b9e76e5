import type { Clock } from '@core/runtime';
import type { PositionStore, Store } from '@core/store';
import { readNamedMarkets, type VenueClient } from '@core/venue';
import type { Logger } from 'pino';
import { lockedFault, type ProjectPositions, unlessLocked } from '../indexer/projectPositions.ts';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import { IdentityProofs } from './identityProofs.ts';
import { type ListingRules, listedMarketOf } from './listedMarket.ts';

export interface ListOwedMarketsOptions {
  readonly venue: Pick<VenueClient, 'cataloguePage'>;
  readonly store: Pick<Store, 'markets' | 'positions' | 'transaction'>;
  readonly project: ProjectPositions;
  readonly chainKey: string;
  readonly rules: ListingRules;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems'>;
}

/** Positions read in one round; the next round reads the rest. */
const maxRead = 500;
/** Pauses of a market that the venue does not list. */
const pauses = { firstMs: 3_000, longestMs: 300_000 };
/** Pauses of a position with a locked row or unreadable events. */
const positionPauses = { firstMs: 1_000, longestMs: 10_000 };

type Unlisted = Awaited<ReturnType<PositionStore['unlisted']>>[number];

/**
 * Assign positions to their market when the index processed them before the catalogue did, as on an empty database,
 * each by itself. Markets that stopped trading are on no page of the catalogue: they are read by condition.
 */
export function listOwedMarketsTask(options: ListOwedMarketsOptions): Task {
  const { store, logger, metrics } = options;
  const identities = new IdentityProofs(options.rules);
  const markets = new IsolatedItems({ name: 'listOwedMarkets', pauses, atOnce: 4, logger, metrics });
  const positions = new IsolatedItems({ name: 'assignPositions', pauses: positionPauses, logger, metrics });
  return {
    name: 'listOwedMarkets',
    lock: locks.catalogue,
    intervalMs: 1_000,
    async run() {
      const unlisted = await store.positions.unlisted({ exceptVenueMarketIds: markets.waiting, limit: maxRead });
      const byMarket = Map.groupBy(unlisted, ({ venueMarketId }) => venueMarketId);
      const ready: Unlisted[] = [];
      try {
        await markets.serve(
          [...byMarket],
          ([venueMarketId]) => venueMarketId,
          async ([venueMarketId, owed]) => {
            const isListed =
              (await store.markets.byVenueMarketId(venueMarketId)) !== null ||
              (await list(options, identities, venueMarketId));
            if (isListed) ready.push(...owed);
            else logger.error({ venueMarketId, count: owed.length }, 'positions in an unlisted market');
            return isListed;
          },
        );
      } finally {
        await positions.serve(
          ready,
          ({ positionKey }) => positionKey,
          (position) => assign(options, position),
        );
      }
    },
  };
}

/** Fold a position again, which assigns it to its listed market. @throws Fault when a row of it is locked. */
async function assign(
  { store, project, chainKey, logger }: ListOwedMarketsOptions,
  { positionKey, venueMarketId }: Unlisted,
): Promise<true> {
  const subjects = [positionKey];
  await store.transaction(async (unit) => {
    // The cursor is held: readers of changes by block read the position again.
    const cursor = await unit.chain.lockCursor(chainKey);
    const isFree = await unlessLocked(unit, () => project(unit, { subjects, fromBlock: null }));
    if (!isFree) throw lockedFault();
    if (cursor !== null) await unit.positions.markChanged(subjects, cursor.blockNumber);
  });
  logger.info({ positionKey, venueMarketId }, 'position assigned to its market');
  return true;
}

/**
 * Read one market by condition and list it. Return false when the venue does not have it, or its identity is not
 * proven.
 */
async function list(
  { venue, store, rules, clock }: ListOwedMarketsOptions,
  identities: IdentityProofs,
  venueMarketId: string,
): Promise<boolean> {
  const { policy } = rules;
  const nowMs = clock.nowMs();
  const { markets, fault } = await readNamedMarkets(venue, [venueMarketId]);
  if (fault !== null) throw fault;
  const matches = markets.filter(({ conditionId }) => conditionId?.toLowerCase() === venueMarketId);
  const listed = matches.flatMap((market) =>
    listedMarketOf(market, { identity: identities.of(market), policy, nowMs }),
  );
  if (listed.length === 0) return false;
  await store.markets.sync(listed, nowMs);
  return (await store.markets.byVenueMarketId(venueMarketId)) !== null;
}
