import {
  ageMsOf,
  type Heartbeat,
  keeperHeartbeat,
  keeperHeartbeatOf,
  keeperReportOf,
  type MarketShare,
  marketShareName,
  marketShareOf,
} from '@core/runtime';
import { type Lease, type LockStore, shareLockOf } from '@core/store';
import { type ShareCounts, sharesLacking, sharesToGive } from './decideShares.ts';

export interface MarketSharesOptions {
  readonly locks: Pick<LockStore, 'tryAcquireShares'>;
  /** Read the number of shares that all keepers divide the markets into. */
  readonly shareCount: () => Promise<number>;
  /** Read how much the other living keepers report, each in shares of this count. */
  readonly others: (shareCount: number) => Promise<readonly number[]>;
  readonly onChanged: (heldCount: number, shareCount: number) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** A share in which new steps may begin, with the token of its lease. */
export interface CurrentShare extends MarketShare {
  readonly fenceToken: bigint;
}

interface OwnShare {
  readonly share: MarketShare;
  readonly lease: Lease;
}

/**
 * Time after a change before shares are given away: by then a dead keeper reports nothing, and the reports of the
 * living ones are current.
 */
const settlingMs = 5_000;
/** Time after which a share with a running step is kept instead: a debt that falls due in it must not wait. */
const maxLeavingMs = 2_000;
/** Time for which a released share is left to the others, which request shares twice a second. */
const reacquireDelayMs = 2_000;

/**
 * Market shares of this process, each under its own lock. A free one goes to the keeper that requests it first. A
 * keeper with a surplus gives shares away: it starts nothing new in them, and releases them when running steps have
 * ended, if that is soon. When the share count changes, it gives away its shares of the old count. Their steps end or
 * lose their slots within seconds. It then acquires free shares of the new count.
 */
export class MarketShares {
  readonly #options: MarketSharesOptions;
  readonly #now: () => number;
  /** By name. */
  readonly #own = new Map<string, OwnShare>();
  /** Shares being given away, with the start: nothing new begins in them. */
  readonly #leavingSinceMs = new Map<string, number>();
  readonly #reacquireAtMs = new Map<string, number>();
  /** 0 before it was read. */
  #shareCount = 0;
  #balancesFromMs = 0;
  #reported = '';
  #releaseCount = 0;

