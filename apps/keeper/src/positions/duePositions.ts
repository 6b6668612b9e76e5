import {
  activeStatuses,
  isActiveStatus,
  type Position,
  type PositionStatus,
  type UnwindRefusal,
  unwindRefusalLifeMs,
} from '@core/position';
import type { PositionStore } from '@core/store';
import type { DebtWatch } from '../liquidation/debtWatch.ts';
import { Backoff } from '../runner/backoff.ts';
import { ExpiringMap } from '../runner/expiringMap.ts';
import type { StepReason, Work } from './workQueue.ts';

type PositionRow = Awaited<ReturnType<PositionStore['statuses']>>[number];

/** A wait as a duration: decisions use chain time, waits use the process's own clock. */
export interface Pause {
  readonly reason: string;
  readonly durationMs: number;
  /** True when an operator is needed. */
  readonly isAlert: boolean;
}

export interface DuePositionsOptions {
  readonly positions: Pick<PositionStore, 'statuses' | 'unlisted'>;
  readonly debts: Pick<DebtWatch, 'due' | 'dueOf'>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Statuses that need a step in any market. */
const busyStatuses: readonly PositionStatus[] = activeStatuses.filter((status) => status !== 'open');

/** Reason by status alone. An open position needs no step unless its debt is due. */
const reasonOfStatus: Readonly<Record<Exclude<(typeof activeStatuses)[number], 'open'>, StepReason>> = {
  unwinding: 'unwind',
  closing: 'close',
  pending: 'open',
  settling: 'settle',
};

/** More positions than are in unlisted markets. */
const maxUnlisted = 10_000;
/** Age from which ended waits belong to ended positions. */
const waitRetentionMs = 600_000;
/** Pauses of a failing position before it is polled again. Ticks and chain events are not delayed. */
const failurePauses = { firstMs: 300, longestMs: 10_000 };

/**
 * The one answer to which positions need a step, why, and since when: by due debts, by status, and by the waits,
 * failures and refusals of earlier steps. A process that starts without those tries once more.
 */
export class DuePositions {
  readonly #options: DuePositionsOptions;
  readonly #now: () => number;
  /** Reason of each wait, for which polls skip the position. */
  readonly #waits = new ExpiringMap<string>(waitRetentionMs);
  readonly #failures = new Backoff(failurePauses);
  /** Last refusal of each position's unwinds, in chain time: refusing signers are asked at growing intervals. */
  readonly #refusals = new ExpiringMap<UnwindRefusal>(unwindRefusalLifeMs);

  constructor(options: DuePositionsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Return the positions whose status needs a step, unless they wait. */
  async ofStatuses(): Promise<readonly Work[]> {
    const rows = await this.#options.positions.statuses({ statuses: busyStatuses });
    return this.#workOf(rows.filter(({ positionKey }) => !this.isWaiting(positionKey)));
  }

  /** Return the positions of unlisted markets: their status does not follow payouts, so the step reads the chain. */
  async ofUnlisted(): Promise<readonly Work[]> {
    return this.#workOf(await this.#options.positions.unlisted({ exceptVenueMarketIds: [], limit: maxUnlisted }));
  }

  /** Return the woken positions that need a step, despite their waits, and due debts that do not wait. */
  async ofWake(positionKeys: readonly string[]): Promise<readonly Work[]> {
    const { debts, positions } = this.#options;
    const due = debts.due().map(({ positionKey }) => positionKey);
    const keys = [...new Set([...positionKeys, ...due.filter((positionKey) => !this.isWaiting(positionKey))])];
    return keys.length === 0
      ? []
      : this.#workOf(await positions.statuses({ positionKeys: keys }), new Set(positionKeys));
  }

  /**
   * Return true for a record that needs a step: an open position of a listed market only with a due debt.
   * @param isFirst False after a step that advanced: an open position is then followed to its end.
   */
  needsStep({ positionKey, status, marketId, frozenReason }: Position, isFirst: boolean): boolean {
    if (frozenReason !== null) return false;
    return !isFirst || status !== 'open' || marketId === null || this.#options.debts.dueOf(positionKey) !== null;
  }

  /** Return true while polls skip the position: its last step returned a wait, or failed a moment ago. */
  isWaiting(positionKey: string): boolean {
    const nowMs = this.#now();
    return this.#waits.isCurrent(positionKey, nowMs) || this.#failures.isWaiting(positionKey, nowMs);
  }

  /** Number of positions whose last step failed. */
  get failingCount(): number {
    return this.#failures.count(this.#now());
  }

  /** Record the wait of a position; null when it has none. Return true when its reason is new, worth a log line. */
  recordWait(positionKey: string, pause: Pause | null): boolean {
    const before = this.#waits.get(positionKey);
    if (pause === null) {
      this.#waits.delete(positionKey);
      return false;
    }
    const nowMs = this.#now();
    this.#waits.set(positionKey, pause.reason, { nowMs, expiresAtMs: nowMs + pause.durationMs });
    return before !== pause.reason;
  }

  /** Record a successful step. */
  recordSuccess(positionKey: string): void {
    this.#failures.forget(positionKey);
  }

  /** Record a failed step, and postpone the next one for at least a time. Return the consecutive failures. */
  recordFailure(positionKey: string, atLeastMs: number): number {
    return this.#failures.postpone(positionKey, this.#now(), atLeastMs);
  }

  refusalOf(positionKey: string): UnwindRefusal | null {
    return this.#refusals.get(positionKey);
  }

  /** Record the refusal of an unwind; null when the signers consented. */
  recordRefusal(positionKey: string, refusal: UnwindRefusal | null): void {
    if (refusal === null) this.#refusals.delete(positionKey);
    else this.#refusals.set(positionKey, refusal, { nowMs: refusal.atMs, expiresAtMs: refusal.atMs });
  }

  #workOf(rows: readonly PositionRow[], woken: ReadonlySet<string> = new Set()): readonly Work[] {
    return rows.flatMap((row) => {
      const { positionKey, status, marketId, venueMarketId } = row;
      const debt = this.#options.debts.dueOf(positionKey);
      const reason = debt?.reason ?? reasonOf(row);
      if (reason === null || !isActiveStatus(status)) return [];
      const isBegun = status === 'unwinding' || status === 'closing';
      const isWoken = woken.has(positionKey);
      const sinceMs = debt?.sinceMs ?? null;
      return [{ positionKey, marketId: marketId ?? venueMarketId, reason, sinceMs, isBegun, isWoken }];
    });
  }
}

function reasonOf({ status, marketId }: PositionRow): StepReason | null {
  if (!isActiveStatus(status)) return null;
  if (status !== 'open') return reasonOfStatus[status];
  return marketId === null ? 'settle' : null;
}
