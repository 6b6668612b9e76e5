import { type MarketCategory, type PolicyConfig, policyAtExit, type ServiceSnapshot } from '@core/policy';
import { type HeartbeatReader, type KeeperReport, keeperReportOf } from '@core/runtime';

/** What a quote in one market has to know of the keeper. */
type KeptMarket = Omit<ServiceSnapshot, 'isQuoteCreationEnabled' | 'isPartialOpenEnabled'>;

/** The keeper as its last heartbeat shows it: without a report nothing is promised. */
export class KeeperView {
  readonly #heartbeat: Pick<HeartbeatReader, 'ageMs' | 'latest'>;
  readonly #policy: PolicyConfig;
  /** One policy an exit time, so that the same one is the same object. */
  readonly #policies = new Map<number, PolicyConfig>();
  #read: { readonly detail: unknown; readonly report: KeeperReport | null } = { detail: null, report: null };

  constructor(heartbeat: Pick<HeartbeatReader, 'ageMs' | 'latest'>, policy: PolicyConfig) {
    this.#heartbeat = heartbeat;
    this.#policy = policy;
  }

  /** The report of the youngest heartbeat; null when there is none or it is none. */
  report(): KeeperReport | null {
    const detail = this.#heartbeat.latest()?.detail ?? null;
    if (detail !== this.#read.detail) this.#read = { detail, report: keeperReportOf(detail) };
    return this.#read.report;
  }

  /** Silence of the keeper on the service clock; null when none ever reported. */
  ageMs(nowMs: number): number | null {
    return this.#heartbeat.ageMs(nowMs);
  }

  keptMarketOf({ ticker, category }: { readonly ticker: string; readonly category: MarketCategory }, nowMs: number) {
    const report = this.report();
    const kept: KeptMarket = {
      keeperHeartbeatAgeMs: this.ageMs(nowMs),
      isVenueTakingOrders: report?.isVenueTakingOrders === true,
      isPriceSignerAnswering: report?.isPriceSignerAnswering === true,
      isExitQuick: report?.exits.find((exit) => exit.category === category)?.isOpen !== false,
      debtWatchAgeMs: this.debtWatchAgeMs(ticker),
    };
    return kept;
  }

  /**
   * Time since the keeper looked at the debts in a market; null when it could not see them. Where nothing is owed its
   * look at all debts counts: the next one is in the watch a second after it is opened.
   */
  debtWatchAgeMs(ticker: string): number | null {
    const report = this.report();
    const knownForMs = this.#heartbeat.latest()?.knownForMs ?? null;
    if (report === null || knownForMs === null || report.debtWatchAgeMs === null) return null;
    return report.unseenTickers.includes(ticker) ? null : report.debtWatchAgeMs + knownForMs;
  }

  /** The policy at the exit time that was measured for a category. */
  policyOf(category: MarketCategory): PolicyConfig {
    const exit = this.report()?.exits.find((one) => one.category === category);
    if (exit === undefined) return this.#policy;
    const known = this.#policies.get(exit.exitSeconds) ?? policyAtExit(this.#policy, exit.exitSeconds);
    this.#policies.set(exit.exitSeconds, known);
    return known;
  }
}
