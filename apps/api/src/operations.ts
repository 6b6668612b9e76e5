import { compare } from '@core/pricing';
import {
  ageMsOf,
  type Clock,
  marketShareName,
  type NodeHealth,
  presentChainReport,
  presentFillReport,
  presentNodes,
  type Readiness,
} from '@core/runtime';
import type { Store } from '@core/store';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { databaseProbe, type LockWatch } from './databaseWatch.ts';
import type { RequestObserver } from './http/createApp.ts';
import { type KeeperView, missingOfKeepers, type ShownKeeper } from './markets/keeperView.ts';
import type { LiveMarkets } from './markets/marketDirectory.ts';
import { type PoolView, smallestLendableUsdcUnits } from './markets/poolReader.ts';
import type { SocketObserver } from './sockets/socketGateways.ts';
import type { VaultView } from './terms/vaultWatch.ts';

/** Metrics of the service. */
interface Metrics extends RequestObserver {
  readonly registry: Registry;
  readonly sockets: SocketObserver;
  /** Count an item that cannot be read and was left out. */
  poison(kind: PoisonKind): void;
  /** Register gauges that are read at each scrape. */
  watch(figures: {
    readonly connections: () => number;
    readonly eventsWaitingMs: () => number;
    readonly lockedTableCount: () => number;
    readonly headAgeMs: () => number | null;
    readonly isQuoteKeyAccepted: () => boolean;
    readonly freeUsdcUnits: () => bigint | null;
  }): void;
}

/** A kind of item of which one may be unreadable without stopping the others. */
export type PoisonKind = 'event' | 'position' | 'market' | 'partner';

/** Buckets in seconds: a quote takes milliseconds, an overloaded one seconds. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Metrics of one running service; nothing is global, so several may live in one process. */
export function createMetrics({
  signerImplementation,
  registry = new Registry(),
}: {
  readonly signerImplementation: string;
  /** Has the metrics of other parts of the process; a new one when absent. */
  readonly registry?: Registry | undefined;
}): Metrics {
  const durations = new Histogram({
    name: 'api_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['route', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'api_refusals_total',
    help: 'Requests answered with an error, by code',
    labelNames: ['route', 'code'],
    registers: [registry],
  });
  const signer = new Gauge({
    name: 'api_signer_info',
    help: 'Library that signs quotes',
    labelNames: ['implementation'],
    registers: [registry],
  });
  // A child a route and status: finding it by its labels would cost more than counting.
  const children = new Map<string, ReturnType<typeof durations.labels>>();
  const durationOf = (route: string, status: number) => {
    const key = `${route} ${status}`;
    const child = children.get(key) ?? durations.labels(route, String(status));
    children.set(key, child);
    return child;
  };
  const poison = new Counter({
    name: 'api_unreadable_items_total',
    help: 'Events, positions, markets and partners that could not be presented and were left out',
    labelNames: ['kind'],
    registers: [registry],
  });
  signer.set({ implementation: signerImplementation }, 1);
  return {
    registry,
    sockets: socketMetrics(registry),
    poison: (kind) => poison.inc({ kind }),
    watch: (figures) => watchFigures(registry, figures),
    finished({ route, status, code, durationMs }) {
      durationOf(route, status).observe(durationMs / 1_000);
      if (code !== null) refusals.inc({ route, code });
    },
  };
}

function watchFigures(
  registry: Registry,
  {
    connections,
    eventsWaitingMs,
    lockedTableCount,
    headAgeMs,
    isQuoteKeyAccepted,
    freeUsdcUnits,
  }: Parameters<Metrics['watch']>[0],
): void {
  showFigure(registry, {
    name: 'api_head_age_seconds',
    help: 'Age of the last block on the service clock, without a number before the first block: no quotes when too old',
    read: () => (headAgeMs() ?? Number.NaN) / 1_000,
  });
  showFigure(registry, {
    name: 'api_quote_key_accepted',
    help: '1 while the vault accepts the quote key of this process: no quotes with another one',
    read: () => (isQuoteKeyAccepted() ? 1 : 0),
  });
  showFigure(registry, {
    name: 'api_pool_free_usdc_units',
    help: 'USDC that the pool can lend, in units of 0.000001 USD, without a number while it is unknown',
    read: () => Number(freeUsdcUnits() ?? Number.NaN),
  });
  showFigure(registry, { name: 'api_connections', help: 'Open HTTP connections', read: connections });
  showFigure(registry, {
    name: 'api_events_waiting_seconds',
    help: 'Time for which events have been waiting for a running transaction of the database',
    read: () => eventsWaitingMs() / 1_000,
  });
  showFigure(registry, {
    name: 'api_locked_tables',
    help: 'Tables of the database from which other sessions keep statements: no quotes with any',
    read: lockedTableCount,
  });
}

