import type { MarketCategory, MarketRecord, MarketSnapshot } from '@core/market';
import { type PolicyConfig, policyAtExit, type ServiceSnapshot } from '@core/policy';
import {
  ageMsOf,
  type FillCostReport,
  type Heard,
  type HeartbeatReader,
  type KeeperReport,
  keeperReportOf,
  type MarketShare,
  marketHashOf,
  unfilledCausesOf,
} from '@core/runtime';

/** State of the keeper that a quote in one market depends on. */
type KeptService = Omit<ServiceSnapshot, 'isQuoteCreationEnabled' | 'isPartialOpenEnabled'>;

/** A market as keepers divide and see it. */
export interface KeptMarket {
  /** Null for a market that is not listed: no keeper has it, and any may speak for it. */
  readonly id: string | null;
  readonly ticker: string;
  readonly category: MarketCategory;
}

export const keptMarketOf = ({ id, ticker }: MarketRecord, { facts }: MarketSnapshot): KeptMarket => ({
  id,
  ticker,
  category: facts.category,
});

const hashOf = ({ id }: KeptMarket): number | null => (id === null ? null : marketHashOf(id));

/** A keeper as its last heartbeat shows it. */
interface SeenKeeper {
  readonly heard: Heard;
  readonly report: KeeperReport;
  /** Ages of the last check of debts at the time of the report, by share count and share; unchecked ones are absent. */
  readonly ageMsByCount: ReadonlyMap<number, ReadonlyMap<number, number>>;
}

/** A keeper with the shares of the markets that are its own as far as is known: each share is one keeper's. */
export interface ShownKeeper {
  readonly heard: Heard;
  readonly report: KeeperReport;
  readonly shares: readonly MarketShare[];
}

/**
 * Return true when the keeper's chain or its transactions do not progress: a position would be left without a keeper.
 */
const isStuck = ({ chain }: Pick<KeeperReport, 'chain'>): boolean => chain !== undefined && chain.problems.length > 0;

/**
 * Return what keeps every keeper from acting, each need once; empty while one of them can act. Without a report there
 * is no keeper: nothing is quoted. Unfilled grants are what all of them report.
 */
export function missingOfKeepers(reports: readonly Pick<KeeperReport, 'chain' | 'fills'>[]): readonly string[] {
  const [first, ...others] = reports.map(({ fills }) => unfilledCausesOf(fills));
  if (first === undefined) return ['keeper_silent'];
  const unfilled = first.filter((cause) => others.every((causes) => causes.includes(cause)));
  if (!reports.every(isStuck)) return unfilled;
  const problems = new Set(reports.flatMap(({ chain }) => chain?.problems ?? []));
  return [...[...problems].map((problem) => `keeper_${problem}`), ...unfilled];
}

/** A keeper that said nothing for so long is not shown any more. */
const shownMs = 60_000;

/** The keepers as their last heartbeats show them: without a report nothing is promised. */
export class KeeperView {
  readonly #heartbeats: Pick<HeartbeatReader, 'heard' | 'knownForMs'>;
  readonly #policy: PolicyConfig;
  /** One policy an exit time, so that the same one is the same object. */
  readonly #policies = new Map<number, PolicyConfig>();
  #read: { readonly heard: readonly Heard[]; readonly keepers: readonly SeenKeeper[] } = { heard: [], keepers: [] };

  constructor(heartbeats: Pick<HeartbeatReader, 'heard' | 'knownForMs'>, policy: PolicyConfig) {
    this.#heartbeats = heartbeats;
    this.#policy = policy;
  }

