import { alertTable, runbookOf } from '@core/runtime';
import type { AlertFacts } from '../../operateMessage.ts';
import type { Sample } from '../prometheus.ts';
import { evaluate, type Point, type Series } from './evaluate.ts';
import { conditionOf, parseExpression, type Selector, selectorsOf } from './expression.ts';

/** Programs whose metrics are named after them. Other names are metrics that several programs have. */
const programs = ['api', 'keeper', 'filler'] as const;
export type WatchedProgram = (typeof programs)[number];

/** Program with its metrics, as Prometheus labels them. */
export interface Instance {
  readonly job: WatchedProgram;
  readonly instance: string;
}

/** Metric of Prometheus itself: 1 for a program that responds, 0 for one that does not. */
const responseMetric = 'up';

/** Return true for a selector that reads this program. */
const isOf = (program: WatchedProgram, { name, matchers }: Selector): boolean =>
  name === responseMetric
    ? matchers.some(({ label, only }) => label === 'job' && only === program)
    : name.startsWith(`${program}_`);

const rules = alertTable.map(({ expression, ...alert }) => {
  const parsed = parseExpression(expression);
  const selectors = selectorsOf(parsed);
  const conditionSelectors = selectorsOf(conditionOf(parsed));
  const neededPrograms = programs.filter((program) => conditionSelectors.some((selector) => isOf(program, selector)));
  return { ...alert, parsed, selectors, neededPrograms };
});
/** Longest window by metric; 0 for a metric of which only the last value counts. */
const windowsMs = new Map<string, number>();
for (const { name, windowMs } of rules.flatMap(({ selectors }) => selectors)) {
  windowsMs.set(name, Math.max(windowsMs.get(name) ?? 0, windowMs ?? 0));
}

/** Interval between the points of a window. */
const pointIntervalMs = 10_000;
/** Time without a judgement after which a condition counts as new, and age of a reading that no longer counts. */
const maxPauseMs = 60_000;

interface SeriesRecord extends Series {
  readonly points: Point[];
}

/**
 * Judge the alerts of the catalogue by the metrics that the console reads, without Prometheus. A window begins no
 * earlier than the first reading.
 */
export class AlertWatch {
  readonly #configuredPrograms: readonly WatchedProgram[];
  /** Series by instance and by name with labels. */
  readonly #series = new Map<string, Map<string, SeriesRecord>>();
  /** Programs by instance, each with its response to the last reading. */
  readonly #responses = new Map<string, { readonly job: WatchedProgram; readonly isResponding: boolean }>();
  /** Time of the last reading of a program, failed ones included. */
  readonly #readAtMs = new Map<WatchedProgram, number>();
  /** Time since which the condition of an alert is true. */
  readonly #trueSinceMs = new Map<string, number>();
  #judgedAtMs = Number.NEGATIVE_INFINITY;

  constructor(configuredPrograms: readonly WatchedProgram[]) {
    this.#configuredPrograms = configuredPrograms;
  }

  /** Record the metrics of a program. */
  record({ job, instance }: Instance, samples: readonly Sample[], atMs: number): void {
    const byKey = this.#series.get(instance) ?? new Map<string, SeriesRecord>();
    const current = new Set<string>();
    for (const { name, labels, value } of samples) {
      const windowMs = windowsMs.get(name);
      if (windowMs === undefined) continue;
      const key = JSON.stringify([name, labels]);
      current.add(key);
      const { points } = byKey.get(key) ?? { points: [] };
      byKey.set(key, { name, labels: { job, instance, ...labels }, points });
      add(points, { atMs, value }, windowMs);
    }
    for (const key of byKey.keys()) if (!current.has(key)) byKey.delete(key);
    this.#series.set(instance, byKey);
    this.#responses.set(instance, { job, isResponding: true });
    this.#readAtMs.set(job, atMs);
  }

  /** Record that a program does not respond. Its counters continue with its next reading. */
  drop({ job, instance }: Instance, atMs: number): void {
    this.#responses.set(instance, { job, isResponding: false });
    this.#readAtMs.set(job, atMs);
  }

  /** Judge every alert, in the order of the catalogue. One without a recent reading of its programs is unknown. */
  judge(nowMs: number): readonly AlertFacts[] {
    if (nowMs - this.#judgedAtMs > maxPauseMs) this.#trueSinceMs.clear();
    this.#judgedAtMs = nowMs;
    const isRead = (job: WatchedProgram): boolean => nowMs - (this.#readAtMs.get(job) ?? Number.NaN) <= maxPauseMs;
    const responses = [...this.#responses].filter(([, { job }]) => isRead(job));
    const responding = responses.filter(([, { isResponding }]) => isResponding);
    const series = [
      ...responses.map(([instance, { job, isResponding }]) => ({
        name: responseMetric,
        labels: { job, instance },
        points: [{ atMs: nowMs, value: isResponding ? 1 : 0 }],
      })),
      ...responding.flatMap(([instance]) => [...(this.#series.get(instance)?.values() ?? [])]),
    ];
    const jobs = new Set(responding.map(([, { job }]) => job));
    return rules.map(({ name, severity, summary, forMinutes, parsed, neededPrograms }) => {
      const isWatched = neededPrograms.every((job) => this.#configuredPrograms.includes(job) && isRead(job));
      const isTrue = isWatched && evaluate(parsed, series, nowMs).length > 0;
      if (!isTrue) this.#trueSinceMs.delete(name);
      else if (!this.#trueSinceMs.has(name)) this.#trueSinceMs.set(name, nowMs);
      const sinceMs = this.#trueSinceMs.get(name) ?? null;
      const isKnown = isWatched && jobs.size > 0 && neededPrograms.every((program) => jobs.has(program));
      const state = sinceMs === null ? (isKnown ? 'quiet' : 'unknown') : stateOf(nowMs - sinceMs, forMinutes);
      return { name, severity, summary, forMinutes, runbook: runbookOf(name), state, sinceMs };
    });
  }
}

/** Return the state of an alert whose condition is true. */
const stateOf = (durationMs: number, forMinutes: number): AlertFacts['state'] =>
  durationMs >= forMinutes * 60_000 ? 'firing' : 'pending';

/** Add a point. Without a window only the last one is kept, otherwise one per interval and the last. */
function add(points: Point[], point: Point, windowMs: number): void {
  const [previous, last] = points.slice(-2);
  const isDense = last !== undefined && previous !== undefined && last.atMs - previous.atMs < pointIntervalMs;
  if (isDense) points.pop();
  points.push(point);
  const firstMs = point.atMs - windowMs;
  const oldCount = points.findIndex(({ atMs }) => atMs >= firstMs);
  points.splice(0, oldCount);
}
