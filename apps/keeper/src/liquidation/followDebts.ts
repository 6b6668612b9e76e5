import type { Position, PositionStatus } from '@core/position';
import { isZero } from '@core/pricing';
import { type Clock, marketShareOf } from '@core/runtime';
import type { MarketRecord, Store } from '@core/store';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import type { MarketShares } from '../runner/marketShares.ts';
import { locks, type Task } from '../runner/task.ts';
import type { Wake } from '../runner/wake.ts';
import type { Intents } from '../transactions/intents.ts';
import type { ChangedPosition, DebtWatch } from './debtWatch.ts';
import { dueReasons } from './followedDebts.ts';

/** Statuses of the positions that hold tokens and may owe something. */
const heldStatuses: readonly PositionStatus[] = ['open', 'unwinding', 'closing', 'settling'];

export interface FollowDebtsOptions {
  readonly store: Pick<Store, 'positions' | 'markets' | 'chain'>;
  readonly intents: Pick<Intents, 'ofSubjects'>;
  readonly debts: DebtWatch;
  /** The shares of the markets that this keeper looks after. */
  readonly shares: Pick<MarketShares, 'current'>;
  /** Called when this keeper holds other shares. */
  readonly wake: Wake;
  /** Called after each round: every debt that is owed in these shares is in the watch. */
  readonly onLooked: (shares: readonly number[]) => void;
  readonly bounds: { readonly chainKey: string; readonly deploymentBlock: bigint; readonly finalityDepth: bigint };
  readonly clock: Clock;
  readonly metrics: Pick<KeeperMetrics, 'followedDebts' | 'staleMarkets' | 'dueDebts'>;
}

/** Up to where changes were taken in, and in which shares, each with the token of its lease. */
interface Taken {
  readonly fenceTokens: ReadonlyMap<number, bigint>;
  readonly blockNumber: bigint;
  readonly marketVersion: bigint;
}

/**
 * Takes what the index and the catalogue saw since the last round into the watch of debts; in a share that this keeper
 * got since then everything that is open, because another keeper may have worked there.
 */
export function followDebtsTask(options: FollowDebtsOptions): Task {
  const { shares, debts, wake, onLooked, clock, metrics } = options;
  let taken: Taken | null = null;
  return {
    name: 'followDebts',
    lock: locks.signer,
    intervalMs: 1_000,
    wake,
    async run() {
      wake.take();
      const held = shares.current;
      taken = held.length === 0 ? takeNothing(options) : await take(options, { taken, held });
      debts.renew(clock.nowMs());
      onLooked(held.map(({ share }) => share));
      metrics.followedDebts.set(debts.size);
      metrics.staleMarkets.set(debts.unseenTickers.length);
      const reasons = debts.dueNow().map((positionKey) => debts.dueBy(positionKey));
      for (const reason of dueReasons) {
        metrics.dueDebts.set({ reason }, reasons.filter((other) => other === reason).length);
      }
    },
  };
}

/** A keeper that holds no share reads nothing. */
function takeNothing({ debts }: FollowDebtsOptions): null {
  debts.leave();
  return null;
}

async function take(
  options: FollowDebtsOptions,
  { taken, held }: { readonly taken: Taken | null; readonly held: MarketShares['current'] },
): Promise<Taken> {
  const before = taken?.fenceTokens ?? new Map<number, bigint>();
  const fenceTokens = new Map(held.map(({ share, fenceToken }) => [share, fenceToken]));
  const got = new Set(
    held.filter(({ share, fenceToken }) => before.get(share) !== fenceToken).map(({ share }) => share),
  );
  if ([...before.keys()].some((share) => !fenceTokens.has(share))) options.debts.leave();
  // Block and version first: what changes between the reads is read again, and never missed.
  const reached = taken === null ? await reachedNow(options) : await takeChanges(options, taken);
  if (got.size > 0) await takeOpen(options, got);
  return { fenceTokens, ...reached };
}

async function takeOpen(options: FollowDebtsOptions, got: ReadonlySet<number>): Promise<void> {
  const { store, debts, clock } = options;
  const isGot = (marketId: string | null): boolean => marketId !== null && got.has(marketShareOf(marketId));
  const held = await store.positions.inStatuses(heldStatuses);
  const open = await inMarkets(
    options,
    held.filter(({ marketId }) => isGot(marketId)),
  );
  const past = await pastHardExits(options, open);
  const remembered = open.map((one) => ({ ...one, wasHardExitInForce: past.has(one.position.positionKey) }));
  await debts.begin(isGot, remembered, clock.nowMs());
}

type Reached = Omit<Taken, 'fenceTokens'>;

async function reachedNow(options: FollowDebtsOptions): Promise<Reached> {
  return { blockNumber: await reachedBlock(options), marketVersion: await options.store.markets.version() };
}

async function takeChanges(options: FollowDebtsOptions, taken: Taken): Promise<Reached> {
  const { store, debts, bounds, clock } = options;
  const blockNumber = await reachedBlock(options);
  // A reorganisation may fold a position back to an earlier block.
  const changed = await store.positions.changedSince(taken.blockNumber - bounds.finalityDepth);
  debts.take(await inMarkets(options, changed), clock.nowMs());
  const markets = await store.markets.changedSince(taken.marketVersion);
  debts.takeMarkets(markets);
  return { blockNumber, marketVersion: markets.at(-1)?.version ?? taken.marketVersion };
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
