import type { Position, PositionStatus } from '@core/position';
import { isZero } from '@core/pricing';
import type { Clock } from '@core/runtime';
import type { Lease, MarketRecord, Store } from '@core/store';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import type { Intents } from '../transactions/intents.ts';
import type { ChangedPosition, DebtWatch } from './debtWatch.ts';
import { dueReasons } from './followedDebts.ts';

/** Statuses of the positions that hold tokens and may owe something. */
const heldStatuses: readonly PositionStatus[] = ['open', 'unwinding', 'closing', 'settling'];

export interface FollowDebtsOptions {
  readonly store: Pick<Store, 'positions' | 'markets' | 'chain'>;
  readonly intents: Pick<Intents, 'ofSubjects'>;
  readonly debts: DebtWatch;
  /** Called after each round: every debt that is owed is in the watch. */
  readonly onLooked: () => void;
  readonly bounds: { readonly chainKey: string; readonly deploymentBlock: bigint; readonly finalityDepth: bigint };
  readonly clock: Clock;
  readonly metrics: Pick<KeeperMetrics, 'followedDebts' | 'staleMarkets' | 'dueDebts'>;
}

/** Up to where changes were taken in, under which lease. */
interface Taken {
  readonly fenceToken: bigint;
  readonly blockNumber: bigint;
  readonly marketVersion: bigint;
}

/**
 * Takes what the index and the catalogue saw since the last round into the watch of debts; everything open at the first
 * round under a lease, because another keeper may have worked since this one did.
 */
export function followDebtsTask(options: FollowDebtsOptions): Task {
  const { debts, onLooked, clock, metrics } = options;
  let taken: Taken | null = null;
  return {
    name: 'followDebts',
    lock: locks.effects,
    intervalMs: 1_000,
    async run(lease) {
      taken = await (taken?.fenceToken === lease.fenceToken ? takeChanges(options, taken) : takeOpen(options, lease));
      debts.renew(clock.nowMs());
      onLooked();
      metrics.followedDebts.set(debts.size);
      metrics.staleMarkets.set(debts.unseenTickers.length);
      const reasons = debts.dueNow().map((positionKey) => debts.dueBy(positionKey));
      for (const reason of dueReasons) {
        metrics.dueDebts.set({ reason }, reasons.filter((other) => other === reason).length);
      }
    },
  };
}

async function takeOpen(options: FollowDebtsOptions, lease: Lease): Promise<Taken> {
  const { store, debts, clock } = options;
  // Block and version first: what changes between the reads is read again, and never missed.
  const blockNumber = await reachedBlock(options);
  const marketVersion = await store.markets.version();
  const open = await inMarkets(options, await store.positions.inStatuses(heldStatuses));
  const past = await pastHardExits(options, open);
  const remembered = open.map((one) => ({ ...one, wasHardExitInForce: past.has(one.position.positionKey) }));
  debts.restart(remembered, lease, clock.nowMs());
  return { fenceToken: lease.fenceToken, blockNumber, marketVersion };
}

async function takeChanges(options: FollowDebtsOptions, taken: Taken): Promise<Taken> {
  const { store, debts, bounds, clock } = options;
  const blockNumber = await reachedBlock(options);
  // A reorganisation may fold a position back to an earlier block.
  const changed = await store.positions.changedSince(taken.blockNumber - bounds.finalityDepth);
  debts.take(await inMarkets(options, changed), clock.nowMs());
  const markets = await store.markets.changedSince(taken.marketVersion);
  debts.takeMarkets(markets);
  return { ...taken, blockNumber, marketVersion: markets.at(-1)?.version ?? taken.marketVersion };
}

async function reachedBlock({ store, bounds }: FollowDebtsOptions): Promise<bigint> {
  return (await store.chain.cursor(bounds.chainKey))?.blockNumber ?? bounds.deploymentBlock;
}

async function inMarkets(
  { store }: FollowDebtsOptions,
  positions: readonly Position[],
): Promise<readonly ChangedPosition[]> {
  const markets = new Map<string, MarketRecord | null>();
  const found: ChangedPosition[] = [];
  for (const position of positions) {
    const { marketId } = position;
    if (marketId !== null && !markets.has(marketId)) markets.set(marketId, await store.markets.byId(marketId));
    const market = marketId === null ? null : markets.get(marketId);
    if (market) found.push({ position, market });
  }
  return found;
}

/** Positions that were ordered to be sold because their hard exit was in force: a game put off does not lift it. */
async function pastHardExits(
  { intents }: FollowDebtsOptions,
  open: readonly ChangedPosition[],
): Promise<ReadonlySet<string>> {
  const owing = open.filter(({ position }) => !isZero(position.principalUsdcUnits));
  const subjects = owing.map(({ position }) => position.positionKey);
  const orders = await intents.ofSubjects(subjects, 'authorize_unwind');
  return new Set(orders.filter(({ plan }) => plan.details.unwind.isHardExit).map(({ subject }) => subject));
}
