import type { OpeningProgress } from '@core/position';
import type { Clock } from '@core/runtime';
import type { Lease, Store } from '@core/store';
import { entryOf } from '../indexer/outboxEntries.ts';
import type { ProjectPositions } from '../indexer/projectPositions.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import type { Intents } from '../transactions/intents.ts';
import type { ObservedPosition } from './observePosition.ts';

export interface NotesOptions {
  readonly store: Pick<Store, 'positions' | 'outbox' | 'transaction'>;
  readonly intents: Intents;
  readonly project: ProjectPositions;
  readonly maxOpenAttempts: number;
  readonly clock: Clock;
  readonly metrics: Pick<KeeperMetrics, 'frozen'>;
}

/** What is written down about a position without any effect outside. */
export class PositionNotes {
  readonly #options: NotesOptions;

  constructor(options: NotesOptions) {
    this.#options = options;
  }

  /** A person decides: nothing is done for the position until then. */
  async freeze({ record }: ObservedPosition, reason: string): Promise<void> {
    const { store, metrics } = this.#options;
    await store.positions.freeze(record.positionKey, reason);
    metrics.frozen.inc();
  }

  /** An opening attempt that came to no order: recorded, so that it counts and is not made again at once. */
  async miss(
    { record, chain }: ObservedPosition,
    { attempt, reason, lease }: { readonly attempt: number; readonly reason: string; readonly lease: Lease },
  ): Promise<void> {
    const { intents, clock } = this.#options;
    const nowMs = clock.nowMs();
    const { intent } = await intents.prepare({
      subject: record.positionKey,
      operation: 'authorize_open',
      attempt,
      plan: { kind: 'none', details: { decidedAtMs: chain.blockTimeMs } },
      lease,
      nowMs,
    });
    const outcome = { revert: reason };
    await intents.change({ id: intent.id, from: ['prepared'], to: 'dropped', nowMs, outcome });
  }

  /** A close that met a resolved market: the tokens wait for settlement, and the position says so. */
  async deferClose({ record, chain }: ObservedPosition, lease: Lease): Promise<void> {
    const { store, intents, project, clock } = this.#options;
    const { positionKey } = record;
    const nowMs = clock.nowMs();
    const { intent } = await intents.prepare({
      subject: positionKey,
      operation: 'defer_close',
      attempt: 1,
      plan: { kind: 'none', details: { decidedAtMs: chain.blockTimeMs } },
      lease,
      nowMs,
    });
    await intents.change({ id: intent.id, from: ['prepared'], to: 'final', nowMs });
    await store.transaction((unit) => project(unit, { subjects: [positionKey], fromBlock: null }));
  }

  /**
   * Notifies the user of how an opening is going; each code once per attempt. Its failure comes with the refund's
   * event.
   */
  async notify({ record, observation }: ObservedPosition, code: OpeningProgress): Promise<void> {
    const { store, maxOpenAttempts, clock } = this.#options;
    const attempt = observation.opening.attemptCount;
    await store.outbox.append([
      entryOf({
        type: 'notification',
        position: record,
        seed: `${code}:${attempt}`,
        nowMs: clock.nowMs(),
        payload: { code, params: { position_id: record.id, attempt, max_attempts: maxOpenAttempts } },
      }),
    ]);
  }
}
