import { decideExitTime, type PolicyConfig } from '@core/policy';
import type { Clock, ExitReport } from '@core/runtime';
import type { ExitSale, ExitStore, ExitWait } from '@core/store';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';

/** Categories of quoted markets. */
const categories = ['crypto', 'sport'] as const;

export interface ExitTimesOptions {
  readonly exits: Omit<ExitStore, 'removeOlderThan'>;
  readonly policy: PolicyConfig;
  readonly clock: Clock;
  readonly metrics: Pick<KeeperMetrics, 'exitSeconds' | 'exitP95Seconds' | 'policyExitSeconds'>;
}

/**
 * Durations of forced sales, and the exit time of quotes that follows from them. Measurements and exit times are
 * stored, so the next keeper continues from them; unsaved measurements are lost with the process.
 */
export class ExitTimes {
  readonly #options: ExitTimesOptions;
  #unsaved: ExitSale[] = [];
  #reports: readonly ExitReport[] = [];

  constructor(options: ExitTimesOptions) {
    this.#options = options;
  }

  /** By category; empty before the first round. */
  get reports(): readonly ExitReport[] {
    return this.#reports;
  }

  record(sale: ExitSale): void {
    this.#unsaved.push({ ...sale, durationMs: this.#measurable(sale.durationMs) });
    this.#options.metrics.exitSeconds.observe({ category: sale.category }, sale.durationMs / 1_000);
  }

  /**
   * Save the measurements and decide the exit time of every category.
   * @param waiting Debts that are due and not repaid yet.
   */
  async update(waiting: readonly ExitWait[]): Promise<void> {
    const { exits, policy, clock } = this.#options;
    const batch = this.#unsaved;
    await exits.add(batch);
    this.#unsaved = this.#unsaved.slice(batch.length);
    const nowMs = clock.nowMs();
    const waits = waiting.map((wait) => ({ ...wait, durationMs: this.#measurable(wait.durationMs) }));
    const [summaries, times] = await Promise.all([exits.summaries(nowMs - policy.exit.windowMs, waits), exits.times()]);
    const reports: ExitReport[] = [];
    for (const category of categories) {
      const { saleCount, p95Ms } = summaries.find((one) => one.category === category) ?? { saleCount: 0, p95Ms: null };
      const before = times.find((time) => time.category === category) ?? null;
      const { isOpen, ...time } = decideExitTime(before, { saleCount, p95Ms }, { category, nowMs, config: policy });
      if (before?.exitSeconds !== time.exitSeconds || before.changedAtMs !== time.changedAtMs) {
        await exits.setTime({ category, ...time });
      }
      reports.push({ category, saleCount, p95Ms, exitSeconds: time.exitSeconds, isOpen });
    }
    this.#reports = reports;
    this.#measure();
  }

  /** Cap a duration at the measurement window: longer ones have no further meaning, and exceed the column. */
  #measurable(durationMs: number): number {
    return Math.min(durationMs, this.#options.policy.exit.windowMs);
  }

  #measure(): void {
    const { metrics } = this.#options;
    for (const { category, p95Ms, exitSeconds } of this.#reports) {
      if (p95Ms !== null) metrics.exitP95Seconds.set({ category }, p95Ms / 1_000);
      metrics.policyExitSeconds.set({ category }, exitSeconds);
    }
  }
}
