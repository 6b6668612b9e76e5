import { alertTable, runbookOf, type Series, scrapedJobs } from '@core/runtime';
import type { AlertFacts } from '../operateMessage.ts';
import type { Sample } from './prometheus.ts';

/** Programs whose metrics are named after them. Other names are metrics that several programs have. */
const programs = scrapedJobs;
export type WatchedProgram = (typeof programs)[number];

/** Program with its metrics, as Prometheus labels them. */
export interface Instance {
  readonly job: WatchedProgram;
  readonly instance: string;
}

/** Metric of Prometheus itself: 1 for a program that responds, 0 for one that does not. */
const responseMetric = 'up';

const allSelectors = alertTable.flatMap(({ expression }) => expression.selectors);
/** Longest window by metric; 0 for a metric of which only the last value counts. */
const windowsMs = new Map<string, number>();
for (const { name, windowMinutes } of allSelectors) {
  windowsMs.set(name, Math.max(windowsMs.get(name) ?? 0, windowMinutes * 60_000));
}

const rules = alertTable.map((alert) => {
  const conditions = alert.expression.selectors.filter(({ isException }) => !isException);
  const isRead = (job: WatchedProgram): boolean =>
    conditions.some(({ name, labels }) =>
      name === responseMetric ? labels['job'] === job : name.startsWith(`${job}_`),
    );
  return { ...alert, neededPrograms: programs.filter(isRead) };
});

/** Interval between the points of a window. */
const pointIntervalMs = 10_000;
/** Time without a judgement after which a condition counts as new, and age of a reading that no longer counts. */
const maxPauseMs = 60_000;

/** Last reading of a program. One that failed has the series of the last that did not. */
interface Reading extends Instance {
  readonly atMs: number;
  readonly isResponding: boolean;
  /** Series by name with labels. */
  readonly series: ReadonlyMap<string, Series>;
}

/**
 * Judge the alerts of the catalogue by the metrics that the console reads, without Prometheus. A window begins no
 * earlier than the first reading.
 */
export class AlertWatch {
  readonly #readings = new Map<string, Reading>();
  /** Time since which the condition of an alert is true. */
  readonly #trueSinceMs = new Map<string, number>();
  #judgedAtMs = Number.NEGATIVE_INFINITY;

  /** Record the metrics of a program. */
  record({ job, instance }: Instance, samples: readonly Sample[], atMs: number): void {
    const before = this.#readings.get(instance)?.series;
    const series = samples.flatMap(({ name, labels, value }) => {
      const windowMs = windowsMs.get(name);
      if (windowMs === undefined) return [];
      const key = JSON.stringify([name, labels]);
      const points = withPoint(before?.get(key)?.points ?? [], { atMs, value }, windowMs);
      return [[key, { name, labels: { job, instance, ...labels }, points }] as const];
    });
    this.#readings.set(instance, { job, instance, atMs, isResponding: true, series: new Map(series) });
  }

  /** Record that a program does not respond. Its counters continue with its next reading. */
  drop({ job, instance }: Instance, atMs: number): void {
    const series = this.#readings.get(instance)?.series ?? new Map<string, Series>();
    this.#readings.set(instance, { job, instance, atMs, isResponding: false, series });
  }

  /** Judge every alert, in the order of the catalogue. One without a recent reading of its programs is unknown. */
  judge(nowMs: number): readonly AlertFacts[] {
    if (nowMs - this.#judgedAtMs > maxPauseMs) this.#trueSinceMs.clear();
    this.#judgedAtMs = nowMs;
    const recent = [...this.#readings.values()].filter(({ atMs }) => nowMs - atMs <= maxPauseMs);
    const responding = recent.filter(({ isResponding }) => isResponding);
    const responses = recent.map(({ job, instance, isResponding }) => ({
      name: responseMetric,
      labels: { job, instance },
      points: [{ atMs: nowMs, value: isResponding ? 1 : 0 }],
    }));
    const series = [...responses, ...responding.flatMap((reading) => [...reading.series.values()])];
    return rules.map(({ name, severity, summary, forMinutes, expression, neededPrograms }) => {
      const areIn = (readings: readonly Reading[]): boolean =>
        neededPrograms.every((program) => readings.some(({ job }) => job === program));
      const isTrue = areIn(recent) && expression.evaluate(series, nowMs).length > 0;
      if (!isTrue) this.#trueSinceMs.delete(name);
      else if (!this.#trueSinceMs.has(name)) this.#trueSinceMs.set(name, nowMs);
      const sinceMs = this.#trueSinceMs.get(name) ?? null;
      const isKnown = responding.length > 0 && areIn(responding);
      const state = sinceMs === null ? (isKnown ? 'quiet' : 'unknown') : stateOf(nowMs - sinceMs, forMinutes);
      return { name, severity, summary, forMinutes, runbook: runbookOf(name), state, sinceMs };
    });
  }
}

/** Return the state of an alert whose condition is true. */
const stateOf = (durationMs: number, forMinutes: number): AlertFacts['state'] =>
  durationMs >= forMinutes * 60_000 ? 'firing' : 'pending';

type Points = Series['points'];

/** Add a point. Without a window only the last one is kept, otherwise one per interval and the last. */
function withPoint(points: Points, point: Points[number], windowMs: number): Points {
  const [previous, last] = points.slice(-2);
  const isDense = last !== undefined && previous !== undefined && last.atMs - previous.atMs < pointIntervalMs;
  return [...(isDense ? points.slice(0, -1) : points), point].filter(({ atMs }) => atMs >= point.atMs - windowMs);
}
