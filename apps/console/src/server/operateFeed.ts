import type { ServerResponse } from 'node:http';
import { type Logger, type Polling, pollRepeatedly } from '@core/runtime';
import {
  type HistoryPoint,
  type KeeperFigures,
  maxPoints,
  noReadings,
  type OperateFacts,
  type OperateMessage,
  type OperateReadings,
  operateIntervalMs,
} from '../operateMessage.ts';
import type { OperateReads } from './readOperateFacts.ts';

/** Connection of a page; the parts of a response that a stream uses. */
export type Viewer = Pick<ServerResponse, 'write' | 'writableLength' | 'destroy'>;

/** Upper bound of pages that watch at once. */
export const maxViewers = 20;
/** Unsent bytes above which a viewer is too slow and is disconnected. */
export const maxUnsentBytes = 262_144;
const historyMs = 3_600_000;
const pointIntervalMs = historyMs / maxPoints;

interface OperateFeedParts {
  readonly reads: OperateReads;
  readonly nowMs: () => number;
  readonly logger: Pick<Logger, 'info'>;
  /** Interval between reads of a program; two seconds by default. */
  readonly intervalMs?: number;
}

/**
 * Feed of the operator page. It reads each endpoint once per interval for all viewers, and none while there is no
 * viewer. A program that fails keeps its last facts with the error, and delays no other.
 */
export class OperateFeed {
  readonly #parts: OperateFeedParts;
  readonly #viewers = new Set<Viewer>();
  readonly #points: HistoryPoint[] = [];
  #readings = noReadings;
  #pollings: readonly Polling[] = [];

  constructor(parts: OperateFeedParts) {
    this.#parts = parts;
  }

  get isFull(): boolean {
    return this.#viewers.size >= maxViewers;
  }

  /** Send everything to a viewer, and from then on every change. */
  add(viewer: Viewer): void {
    this.#viewers.add(viewer);
    if (this.#pollings.length === 0) this.#start();
    this.#trimHistory();
    this.#send(viewer, textOf({ isFirst: true, readings: this.#readings, points: this.#points }));
  }

  /** Forget a viewer whose connection has ended. The last one ends the reads, and the next gets no old facts. */
  remove(viewer: Viewer): void {
    if (!this.#viewers.delete(viewer) || this.#viewers.size > 0) return;
    for (const polling of this.#pollings) void polling.stop();
    this.#pollings = [];
    this.#readings = noReadings;
  }

  /** Disconnect every viewer. */
  close(): void {
    for (const viewer of this.#viewers) this.#drop(viewer);
  }

  #start(): void {
    const { reads, intervalMs = operateIntervalMs } = this.#parts;
    const poll = (task: () => Promise<void>): Polling =>
      pollRepeatedly({
        task,
        intervalMs,
        onFailure: (cause) => {
          throw cause;
        },
      });
    this.#pollings = [
      poll(async () => this.#publish({ api: await this.#read('api', reads.api) })),
      poll(async () => this.#publish({ partners: await this.#read('partners', reads.partners) })),
      poll(async () => this.#publish({ tasks: await this.#read('tasks', reads.tasks) })),
      poll(async () => this.#publish({ figures: await this.#read('figures', reads.figures) })),
      poll(async () => this.#publish({ fillers: await this.#read('fillers', reads.fillers) })),
      poll(async () => this.#publish({ alerts: await this.#read('alerts', reads.alerts) })),
    ];
  }

  /** Read an endpoint. Any failure of its program is a reading with an error. */
  async #read<Name extends keyof OperateFacts>(name: Name, read: () => Promise<OperateFacts[Name]>) {
    try {
      return { facts: await read(), error: null };
    } catch (cause) {
      const { facts, error: lastError } = this.#readings[name];
      const error = faultOf(cause);
      if (error !== lastError)
        this.#parts.logger.info({ err: cause, endpoint: name }, 'program responds with no facts');
      return { facts, error };
    }
  }

  /** Send the reading when it has changed; an empty message otherwise, so that the stream is not silent. */
  #publish(latest: Partial<OperateReadings>): void {
    const before = this.#readings;
    this.#readings = { ...before, ...latest };
    const hasChanged = JSON.stringify(before) !== JSON.stringify(this.#readings);
    const point = latest.figures?.error === null ? this.#record(latest.figures.facts) : null;
    const message = { isFirst: false, readings: hasChanged ? latest : {}, points: point === null ? [] : [point] };
    const text = textOf(message);
    for (const viewer of this.#viewers) this.#send(viewer, text);
  }

  /** Add a point to the history; null when the last one is too recent. */
  #record(figures: KeeperFigures | null): HistoryPoint | null {
    const atMs = this.#parts.nowMs();
    const lastAtMs = this.#points.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
    if (figures === null || atMs - lastAtMs < pointIntervalMs) return null;
    const { headAgeSeconds, nonceAgeSeconds, venueRefusals } = figures;
    const point = { atMs, headAgeSeconds, nonceAgeSeconds, venueRefusals };
    this.#points.push(point);
    this.#trimHistory();
    return point;
  }

  #trimHistory(): void {
    const firstAtMs = this.#parts.nowMs() - historyMs;
    const oldCount = this.#points.filter(({ atMs }) => atMs < firstAtMs).length;
    this.#points.splice(0, Math.max(oldCount, this.#points.length - maxPoints));
  }

  #send(viewer: Viewer, text: string): void {
    viewer.write(text);
    if (viewer.writableLength > maxUnsentBytes) this.#drop(viewer);
  }

  #drop(viewer: Viewer): void {
    this.remove(viewer);
    viewer.destroy();
  }
}

const textOf = (message: OperateMessage): string => `data: ${JSON.stringify(message)}\n\n`;

/** Return the reason of a failed read. The error of `fetch` has it in its cause. */
function faultOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown error';
  if (cause.name === 'TimeoutError') return 'no response in time';
  if (cause.name === 'ZodError' || cause instanceof SyntaxError) return 'the response is malformed';
  return cause instanceof TypeError ? 'no connection' : cause.message;
}
