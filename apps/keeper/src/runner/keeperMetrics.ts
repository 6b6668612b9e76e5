import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the keeper counts. Names and labels are few and fixed: no position key becomes a label. */
export interface KeeperMetrics {
  readonly registry: Registry;
  readonly taskSeconds: Histogram<'task'>;
  readonly taskFailures: Counter<'task' | 'kind'>;
  readonly lastSuccess: Gauge<'task'>;
  readonly indexedBlock: Gauge;
  readonly rollbacks: Counter;
  readonly repairedEvents: Counter;
  readonly unverifiedBlocks: Gauge;
  readonly differingCounts: Gauge<'count'>;
  readonly chainReach: Gauge;
  readonly heldShares: Gauge;
  readonly feeCeiling: Counter;
  readonly venueBreaker: Gauge;
  readonly venueRefusals: Counter<'code'>;
  readonly priceSignerAnswering: Gauge<'signer'>;
  readonly requiredSignatures: Gauge;
  readonly frozen: Counter;
  readonly unknownQuotes: Counter;
  readonly strangePayouts: Counter;
  readonly unwindAlerts: Counter;
  readonly exitSeconds: Histogram<'category'>;
  readonly exitP95Seconds: Gauge<'category'>;
  readonly policyExitSeconds: Gauge<'category'>;
  readonly followedDebts: Gauge;
  readonly dueDebts: Gauge<'reason'>;
  readonly staleMarkets: Gauge;
}

/** How long forced sales take, and what follows for quotes. */
function exitMetricsOf(
  registers: Registry[],
): Pick<KeeperMetrics, 'exitSeconds' | 'exitP95Seconds' | 'policyExitSeconds'> {
  const labelNames = ['category'] as const;
  return {
    exitSeconds: new Histogram({
      name: 'keeper_exit_seconds',
      help: 'Time from the look at which a debt was due to the index having seen it repaid, by category.',
      labelNames,
      // The steps in which the policy follows the measured exit.
      buckets: [1, 2, 3, 5, 7.5, 10, 15, 20, 30, 60],
      registers,
    }),
    exitP95Seconds: new Gauge({
      name: 'keeper_exit_p95_seconds',
      help: '95th percentile of the same over the last day, of all keepers.',
      labelNames,
      registers,
    }),
    policyExitSeconds: new Gauge({
      name: 'keeper_policy_exit_seconds',
      help: 'Exit time that the leverage of quotes rests on.',
      labelNames,
      registers,
    }),
  };
}

/** What the second reading of the chain finds. */
function verificationMetricsOf(
  registers: Registry[],
): Pick<KeeperMetrics, 'repairedEvents' | 'unverifiedBlocks' | 'differingCounts'> {
  return {
    repairedEvents: new Counter({
      name: 'keeper_repaired_events_total',
      help: 'Events that only the second reading of their blocks brought.',
      registers,
    }),
    unverifiedBlocks: new Gauge({
      name: 'keeper_unverified_blocks',
      help: 'Indexed blocks that were not read a second time yet.',
      registers,
    }),
    differingCounts: new Gauge({
      name: 'keeper_index_differs',
      help: '1 while the contracts count something otherwise than the index, by what: an alert when it stays.',
      labelNames: ['count'],
      registers,
    }),
  };
}

/** What the keeper knows of its price signers. */
function signerMetricsOf(registers: Registry[]) {
  return {
    priceSignerAnswering: new Gauge({
      name: 'keeper_price_signer_answering',
      help: '1 while the price signer says that it can attest, by its host and port.',
      labelNames: ['signer'],
      registers,
    }),
    requiredSignatures: new Gauge({
      name: 'keeper_required_signatures',
      help: 'Price signers that an order needs now: the threshold of the vault, or all while an alarm is on.',
      registers,
    }),
  };
}

/** What is owed, and what of it is due. */
function debtMetricsOf(registers: Registry[]) {
  return {
    unwindAlerts: new Counter({
      name: 'keeper_unwind_alerts_total',
      help: 'Debts that are due and can neither be repaid by a sale nor liquidated: waiting may cost the pool money.',
      registers,
    }),
    followedDebts: new Gauge({
      name: 'keeper_followed_debts',
      help: 'Positions with debt whose market is watched.',
      registers,
    }),
    dueDebts: new Gauge({
      name: 'keeper_due_debts',
      help: 'Followed debts that have to go now, by reason: liquidation, hard_exit, unwind.',
      labelNames: ['reason'],
      registers,
    }),
    staleMarkets: new Gauge({
      name: 'keeper_stale_markets',
      help: 'Watched markets of which a book is missing or older than 5 s: nothing is liquidated there.',
      registers,
    }),
  };
}

export function createKeeperMetrics(): KeeperMetrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
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
    indexedBlock: gauge('keeper_indexed_block', 'Last indexed block.'),
    rollbacks: counter('keeper_rollbacks_total', 'Chain reorganisations that were undone.'),
    ...verificationMetricsOf(registers),
    chainReach: gauge(
      'keeper_chain_reached',
      '1 while the chain answers this process; 0: it has given its locks back.',
    ),
    heldShares: gauge(
      'keeper_market_shares',
      'Shares of the markets that this keeper looks after; all keepers together hold 8.',
    ),
    feeCeiling: counter(
      'keeper_fee_ceiling_total',
      'Times at which the price of gas was above what the keeper may offer: transactions wait.',
    ),
    venueBreaker: gauge('keeper_venue_breaker_open', '1 while the venue refuses us and nothing is posted to it.'),
    venueRefusals: new Counter({
      name: 'keeper_venue_refusals_total',
      help: 'Times the venue refused us rather than an order, by its code.',
      labelNames: ['code'],
      registers,
    }),
    ...signerMetricsOf(registers),
    frozen: counter('keeper_frozen_positions_total', 'Positions frozen for a person to look at.'),
    ...exitMetricsOf(registers),
    ...debtMetricsOf(registers),
    strangePayouts: counter(
      'keeper_strange_payouts_total',
      'Payout vectors that neither a won nor a void market has: the oracle is stopped until an operator resumes it.',
    ),
    unknownQuotes: counter('keeper_unknown_quotes_total', 'Positions on chain whose digest matches no stored quote.'),
  };
}
