import type { MarketRecord } from '@core/market';
import type { Position, PositionStatus } from '@core/position';
import { isZero } from '@core/pricing';
import { type Clock, type MarketShare, marketShareName, marketShareOf } from '@core/runtime';
import type { Store } from '@core/store';
import type { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import type { MarketShares } from '../runner/marketShares.ts';
import { locks, type Task } from '../runner/task.ts';
import type { Wake } from '../runner/wake.ts';
import type { Intents } from '../transactions/intents.ts';
import type { ChangedPosition, DebtWatch } from './debtWatch.ts';
import { dueReasons } from './dueDebts.ts';

/** Statuses of positions with tokens and possibly debt. */
const statusesWithTokens: readonly PositionStatus[] = ['open', 'unwinding', 'closing', 'settling'];

export interface FollowDebtsOptions {
  readonly store: Pick<Store, 'positions' | 'markets' | 'chain'>;
  readonly intents: Pick<Intents, 'ofSubjects'>;
  readonly debts: DebtWatch;
  /** Reads a market by itself. */
  readonly isolated: Pick<IsolatedItems, 'read'>;
  /** Market shares of this keeper. */
  readonly shares: Pick<MarketShares, 'current'>;
  /** Called when the shares of this keeper change. */
  readonly wake: Wake;
  readonly bounds: { readonly chainKey: string; readonly deploymentBlock: bigint };
  readonly clock: Clock;
  readonly metrics: Pick<KeeperMetrics, 'followedDebts' | 'staleMarkets' | 'dueDebts'>;
}

/** Cursors of the changes read so far, and the names of the shares they cover with the tokens of their leases. */
interface Progress {
  readonly fenceTokens: ReadonlyMap<string, bigint>;
  /** Newest final block: a reorganisation may move a position back to a block after it. */
  readonly finalizedNumber: bigint;
  readonly marketVersion: bigint;
}

/**
 * Feed changes of the index and of the catalogue since the last round into the debt watch; for a share acquired since
 * then all open positions, because another keeper may have worked there.
 */
export function followDebtsTask(options: FollowDebtsOptions): Task {
  const { shares, debts, wake, clock, metrics } = options;
  let progress: Progress | null = null;
  return {
    name: 'followDebts',
    lock: locks.signer,
    intervalMs: 1_000,
    wake,
    async run() {
      wake.take();
      const current = shares.current;
      progress = current.length === 0 ? dropAll(options) : await update(options, { progress, shares: current });
      debts.renew(clock.nowMs());
      debts.recordRound(current);
      metrics.followedDebts.set(debts.size);
      metrics.staleMarkets.set(debts.unseenTickers.length);
      const due = debts.due();
      for (const reason of dueReasons) {
        metrics.dueDebts.set({ reason }, due.filter((debt) => debt.reason === reason).length);
      }
    },
  };
}

/** Read nothing: this keeper has no share. */
function dropAll({ debts }: FollowDebtsOptions): null {
  debts.removeLost();
  return null;
}

async function update(
  options: FollowDebtsOptions,
  { progress, shares }: { readonly progress: Progress | null; readonly shares: MarketShares['current'] },
): Promise<Progress> {
  const before = progress?.fenceTokens ?? new Map<string, bigint>();
  const fenceTokens = new Map(shares.map((share) => [marketShareName(share), share.fenceToken]));
  const acquired = shares.filter((share) => before.get(marketShareName(share)) !== share.fenceToken);
  if ([...before.keys()].some((name) => !fenceTokens.has(name))) options.debts.removeLost();
  // Cursors are read first: a change between the reads is read again, and never missed.
  const reached = progress === null ? await reachedNow(options) : await applyChanges(options, progress);
  if (acquired.length > 0) await addOpen(options, acquired);
  return { fenceTokens, ...reached };
}

/** @param acquired Shares of one count. */
async function addOpen(options: FollowDebtsOptions, acquired: readonly MarketShare[]): Promise<void> {
  const { store, debts, clock } = options;
  const names = new Set(acquired.map(marketShareName));
  const shareCount = acquired[0]?.shareCount ?? 1;
  const isAcquired = (marketId: string | null): boolean =>
    marketId !== null && names.has(marketShareName(marketShareOf(marketId, shareCount)));
  const positions = await store.positions.inStatuses(statusesWithTokens);
  const open = await inMarkets(
    options,
    positions.filter(({ marketId }) => isAcquired(marketId)),
  );
  const past = await pastHardExits(options, open);
  const withHardExits = open.map((one) => ({ ...one, wasHardExitInForce: past.has(one.position.positionKey) }));
  await debts.restart(isAcquired, withHardExits, clock.nowMs());
}

type Reached = Omit<Progress, 'fenceTokens'>;

async function reachedNow(options: FollowDebtsOptions): Promise<Reached> {
  return { finalizedNumber: await finalizedBlock(options), marketVersion: await options.store.markets.version() };
}

async function applyChanges(options: FollowDebtsOptions, progress: Progress): Promise<Reached> {
  const { store, debts, clock } = options;
  const finalizedNumber = await finalizedBlock(options);
  const changed = await store.positions.changedSince(progress.finalizedNumber);
  debts.update(await inMarkets(options, changed), clock.nowMs());
  const markets = await store.markets.changedSince(progress.marketVersion);
  debts.updateMarkets(markets);
  return { finalizedNumber, marketVersion: markets.at(-1)?.version ?? progress.marketVersion };
}

async function finalizedBlock({ store, bounds }: FollowDebtsOptions): Promise<bigint> {
  return (await store.chain.cursor(bounds.chainKey))?.finalizedNumber ?? bounds.deploymentBlock;
}

async function inMarkets(
  { store, isolated }: FollowDebtsOptions,
  positions: readonly Position[],
): Promise<readonly ChangedPosition[]> {
  const markets = new Map<string, MarketRecord | null>();
  const changed: ChangedPosition[] = [];
  for (const position of positions) {
    const { marketId } = position;
    if (marketId !== null && !markets.has(marketId)) {
      markets.set(marketId, await isolated.read(marketId, () => store.markets.byId(marketId)));
    }
    const market = marketId === null ? null : markets.get(marketId);
    if (market) changed.push({ position, market });
  }
  return changed;
}

/** Return the positions with a sale order for their hard exit: a postponed game does not lift it. */
async function pastHardExits(
  { intents }: FollowDebtsOptions,
  open: readonly ChangedPosition[],
): Promise<ReadonlySet<string>> {
  const owing = open.filter(({ position }) => !isZero(position.principalUsdcUnits));
  const subjects = owing.map(({ position }) => position.positionKey);
  const orders = await intents.ofSubjects(subjects, 'authorize_unwind');
  return new Set(orders.filter(({ plan }) => plan.details.unwind.isHardExit).map(({ subject }) => subject));
}