  constructor(options: MarketSharesOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Return the lease for a new step of a position in the market; null while another keeper has it. */
  leaseOf(marketId: string | null): Lease | null {
    if (marketId === null || this.#shareCount === 0) return null;
    return this.#usable(marketShareName(marketShareOf(marketId, this.#shareCount)))?.lease ?? null;
  }

  /** Shares in which new steps may begin, all of one count, in order. */
  get current(): readonly CurrentShare[] {
    const shares = [...this.#own.keys()].flatMap((name) => {
      const own = this.#usable(name);
      return own === null ? [] : [{ ...own.share, fenceToken: own.lease.fenceToken }];
    });
    return shares.toSorted((left, right) => left.share - right.share);
  }

  /**
   * Run one round: remove lost shares, release finished ones, acquire free ones, and choose those to give away.
   * @param signer Lease of this keeper's key: nothing is acquired without it.
   * @param isBusyIn Return true while a step is running in a market of a share.
   * @returns True when the shares for new steps, or their leases, changed since the last round.
   */
  async balance(signer: Pick<Lease, 'signal'>, isBusyIn: (share: MarketShare) => boolean): Promise<boolean> {
    for (const [name, { lease }] of this.#own) if (lease.signal.aborted) this.#forget(name);
    this.#leaveOtherCounts(await this.#options.shareCount());
    await this.#releaseLeft(isBusyIn);
    await this.#acquire(signer);
    await this.#chooseLeaving(isBusyIn);
    return this.#report();
  }

  /** Release every share; running work observes the end of its lease. */
  async release(): Promise<void> {
    this.#releaseCount += 1;
    const leases = [...this.#own.values()].map(({ lease }) => lease);
    this.#own.clear();
    this.#leavingSinceMs.clear();
    this.#report();
    await releaseAll(leases);
  }

  /** Report the shares when they changed since the last report, including losses. Return true when they did. */
  #report(): boolean {
    const names = this.current.map((share) => `${marketShareName(share)}:${share.fenceToken}`);
    if (names.join() === this.#reported) return false;
    this.#reported = names.join();
    this.#options.onChanged(names.length, this.#shareCount);
    return true;
  }

  #usable(name: string): OwnShare | null {
    const own = this.#own.get(name);
    return own === undefined || own.lease.signal.aborted || this.#leavingSinceMs.has(name) ? null : own;
  }

  #forget(name: string): void {
    this.#own.delete(name);
    this.#leavingSinceMs.delete(name);
  }

  /** Begin to leave every share of another count, and stay in those of this one. */
  #leaveOtherCounts(shareCount: number): void {
    if (shareCount === this.#shareCount) return;
    this.#shareCount = shareCount;
    this.#leavingSinceMs.clear();
    this.#reacquireAtMs.clear();
    for (const [name, { share }] of this.#own) if (!this.#isCurrent(share)) this.#leavingSinceMs.set(name, this.#now());
  }

  #isCurrent(share: MarketShare): boolean {
    return share.shareCount === this.#shareCount;
  }

  async #releaseLeft(isBusyIn: (share: MarketShare) => boolean): Promise<void> {
    const leases: Lease[] = [];
    for (const [name, sinceMs] of this.#leavingSinceMs) {
      const own = this.#own.get(name);
      if (own === undefined) continue;
      const isCurrent = this.#isCurrent(own.share);
      if (isBusyIn(own.share)) {
        if (isCurrent && this.#now() - sinceMs >= maxLeavingMs) this.#leavingSinceMs.delete(name);
        continue;
      }
      this.#forget(name);
      if (isCurrent) this.#reacquireAtMs.set(name, this.#now() + reacquireDelayMs);
      leases.push(own.lease);
    }
    await releaseAll(leases);
  }

  async #acquire(signer: Pick<Lease, 'signal'>): Promise<void> {
    const own = [...this.#own.values()].map(({ share }) => share);
    const free = sharesLacking(this.#shareCount, own).filter(
      (share) => (this.#reacquireAtMs.get(marketShareName(share)) ?? 0) <= this.#now(),
    );
    if (free.length === 0) return;
    const byLock = new Map(free.map((share) => [shareLockOf(share), share]));
    const releaseCount = this.#releaseCount;
    const leases = await this.#options.locks.tryAcquireShares(free);
    if (signer.signal.aborted || releaseCount !== this.#releaseCount) {
      // Every share was released during the request, and so are these.
      await releaseAll(leases);
      return;
    }
    for (const lease of leases) {
      const share = byLock.get(lease.name);
      if (share !== undefined) this.#own.set(marketShareName(share), { share, lease });
    }
    if (leases.length > 0) this.#balancesFromMs = this.#now() + settlingMs;
  }

  async #chooseLeaving(isBusyIn: (share: MarketShare) => boolean): Promise<void> {
    if (this.#now() < this.#balancesFromMs || this.#leavingSinceMs.size > 0) return;
    const counts: ShareCounts = { own: this.#own.size, others: await this.#options.others(this.#shareCount) };
    const shares = this.current;
    const idleFirst = [...shares.filter((share) => !isBusyIn(share)), ...shares.filter(isBusyIn)];
    const leaving = idleFirst.slice(0, sharesToGive(counts));
    for (const share of leaving) this.#leavingSinceMs.set(marketShareName(share), this.#now());
    if (leaving.length > 0) this.#balancesFromMs = this.#now() + settlingMs;
  }
}

/** Release leases together: their locks are unlocked by one statement. */
async function releaseAll(leases: readonly Lease[]): Promise<void> {
  await Promise.all(leases.map((lease) => lease.release()));
}

/** Age up to which a keeper counts as alive; it reports every second. */
const aliveMs = 5_000;

/** Return how much each other living keeper holds by its last heartbeat, in shares of this count. */
export function sharesOfOthers(
  heartbeats: readonly Heartbeat[],
  { address, nowMs, shareCount }: { readonly address: string; readonly nowMs: number; readonly shareCount: number },
): readonly number[] {
  const own = keeperHeartbeatOf(address);
  return heartbeats
    .filter(({ name }) => name.startsWith(keeperHeartbeat) && name !== own)
    .filter((heartbeat) => ageMsOf(heartbeat, nowMs) < aliveMs)
    .flatMap(({ detail }) => {
      const groups = keeperReportOf(detail)?.shareGroups.filter(({ isHeld }) => isHeld);
      if (groups === undefined) return [];
      return [groups.reduce((sum, group) => sum + (group.shares.length * shareCount) / group.shareCount, 0)];
    });
}