function showFigure(
  registry: Registry,
  { name, help, read }: { readonly name: string; readonly help: string; readonly read: () => number },
): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
}

function socketMetrics(registry: Registry): SocketObserver {
  const registers = [registry];
  const open = new Gauge({ name: 'api_sockets', help: 'Open connections', labelNames: ['gateway'], registers });
  const closes = new Counter({
    name: 'api_socket_closes_total',
    help: 'Ended connections, by close code',
    labelNames: ['gateway', 'code'],
    registers,
  });
  const frames = new Counter({ name: 'api_event_frames_total', help: 'Events handed to connections', registers });
  return {
    opened: (gateway) => open.inc({ gateway }),
    closed(gateway, code) {
      open.dec({ gateway });
      closes.inc({ gateway, code });
    },
    sent: (count) => frames.inc(count),
  };
}

/**
 * Return readiness and the missing parts, with the cause where it is the database, and the reports of the keepers. A
 * pool that has lent everything out is named, and the service ready: it serves everything but quotes with leverage.
 */
// Decision: apps/api/DECISIONS.md#the-service-is-not-ready-while-no-keeper-can-act
export function readinessObserver(parts: {
  readonly store: Pick<Store, 'probeWrite'>;
  readonly locks: Pick<LockWatch, 'isLocked'>;
  readonly pool: PoolView;
  readonly vault: VaultView;
  readonly nodes: Pick<NodeHealth, 'state'>;
  readonly live: LiveMarkets;
  readonly keeper: Pick<KeeperView, 'shown'>;
  readonly clock: Clock;
}): () => Promise<Readiness> {
  const observeDatabase = databaseProbe(parts.store, parts.locks);
  return async () => {
    const { marketCount, staleMarketCount } = parts.live.health();
    const isFeedAlive = marketCount > 0 && staleMarketCount < marketCount;
    const nowMs = parts.clock.nowMs();
    const keepers = parts.keeper.shown(nowMs);
    const database_fault = await observeDatabase(nowMs);
    const missing = [
      ...(database_fault === null ? [] : ['database']),
      ...poolNeedsOf(parts.pool),
      ...parts.vault.problems(),
      ...(isFeedAlive ? [] : ['feed']),
      // Keepers report through the database.
      ...(database_fault === null ? needsOf(keepers) : []),
    ];
    const isReady = missing.every((need) => need === 'pool_empty');
    const head_age_ms = parts.vault.headAgeMs();
    const status = isReady ? 'ready' : 'waiting';
    const chain = { head_age_ms, nodes: presentNodes(parts.nodes) };
    const presentedKeepers = keepers.map((keeper) => presentKeeper(keeper, nowMs));
    return { isReady, detail: { status, missing, database_fault, ...chain, keepers: presentedKeepers } };
  };
}

/** Return what keeps every keeper from acting. Debts unchecked and signatures that lack follow from other needs. */
function needsOf(keepers: readonly ShownKeeper[]): readonly string[] {
  const needs = missingOfKeepers(keepers.map(({ report }) => report));
  if (needs.some((need) => need.startsWith('keeper_'))) return needs;
  const areMarketsWatched = keepers.some(({ shares }) => shares.length > 0);
  const canBeSigned = keepers.some(({ report }) => report.isPriceSignerAnswering);
  return [...needs, ...(areMarketsWatched ? [] : ['markets_unwatched']), ...(canBeSigned ? [] : ['price_signers'])];
}

/** Return what the pool lacks for a quote with leverage. */
function poolNeedsOf(view: PoolView): readonly string[] {
  const pool = view.pool();
  if (pool === null) return ['chain'];
  return compare(pool.freeLiquidityUsdcUnits, smallestLendableUsdcUnits) < 0 ? ['pool_empty'] : [];
}

function presentKeeper({ heard, report, shares }: ShownKeeper, nowMs: number) {
  return {
    address: report.address,
    heartbeat_age_ms: ageMsOf(heard, nowMs),
    /** Of the markets, by number and count, such as `3/64`. */
    shares: shares.map(marketShareName),
    ...(report.chain === undefined ? {} : { chain: presentChainReport(report.chain) }),
    is_venue_taking_orders: report.isVenueTakingOrders,
    is_price_signer_answering: report.isPriceSignerAnswering,
    required_signatures: report.requiredSignatures,
    price_signers: report.priceSigners.map(({ name, address, isAnswering, isAppointed }) => ({
      name,
      address,
      is_answering: isAnswering,
      is_appointed: isAppointed,
    })),
    unseen_markets: report.unseenTickers,
    exits: report.exits.map(({ category, saleCount, p95Ms, exitSeconds, isOpen }) => ({
      category,
      sale_count: saleCount,
      p95_ms: p95Ms,
      exit_seconds: exitSeconds,
      is_open: isOpen,
    })),
    fills: report.fills.map(presentFillReport),
  };
}