  /**
   * The keepers that were heard of within a minute, each as it last reported, by address. A share is shown with the
   * keeper that checked its debts last, and while that check allows quotes: a keeper that died cannot say that it holds
   * it no more.
   */
  shown(nowMs: number): readonly ShownKeeper[] {
    return this.#keepers
      .filter(({ heard }) => ageMsOf(heard, nowMs) < shownMs)
      .map((keeper) => ({
        ...keeper,
        shares: heldSharesOf(keeper.report).filter((one) => this.#isWatched(one, keeper)),
      }))
      .toSorted((left, right) => (left.report.address < right.report.address ? -1 : 1));
  }

  serviceOf(market: KeptMarket, nowMs: number): KeptService {
    const keeper = this.#keeperOf(market);
    const report = keeper?.report;
    return {
      keeperHeartbeatAgeMs: keeper === null || isStuck(keeper.report) ? null : ageMsOf(keeper.heard, nowMs),
      isVenueTakingOrders: report?.isVenueTakingOrders === true,
      isPriceSignerAnswering: report?.isPriceSignerAnswering === true,
      isExitQuick: report?.exits.find((exit) => exit.category === market.category)?.isOpen !== false,
      areGrantsFilled: !report?.fills.some(({ category, hasFillers }) => category === market.category && !hasFillers),
      debtWatchAgeMs: this.debtWatchAgeMs(market),
    };
  }

  /**
   * Time since the keeper of a market checked the debts in it; null when it could not see them. Where nothing is owed
   * its look at all debts counts: the next one is in the watch a second after it is opened.
   */
  debtWatchAgeMs(market: KeptMarket): number | null {
    const keeper = this.#keeperOf(market);
    if (keeper === null || keeper.report.unseenTickers.includes(market.ticker)) return null;
    const ageMs = this.#lookAgeMs(keeper, hashOf(market));
    return ageMs === Number.POSITIVE_INFINITY ? null : ageMs;
  }

  /** Measured costs of fills in a category, which each keeper measures of all; empty without a measurement. */
  fillCostsOf(category: MarketCategory): readonly FillCostReport[] {
    const report = this.#keeperOfHash(null)?.report;
    return report?.fillCosts.filter((cost) => cost.category === category) ?? [];
  }

  /** The policy at the exit time that its keeper measured for the category of a market. */
  policyOf(market: KeptMarket): PolicyConfig {
    const exit = this.#keeperOf(market)?.report.exits.find((one) => one.category === market.category);
    if (exit === undefined) return this.#policy;
    const policy = this.#policies.get(exit.exitSeconds) ?? policyAtExit(this.#policy, exit.exitSeconds);
    this.#policies.set(exit.exitSeconds, policy);
    return policy;
  }

  /**
   * The keeper that checked the debts of a market last: the one that has its share, or had it until a moment ago.
   * Where none did, the one that was heard of last; null when none ever was.
   */
  #keeperOf(market: KeptMarket): SeenKeeper | null {
    return this.#keeperOfHash(hashOf(market));
  }

  #keeperOfHash(hash: number | null): SeenKeeper | null {
    const [youngest = null, ...others] = this.#keepers;
    if (youngest === null) return null;
    return others.reduce(
      (best, keeper) => (this.#lookAgeMs(keeper, hash) < this.#lookAgeMs(best, hash) ? keeper : best),
      youngest,
    );
  }

  #isWatched({ share }: MarketShare, keeper: SeenKeeper): boolean {
    // The number of a share is the hash of one market in it.
    const isOf = this.#keeperOfHash(share) === keeper;
    return isOf && this.#lookAgeMs(keeper, share) <= this.#policy.ages.maxDebtWatchAgeMs;
  }

  /** Infinity for a keeper that does not look after a market with this hash. */
  #lookAgeMs({ heard, ageMsByCount }: SeenKeeper, hash: number | null): number {
    let ageMs = Number.POSITIVE_INFINITY;
    if (hash === null) return ageMs;
    // While the share count changes, a keeper has shares of two counts; the last check counts.
    for (const [shareCount, ages] of ageMsByCount) {
      ageMs = Math.min(ageMs, ages.get(hash % shareCount) ?? Number.POSITIVE_INFINITY);
    }
    return ageMs + this.#heartbeats.knownForMs(heard);
  }

  /** Those that reported of themselves, the youngest heartbeat first. */
  get #keepers(): readonly SeenKeeper[] {
    const heard = this.#heartbeats.heard();
    if (heard !== this.#read.heard) {
      const keepers = heard.flatMap((one) => {
        const report = keeperReportOf(one.detail);
        return report === null ? [] : [{ heard: one, report, ageMsByCount: ageMsByCountOf(report) }];
      });
      this.#read = { heard, keepers };
    }
    return this.#read.keepers;
  }
}

const heldSharesOf = ({ shareGroups }: KeeperReport): readonly MarketShare[] =>
  shareGroups
    .filter(({ isHeld }) => isHeld)
    .flatMap(({ shareCount, shares }) => shares.map((share) => ({ share, shareCount })));

function ageMsByCountOf({ shareGroups }: KeeperReport): SeenKeeper['ageMsByCount'] {
  const byCount = new Map<number, Map<number, number>>();
  for (const { shareCount, shares, debtWatchAgeMs } of shareGroups) {
    if (debtWatchAgeMs === null) continue;
    const ages = byCount.get(shareCount) ?? new Map<number, number>();
    for (const share of shares) ages.set(share, debtWatchAgeMs);
    byCount.set(shareCount, ages);
  }
  return byCount;
}
