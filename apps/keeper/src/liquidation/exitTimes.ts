import { decideExitTime, type PolicyConfig } from '@core/policy';
import type { Clock, ExitReport } from '@core/runtime';
import type { ExitSale, ExitStore, ExitWait } from '@core/store';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';

/** Categories that quotes are given in. */
const categories = ['crypto', 'sport'] as const;

export interface ExitTimesOptions {
  readonly exits: Omit<ExitStore, 'removeOlderThan'>;
  /** Debts that are due now and not repaid yet. */
  readonly waiting: () => readonly ExitWait[];
  readonly policy: PolicyConfig;
  readonly clock: Clock;
  readonly metrics: Pick<KeeperMetrics, 'exitSeconds' | 'exitP95Seconds' | 'policyExitSeconds'>;
}

/**
 * How long forced sales take, and the exit time that quotes rest on for it. Measurements and exit times are kept in the
 * store, so the next keeper goes on where this one ends; what was measured and not kept yet is lost with the process.
 */
export class ExitTimes {
  readonly #options: ExitTimesOptions;
  #unkept: ExitSale[] = [];
  #reports: readonly ExitReport[] = [];

  constructor(options: ExitTimesOptions) {
    this.#options = options;
  }

  /** By category; empty before the first round. */
  get reports(): readonly ExitReport[] {
    return this.#reports;
  }

  note(sale: ExitSale): void {
    this.#unkept.push(sale);
    this.#options.metrics.exitSeconds.observe({ category: sale.category }, sale.durationMs / 1_000);
  }

  /** Keeps what was measured and decides every category's exit time anew. */
  async update(): Promise<void> {
    const { exits, waiting, policy, clock } = this.#options;
    const kept = this.#unkept;
    await exits.add(kept);
    this.#unkept = this.#unkept.slice(kept.length);
    const nowMs = clock.nowMs();
    const [summaries, times] = await Promise.all([
      exits.summaries(nowMs - policy.exit.windowMs, waiting()),
      exits.times(),
    ]);
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

  #measure(): void {
    const { metrics } = this.#options;
    for (const { category, p95Ms, exitSeconds } of this.#reports) {
      if (p95Ms !== null) metrics.exitP95Seconds.set({ category }, p95Ms / 1_000);
      metrics.policyExitSeconds.set({ category }, exitSeconds);
    }
  }
}
