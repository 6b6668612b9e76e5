import { setInterval as everyInterval } from 'node:timers/promises';
import type { Clock } from '@core/runtime';
import type { EventAudience, Store } from '@core/store';
import { sampleEventsOf } from '@core/wire';
import { z } from 'zod';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import { answer, type Handler } from '../http/call.ts';
import type { Connections } from './connections.ts';
import { eventBodyOf } from './eventBody.ts';
import { jsonOf } from './jsonText.ts';

/** One sample event each second, as the specification says. */
const intervalMs = 1_000;

const request = z.union([
  z.object({ kind: z.literal('partner'), partnerId: z.string() }),
  z.object({ kind: z.literal('user'), partnerId: z.string(), walletAddress: z.string() }),
]);
type Rehearsal = z.output<typeof request>;

/**
 * POST /sample-events: asks every process to send the caller's own connections one event of each type. Nothing is
 * stored; a caller without a connection gets the same answer.
 */
export function createSampleEvents(signals: Pick<Store['signals'], 'publish'>): Handler<'createSampleEvents'> {
  return async ({ caller }) => {
    const partnerId = caller.partner.id;
    const rehearsal: Rehearsal =
      caller.kind === 'partner'
        ? { kind: 'partner', partnerId }
        : { kind: 'user', partnerId, walletAddress: storedWalletAddressOf(caller.wallet) };
    await signals.publish(JSON.stringify(rehearsal));
    return answer({ event_count: sampleEventsOf(rehearsal.kind).length, interval_ms: intervalMs });
  };
}

/** Sends the sample events that any process was asked for to the connections of this one. */
export class SampleRuns {
  readonly #connections: Connections;
  readonly #clock: Clock;
  readonly #onFailure: (cause: unknown) => void;
  readonly #stopping = new AbortController();
  #subscription: { close(): Promise<void> } | null = null;

  constructor(options: {
    readonly connections: Connections;
    readonly clock: Clock;
    readonly onFailure: (cause: unknown) => void;
  }) {
    this.#connections = options.connections;
    this.#clock = options.clock;
    this.#onFailure = options.onFailure;
  }

  async start(signals: Pick<Store['signals'], 'subscribe'>): Promise<void> {
    this.#subscription = await signals.subscribe((message) => {
      const rehearsal = request.safeParse(jsonOf(message));
      if (rehearsal.success) this.#send(rehearsal.data).catch(this.#onFailure);
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#subscription?.close();
  }

  async #send(audience: Rehearsal & EventAudience): Promise<void> {
    const samples = sampleEventsOf(audience.kind).values();
    const run = Date.now().toString(36);
    let number = 0;
    const { signal } = this.#stopping;
    for await (const _ of everyInterval(intervalMs, undefined, { ref: false })) {
      const { value, done } = samples.next();
      if (done === true || signal.aborted) return;
      number += 1;
      // No durable ID has this form: resuming from a sample is resuming from an unknown event.
      const sample = { id: `evt_sample${run}n${number}`, type: value.type, createdAtMs: this.#clock.nowMs() };
      const body = eventBodyOf(sample, value.data);
      for (const connection of this.#connections.of(audience)) connection.sendEvent(body);
    }
  }
}
