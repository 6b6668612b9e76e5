import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the keeper counts. Names and labels are few and fixed: no position key becomes a label. */
export interface KeeperMetrics {
  readonly registry: Registry;
  readonly taskSeconds: Histogram<'task'>;
  readonly taskFailures: Counter<'task' | 'kind'>;
  readonly lastSuccess: Gauge<'task'>;
  readonly indexedBlock: Gauge;
  readonly rollbacks: Counter;
  readonly frozen: Counter;
  readonly unknownQuotes: Counter;
  readonly followedDebts: Gauge;
  readonly staleMarkets: Gauge;
}

export function createKeeperMetrics(): KeeperMetrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    taskSeconds: new Histogram({
      name: 'keeper_task_seconds',
      help: 'Duration of one run of a task.',
      labelNames: ['task'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30],
      registers,
    }),
    taskFailures: new Counter({
      name: 'keeper_task_failures_total',
      help: 'Runs of a task that ended with an error, by kind of failure.',
      labelNames: ['task', 'kind'],
      registers,
    }),
    lastSuccess: new Gauge({
      name: 'keeper_task_last_success_seconds',
      help: 'Service time of the last successful run.',
      labelNames: ['task'],
      registers,
    }),
    indexedBlock: new Gauge({ name: 'keeper_indexed_block', help: 'Last indexed block.', registers }),
    rollbacks: new Counter({
      name: 'keeper_rollbacks_total',
      help: 'Chain reorganisations that were undone.',
      registers,
    }),
    frozen: new Counter({
      name: 'keeper_frozen_positions_total',
      help: 'Positions frozen for a person to look at.',
      registers,
    }),
    followedDebts: new Gauge({
      name: 'keeper_followed_debts',
      help: 'Positions with debt whose market is watched.',
      registers,
    }),
    staleMarkets: new Gauge({
      name: 'keeper_stale_markets',
      help: 'Watched markets of which a book is missing or older than 5 s: nobody is liquidated there.',
      registers,
    }),
    unknownQuotes: new Counter({
      name: 'keeper_unknown_quotes_total',
      help: 'Positions on chain whose digest matches no stored quote.',
      registers,
    }),
  };
}
