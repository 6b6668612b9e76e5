import { marketShareOf, marketShares } from '@core/runtime';
import type { Lease, LockStore } from '@core/store';
import { type ShareCounts, sharesToGive } from './decideShares.ts';
import { shareLockOf } from './task.ts';

export interface MarketSharesOptions {
  readonly locks: Pick<LockStore, 'tryAcquire'>;
  /** How many shares every other living keeper says it holds. */
  readonly others: () => Promise<readonly number[]>;
  readonly onChanged: (heldCount: number) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * After shares changed hands none are given up for so long: by then a keeper that died says nothing any more, and what
 * each living one says it holds is what it holds.
 */
const settledMs = 5_000;
/** A share in which a step is under way for longer is kept: a debt that falls due in it waits for no other. */
const leavingMs = 2_000;
/** What was given up is left to the others for so long: who wants it asks twice a second. */
const leftMs = 2_000;

/**
 * The shares of the markets that this process holds, each under a lock of its own. A free one is taken by the keeper
 * that asks first; a keeper with more than others gives some of them up: it begins nothing new in them, and gives them
 * back when what was under way has ended, if that is soon.
 */
export class MarketShares {
  readonly #options: MarketSharesOptions;
  readonly #now: () => number;
  readonly #held = new Map<number, Lease>();
  /** Held, but nothing new begins in them since then. */
  readonly #leavingSinceMs = new Map<number, number>();
  readonly #leftUntilMs = new Map<number, number>();
  #givesFromMs = 0;
  #said = '';
  #releaseCount = 0;

  constructor(options: MarketSharesOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The lease under which something new may begin for a position of the market; null while another keeper may. */
  leaseOf(marketId: string | null): Lease | null {
    return marketId === null ? null : this.#leaseOfShare(marketShareOf(marketId));
  }

  /** The shares in which something new may begin, in order, each with the token of its lease. */
  get current(): readonly { readonly share: number; readonly fenceToken: bigint }[] {
    return marketShares.flatMap((share) => {
      const lease = this.#leaseOfShare(share);
      return lease === null ? [] : [{ share, fenceToken: lease.fenceToken }];
    });
  }

  /**
   * One round: forgets what was lost, gives back what has ended, takes what is free, and decides what to give up.
   * @param signer The lease of this keeper's key: without it nothing is taken.
   * @param isBusyIn Whether anything is under way for a position in a market of a share.
   * @returns Whether something new may begin in other shares than at the last round, or under other leases.
   */
  async balance(signer: Pick<Lease, 'signal'>, isBusyIn: (share: number) => boolean): Promise<boolean> {
    for (const [share, lease] of this.#held) if (lease.signal.aborted) this.#forget(share);
    await this.#giveBack(isBusyIn);
    await this.#take(signer);
    await this.#choose(isBusyIn);
    return this.#say();
  }

  /** Gives every share back; work under way sees its lease end. */
  async release(): Promise<void> {
    this.#releaseCount += 1;
    const leases = [...this.#held.values()];
    this.#held.clear();
    this.#leavingSinceMs.clear();
    this.#say();
    await Promise.all(leases.map((lease) => lease.release()));
  }

  /** Says what is held when that is not what was said last, also after shares were lost; whether it was said. */
  #say(): boolean {
    const held = this.current.map(({ share, fenceToken }) => `${share}:${fenceToken}`);
    if (held.join() === this.#said) return false;
    this.#said = held.join();
    this.#options.onChanged(held.length);
    return true;
  }

  #leaseOfShare(share: number): Lease | null {
    const lease = this.#held.get(share);
    return lease === undefined || lease.signal.aborted || this.#leavingSinceMs.has(share) ? null : lease;
  }

  #forget(share: number): void {
    this.#held.delete(share);
    this.#leavingSinceMs.delete(share);
  }

  async #giveBack(isBusyIn: (share: number) => boolean): Promise<void> {
    for (const [share, sinceMs] of this.#leavingSinceMs) {
      if (isBusyIn(share)) {
        if (this.#now() - sinceMs >= leavingMs) this.#leavingSinceMs.delete(share);
        continue;
      }
      const lease = this.#held.get(share);
      this.#forget(share);
      this.#leftUntilMs.set(share, this.#now() + leftMs);
      await lease?.release();
    }
  }

  async #take(signer: Pick<Lease, 'signal'>): Promise<void> {
    const wanted = marketShares.filter(
      (share) => !this.#held.has(share) && (this.#leftUntilMs.get(share) ?? 0) <= this.#now(),
    );
    if (wanted.length === 0) return;
    const byName = new Map(wanted.map((share) => [shareLockOf(share), share]));
    const releaseCount = this.#releaseCount;
    const leases = await this.#options.locks.tryAcquire([...byName.keys()]);
    if (signer.signal.aborted || releaseCount !== this.#releaseCount) {
      // Everything was given back meanwhile, and so are these.
      await Promise.all(leases.map((lease) => lease.release()));
      return;
    }
    for (const lease of leases) {
      const share = byName.get(lease.name);
      if (share !== undefined) this.#held.set(share, lease);
    }
    if (leases.length > 0) this.#givesFromMs = this.#now() + settledMs;
  }

  async #choose(isBusyIn: (share: number) => boolean): Promise<void> {
    if (this.#now() < this.#givesFromMs || this.#leavingSinceMs.size > 0) return;
    const counts: ShareCounts = { own: this.#held.size, others: await this.#options.others() };
    const shares = this.current.map(({ share }) => share);
    const idleFirst = [...shares.filter((share) => !isBusyIn(share)), ...shares.filter(isBusyIn)];
    const given = idleFirst.slice(0, sharesToGive(counts));
    for (const share of given) this.#leavingSinceMs.set(share, this.#now());
    if (given.length > 0) this.#givesFromMs = this.#now() + settledMs;
  }
}
