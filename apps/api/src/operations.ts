import { ageMsOf, type Clock, type Readiness } from '@core/runtime';
import type { Store } from '@core/store';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestObserver } from './http/createApp.ts';
import type { KeeperView, ShownKeeper } from './markets/keeperView.ts';
import type { LiveMarkets } from './markets/marketDirectory.ts';
import type { PoolView } from './markets/poolReader.ts';
import type { SocketObserver } from './sockets/socketGateways.ts';

/** What the service counts about itself. */
interface Metrics extends RequestObserver {
  readonly registry: Registry;
  readonly sockets: SocketObserver;
}

/** Buckets in seconds: a quote takes milliseconds, an overloaded one seconds. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Metrics of one running service; nothing is global, so several may live in one process. */
export function createMetrics(facts: { readonly signerImplementation: string }): Metrics {
  const registry = new Registry();
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
  signer.set({ implementation: facts.signerImplementation }, 1);
  return {
    registry,
    sockets: socketMetrics(registry),
    finished({ route, status, code, durationMs }) {
      durationOf(route, status).observe(durationMs / 1_000);
      if (code !== null) refusals.inc({ route, code });
    },
  };
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
 * Whether the service can answer, and what is missing before it can. What the keepers say of themselves is shown beside
 * it: without a keeper positions are read as before, and quotes are refused with a code of their own.
 */
export function readinessObserver(parts: {
  readonly store: Pick<Store, 'ping'>;
  readonly pool: PoolView;
  readonly live: LiveMarkets;
  readonly keeper: Pick<KeeperView, 'shown'>;
  readonly clock: Clock;
}): () => Promise<Readiness> {
  const isDatabaseThere = databaseLook(parts.store);
  return async () => {
    const { marketCount, staleMarketCount } = parts.live.health();
    const isFeedAlive = marketCount > 0 && staleMarketCount < marketCount;
    const missing = [
      ...((await isDatabaseThere()) ? [] : ['database']),
      ...(parts.pool.pool() === null ? ['chain'] : []),
      ...(isFeedAlive ? [] : ['feed']),
    ];
    const isReady = missing.length === 0;
    const nowMs = parts.clock.nowMs();
    const keepers = parts.keeper.shown(nowMs).map((keeper) => presentKeeper(keeper, nowMs));
    return { isReady, detail: { status: isReady ? 'ready' : 'waiting', missing, keepers } };
  };
}

function presentKeeper({ heard, report, shares }: ShownKeeper, nowMs: number) {
  return {
    address: report.address,
    heartbeat_age_ms: ageMsOf(heard, nowMs),
    /** Of the markets, eight in all. */
    shares,
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
  };
}

/** How long one look at the database speaks for the next: strangers may ask for readiness as often as they like. */
const lookAgeMs = 1_000;

/** Asks the database whether it is there: once for all who want to know during the look, or for a second after it. */
export function databaseLook(store: Pick<Store, 'ping'>): () => Promise<boolean> {
  let last: { readonly isThere: Promise<boolean>; endedAt: number } | null = null;
  return () => {
    if (last !== null && performance.now() - last.endedAt < lookAgeMs) return last.isThere;
    const look = { isThere: answers(store), endedAt: Number.POSITIVE_INFINITY };
    last = look;
    const end = (): void => {
      look.endedAt = performance.now();
    };
    look.isThere.then(end, end);
    return look.isThere;
  };
}

async function answers(store: Pick<Store, 'ping'>): Promise<boolean> {
  try {
    await store.ping();
    return true;
  } catch (cause) {
    if (cause instanceof Error) return false;
    throw cause;
  }
}
