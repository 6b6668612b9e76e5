import {
  type MarketCategory,
  type MarketSnapshot,
  type PolicyConfig,
  policyAtExit,
  type ServiceSnapshot,
} from '@core/policy';
import {
  ageMsOf,
  type Heard,
  type HeartbeatReader,
  type KeeperReport,
  keeperReportOf,
  marketShareOf,
  marketShares,
} from '@core/runtime';
import type { MarketRecord } from '@core/store';

/** What a quote in one market has to know of the keeper. */
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

const shareOf = ({ id }: KeptMarket): number | null => (id === null ? null : marketShareOf(id));

/** A keeper as its last heartbeat shows it. */
export interface SeenKeeper {
  readonly heard: Heard;
  readonly report: KeeperReport;
}

/** The same with the shares of the markets that are its own as far as is known: each share is one keeper's. */
export interface ShownKeeper extends SeenKeeper {
  readonly shares: readonly number[];
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
   * keeper that looked at its debts last: one that died cannot say that it holds it no more.
   */
  shown(nowMs: number): readonly ShownKeeper[] {
    return this.#keepers
      .filter(({ heard }) => ageMsOf(heard, nowMs) < shownMs)
      .map((keeper) => ({ ...keeper, shares: marketShares.filter((share) => this.#isOf(share, keeper)) }))
      .toSorted((left, right) => (left.report.address < right.report.address ? -1 : 1));
  }

  serviceOf(market: KeptMarket, nowMs: number): KeptService {
    const keeper = this.#keeperOf(market);
    const report = keeper?.report;
    return {
      keeperHeartbeatAgeMs: keeper === null ? null : ageMsOf(keeper.heard, nowMs),
      isVenueTakingOrders: report?.isVenueTakingOrders === true,
      isPriceSignerAnswering: report?.isPriceSignerAnswering === true,
      isExitQuick: report?.exits.find((exit) => exit.category === market.category)?.isOpen !== false,
      debtWatchAgeMs: this.debtWatchAgeMs(market),
    };
  }

  /**
   * Time since the keeper of a market looked at the debts in it; null when it could not see them. Where nothing is owed
   * its look at all debts counts: the next one is in the watch a second after it is opened.
   */
  debtWatchAgeMs(market: KeptMarket): number | null {
    const keeper = this.#keeperOf(market);
    if (keeper === null || keeper.report.unseenTickers.includes(market.ticker)) return null;
    const ageMs = this.#lookAgeMs(keeper, shareOf(market));
    return ageMs === Number.POSITIVE_INFINITY ? null : ageMs;
  }

  /** The policy at the exit time that its keeper measured for the category of a market. */
  policyOf(market: KeptMarket): PolicyConfig {
    const exit = this.#keeperOf(market)?.report.exits.find((one) => one.category === market.category);
    if (exit === undefined) return this.#policy;
    const known = this.#policies.get(exit.exitSeconds) ?? policyAtExit(this.#policy, exit.exitSeconds);
    this.#policies.set(exit.exitSeconds, known);
    return known;
  }

  /**
   * The keeper that looked at the debts of a market last: the one that has its share, or had it until a moment ago.
   * Where none did, the one that was heard of last; null when none ever was.
   */
  #keeperOf(market: KeptMarket): SeenKeeper | null {
    return this.#keeperOfShare(shareOf(market));
  }

  #keeperOfShare(share: number | null): SeenKeeper | null {
    const [youngest = null, ...others] = this.#keepers;
    if (youngest === null) return null;
    return others.reduce(
      (best, keeper) => (this.#lookAgeMs(keeper, share) < this.#lookAgeMs(best, share) ? keeper : best),
      youngest,
    );
  }

  #isOf(share: number, keeper: SeenKeeper): boolean {
    const isHeld = keeper.report.shares.some((one) => one.share === share && one.isHeld);
    return isHeld && this.#keeperOfShare(share) === keeper;
  }

  /** Infinity for a keeper that does not look after the share. */
  #lookAgeMs({ heard, report }: SeenKeeper, share: number | null): number {
    const ageMs = report.shares.find((one) => one.share === share)?.debtWatchAgeMs ?? Number.POSITIVE_INFINITY;
    return ageMs + this.#heartbeats.knownForMs(heard);
  }

  /** Those that reported of themselves, the youngest heartbeat first. */
  get #keepers(): readonly SeenKeeper[] {
    const heard = this.#heartbeats.heard();
    if (heard !== this.#read.heard) {
      const keepers = heard.flatMap((one) => {
        const report = keeperReportOf(one.detail);
        return report === null ? [] : [{ heard: one, report }];
      });
      this.#read = { heard, keepers };
    }
    return this.#read.keepers;
  }
}
