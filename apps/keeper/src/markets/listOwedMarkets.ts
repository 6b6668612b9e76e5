import type { Clock } from '@core/runtime';
import type { PositionStore, Store } from '@core/store';
import { readNamedMarkets, type VenueClient } from '@core/venue';
import type { Logger } from 'pino';
import type { ProjectPositions } from '../indexer/projectPositions.ts';
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

type Unlisted = Awaited<ReturnType<PositionStore['unlisted']>>;

/**
 * Assign positions to their market when the index processed them before the catalogue did, as on an empty database.
 * Markets that stopped trading are on no page of the catalogue: they are read by condition.
 */
export function listOwedMarketsTask(options: ListOwedMarketsOptions): Task {
  const { store, logger, metrics } = options;
  const identities = new IdentityProofs(options.rules);
  const markets = new IsolatedItems({ name: 'listOwedMarkets', pauses, atOnce: 4, logger, metrics });
  return {
    name: 'listOwedMarkets',
    lock: locks.catalogue,
    intervalMs: 1_000,
    async run() {
      const positions = await store.positions.unlisted({ exceptVenueMarketIds: markets.waiting, limit: maxRead });
      const byMarket = Map.groupBy(positions, ({ venueMarketId }) => venueMarketId);
      await markets.serve(
        [...byMarket],
        ([venueMarketId]) => venueMarketId,
        ([venueMarketId, unlisted]) => adopt(options, identities, { venueMarketId, unlisted }),
      );
    },
  };
}

/** List the market if needed and assign its positions. Return true on success. */
async function adopt(
  options: ListOwedMarketsOptions,
  identities: IdentityProofs,
  { venueMarketId, unlisted }: { readonly venueMarketId: string; readonly unlisted: Unlisted },
): Promise<boolean> {
  const { store, project, chainKey, logger } = options;
  const isListed = (await store.markets.byVenueMarketId(venueMarketId)) !== null;
  if (!isListed && !(await list(options, identities, venueMarketId))) {
    logger.error({ venueMarketId, count: unlisted.length }, 'positions in an unlisted market');
    return false;
  }
  const subjects = unlisted.map(({ positionKey }) => positionKey);
  await store.transaction(async (unit) => {
    await unit.positions.lockProjections(subjects);
    // Readers of changes by block read them again.
    const cursor = await unit.chain.lockCursor(chainKey);
    await project(unit, { subjects, fromBlock: null });
    if (cursor !== null) await unit.positions.markChanged(subjects, cursor.blockNumber);
  });
  logger.info({ venueMarketId, count: subjects.length }, 'positions assigned to their market');
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
