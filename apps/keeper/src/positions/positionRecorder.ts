import type { OpeningProgress } from '@core/position';
import type { Clock } from '@core/runtime';
import type { Lease, Store } from '@core/store';
import { entryOf } from '../indexer/outboxEntries.ts';
import type { ProjectPositions } from '../indexer/projectPositions.ts';
import { attemptCountOf, type Intents } from '../transactions/intents.ts';
import type { ObservedPosition } from './observePosition.ts';

export interface RecorderOptions {
  readonly store: Pick<Store, 'outbox' | 'transaction'>;
  readonly intents: Intents;
  readonly project: ProjectPositions;
  readonly maxOpenAttempts: number;
  readonly clock: Clock;
}

/** Records of a position without an external effect. */
export class PositionRecorder {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Record an opening attempt without an order, so that it counts and is not repeated at once. */
  async recordMiss(
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

  /** Record a close in a resolved market: the tokens wait for settlement, and the position shows it. */
  async deferClose({ record, chain, intents: before }: ObservedPosition, lease: Lease): Promise<void> {
    const { store, intents, project, clock } = this.#options;
    const { positionKey } = record;
    const nowMs = clock.nowMs();
    const { intent } = await intents.prepare({
      subject: positionKey,
      operation: 'defer_close',
      attempt: attemptCountOf(before, 'defer_close') + 1,
      plan: { kind: 'none', details: { decidedAtMs: chain.blockTimeMs } },
      lease,
      nowMs,
    });
    await intents.change({ id: intent.id, from: ['prepared'], to: 'final', nowMs });
    await store.transaction((unit) => project(unit, { subjects: [positionKey], fromBlock: null }));
  }

  /**
   * Notify the user of the progress of an opening, each code once per attempt. Its failure is part of the refund's
   * event.
   */
  async notify({ record, observation }: ObservedPosition, code: OpeningProgress): Promise<void> {
    const { store, maxOpenAttempts, clock } = this.#options;
    const attempt = observation.opening.attemptCount;
    await store.outbox.append([
      entryOf({
        content: {
          type: 'notification',
          payload: { code, params: { position_id: record.id, attempt, max_attempts: maxOpenAttempts } },
        },
        position: record,
        seed: `${code}:${attempt}`,
        nowMs: clock.nowMs(),
      }),
    ]);
  }
}
