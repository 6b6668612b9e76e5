import { type ContractTerms, decideEligibility, marketLimitsOf, type PolicyConfig } from '@core/policy';
import { add, raw, type UsdPips, usdPips } from '@core/pricing';
import type { MarketRecord, PartnerRecord, Store, UsageByScope, UsageCounters } from '@core/store';
import type { MarketWire } from '@core/wire';
import { presentMarket, presentPrices } from '../present/presentMarket.ts';
import type { MarketDirectory } from './marketDirectory.ts';
import type { PoolView } from './poolReader.ts';
import { chainUsageOf, emptyCounters, sumCounters, usageSnapshotOf } from './usageSnapshot.ts';

/** A market with all figures one partner sees, ready to be listed. */
export interface ListedView {
  readonly record: MarketRecord;
  readonly wire: MarketWire;
  readonly prices: MarketWire['prices'];
  readonly isAccepting: boolean;
  /** Slippage maximum of both sides together, in pips; what `depth_desc` sorts by. */
  readonly depthPips: bigint;
}

interface UsageReading {
  readonly readAt: number;
  readonly markets: ReadonlyMap<string, UsageCounters>;
  readonly partnerAndGlobal: Pick<UsageByScope, 'partner' | 'global'>;
}

interface BuiltView {
  readonly builtAt: number;
  readonly version: bigint;
  readonly view: ListedView | null;
}

export interface MarketBoardOptions {
  readonly store: Pick<Store, 'usage'>;
  readonly markets: MarketDirectory;
  readonly pool: PoolView;
  readonly policy: PolicyConfig;
  readonly contract: ContractTerms;
  readonly idNamespace: string;
  readonly maxAgeMs: number;
}

/** A wallet nobody has: a list shows limits as for a wallet without positions. */
const nobody = { walletAddress: '', marketId: null, clusterKey: null };

/**
 * Market figures per partner. Eligibility and limits of a market are rebuilt at most every `maxAgeMs`: a list may be
 * that old, quotes never are.
 */
export class MarketBoard {
  readonly #options: MarketBoardOptions;
  readonly #usage = new Map<string, UsageReading>();
  readonly #views = new Map<string, BuiltView>();

  constructor(options: MarketBoardOptions) {
    this.#options = options;
  }

  /** Views of the given markets; those of a category that is listed nowhere are left out. */
  async viewsOf(partner: PartnerRecord, records: Iterable<MarketRecord>): Promise<readonly ListedView[]> {
    const usage = await this.#usageOf(partner.id);
    const views: ListedView[] = [];
    for (const record of records) {
      const view = this.#viewOf(partner, record, usage);
      if (view !== null) views.push(view);
    }
    return views;
  }

  #viewOf(partner: PartnerRecord, record: MarketRecord, usage: UsageReading): ListedView | null {
    const key = `${partner.id}:${record.id}`;
    const built = this.#views.get(key);
    const now = performance.now();
    if (built !== undefined && built.version === record.version && now - built.builtAt < this.#options.maxAgeMs) {
      return built.view;
    }
    const view = this.#build(partner, record, usage);
    this.#views.set(key, { builtAt: now, version: record.version, view });
    return view;
  }

  #build(partner: PartnerRecord, record: MarketRecord, reading: UsageReading): ListedView | null {
    const { markets, pool, policy, contract, idNamespace } = this.#options;
    const snapshot = markets.byTicker(record.ticker)?.snapshot ?? null;
    if (snapshot === null) return null;
    const usage = usageSnapshotOf(this.#countersOf(record, reading), chainUsageOf(pool, record));
    const { terms } = partner;
    const view = { snapshot, terms, usage, config: policy };
    const limits = marketLimitsOf(view);
    const eligibility = decideEligibility(view);
    const wire = presentMarket({ record, snapshot, terms, contract, eligibility, limits, idNamespace });
    if (wire === null) return null;
    const depth = add(knownOf(limits.yes.slippageMaxNotionalUsdPips), knownOf(limits.no.slippageMaxNotionalUsdPips));
    return {
      record,
      wire,
      prices: presentPrices(snapshot, policy),
      isAccepting: wire.accepting_new_positions,
      depthPips: raw(depth),
    };
  }

  #countersOf(record: MarketRecord, { markets, partnerAndGlobal }: UsageReading): UsageByScope {
    const countersOf = (key: string): UsageCounters => markets.get(key) ?? emptyCounters;
    const market = countersOf(`market:${record.id}`);
    return {
      user: emptyCounters,
      market,
      yes: countersOf(`side:${record.id}:yes`),
      no: countersOf(`side:${record.id}:no`),
      cluster: record.clusterKey === null ? market : sumCounters(this.#clusterOf(record.clusterKey, markets)),
      ...partnerAndGlobal,
    };
  }

  *#clusterOf(clusterKey: string, markets: ReadonlyMap<string, UsageCounters>): Iterable<UsageCounters> {
    for (const record of this.#options.markets.records()) {
      const counters = record.clusterKey === clusterKey ? markets.get(`market:${record.id}`) : undefined;
      if (counters !== undefined) yield counters;
    }
  }

  async #usageOf(partnerId: string): Promise<UsageReading> {
    const known = this.#usage.get(partnerId);
    const readAt = performance.now();
    if (known !== undefined && readAt - known.readAt < this.#options.maxAgeMs) return known;
    const [markets, { partner, global }] = await Promise.all([
      this.#options.store.usage.readMarkets(),
      this.#options.store.usage.read({ partnerId, ...nobody }),
    ]);
    const reading = { readAt, markets, partnerAndGlobal: { partner, global } };
    this.#usage.set(partnerId, reading);
    return reading;
  }
}

function knownOf(notional: UsdPips | null): UsdPips {
  return notional ?? usdPips(0n);
}
