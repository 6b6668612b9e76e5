import { type SharedMetrics, sharedMetrics } from '@core/runtime';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { exitMetricsOf } from './exitMetrics.ts';
import { grantMetricsOf } from './grantMetrics.ts';
import { positionMetricsOf } from './positionMetrics.ts';

/** Metrics of the keeper. Names and labels are few and fixed: no position key becomes a label. */
export interface KeeperMetrics {
  readonly registry: Registry;
  readonly shared: SharedMetrics;
  readonly taskSeconds: Histogram<'task'>;
  readonly taskFailures: Counter<'task' | 'kind'>;
  readonly lastSuccess: Gauge<'task'>;
  readonly indexedBlock: Gauge;
  readonly finalBlockUnknown: Gauge;
  readonly endedGrants: Counter<'purpose' | 'category' | 'outcome'>;
  readonly fillSeconds: Histogram<'purpose' | 'category'>;
  readonly rollbacks: Counter;
  readonly repairedEvents: Counter;
  readonly unverifiedBlocks: Gauge;
  readonly missingFills: Counter;
  readonly differingCounts: Gauge<'count'>;
  readonly chainReach: Gauge;
  readonly headAge: Gauge;
  readonly chainLead: Gauge;
  readonly nonceAge: Gauge;
  readonly orphanedTransactions: Gauge;
  readonly hasRole: Gauge;
  readonly coinBalance: Gauge;
  readonly coinReserve: Gauge;
  readonly heldShares: Gauge;
  readonly shareCount: Gauge;
  readonly feeCeiling: Counter;
  readonly venueBreaker: Gauge;
  readonly venueRefusals: Counter<'code'>;
  readonly unexplainedRefusals: Counter<'code'>;
  readonly unreadableMarkets: Gauge<'problem'>;
  readonly catalogueAge: Gauge;
  readonly priceSignerAnswering: Gauge<'signer'>;
  readonly requiredSignatures: Gauge;
  readonly unknownQuotes: Gauge;
  readonly unlistedPositions: Gauge;
  readonly frozenPositions: Gauge;
  readonly failedProjections: Counter;
  readonly strangePayouts: Counter;
  readonly unwindAlerts: Counter;
  readonly itemFailures: Counter<'name' | 'kind'>;
  readonly failingItems: Gauge<'name'>;
  readonly positionFailures: Counter<'kind'>;
  readonly failingPositions: Gauge;
  readonly overdueSteps: Gauge;
  readonly refusedCalls: Gauge;
  readonly exitSeconds: Histogram<'category'>;
  readonly exitP95Seconds: Gauge<'category'>;
  readonly saleAge: Gauge<'kind'>;
  readonly policyExitSeconds: Gauge<'category'>;
  readonly followedDebts: Gauge;
  readonly dueDebts: Gauge<'reason'>;
  readonly unsellableDebts: Gauge;
  readonly staleMarkets: Gauge;
}

/** Metrics of the second reading of the chain. */
function verificationMetricsOf(
  registers: Registry[],
): Pick<KeeperMetrics, 'repairedEvents' | 'unverifiedBlocks' | 'differingCounts' | 'missingFills'> {
  return {
    repairedEvents: new Counter({
      name: 'keeper_repaired_events_total',
      help: 'Events found only by the second reading of their blocks.',
      registers,
    }),
    unverifiedBlocks: new Gauge({
      name: 'keeper_unverified_blocks',
      help: 'Indexed blocks that have not been read a second time.',
      registers,
    }),
    missingFills: new Counter({
      name: 'keeper_missing_fills_total',
      help: "Orders filled by the vault's record without a log of the fill on any node: their venue fee is unknown.",
      registers,
    }),
    differingCounts: new Gauge({
      name: 'keeper_index_differs',
      help: '1 while a count of the contracts differs from the index, by count: an alert when it persists.',
      labelNames: ['count'],
      registers,
    }),
  };
}

/** Metrics of the venue's answers to orders and of its catalogue. */
function venueMetricsOf(
  registers: Registry[],
): Pick<
  KeeperMetrics,
  'venueBreaker' | 'venueRefusals' | 'unexplainedRefusals' | 'unreadableMarkets' | 'catalogueAge'
> {
  return {
    unreadableMarkets: new Gauge({
      name: 'keeper_unreadable_markets',
      help: 'Unreadable records of the last complete pass through the catalogue, by problem: they are not listed.',
      labelNames: ['problem'],
      registers,
    }),
    catalogueAge: new Gauge({
      name: 'keeper_catalogue_age_seconds',
      help: 'Time since the last complete pass through the catalogue: above 600 the keeper is not ready.',
      registers,
    }),
    venueBreaker: new Gauge({
      name: 'keeper_venue_breaker_open',
      help: '1 while the venue refuses the keeper and posting is paused.',
      registers,
    }),
    venueRefusals: new Counter({
      name: 'keeper_venue_refusals_total',
      help: 'Refusals of the keeper rather than of an order, by code.',
      labelNames: ['code'],
      registers,
    }),
    unexplainedRefusals: new Counter({
      name: 'keeper_unexplained_refusals_total',
      help: 'Orders ended by unexplained refusals, or of their form or maker, by code: an alert when it grows.',
      labelNames: ['code'],
      registers,
    }),
  };
}

/** Metrics of the chain as this process observes it. */
function chainMetricsOf(
  registers: Registry[],
): Pick<
  KeeperMetrics,
  'chainReach' | 'headAge' | 'chainLead' | 'nonceAge' | 'hasRole' | 'coinBalance' | 'coinReserve' | 'finalBlockUnknown'
> {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  return {
    finalBlockUnknown: gauge('keeper_final_block_unknown', '1 while the node does not know its final block.'),
    chainReach: gauge('keeper_chain_reached', '1 while the chain answers this process; 0: it starts no work.'),
    headAge: gauge('keeper_head_age_seconds', 'Age of the last block on the service clock: no quotes when too old.'),
    chainLead: gauge(
      'keeper_chain_lead_seconds',
      "Lead of the last block's time over the service clock: above 5 quotes would expire before they are mined.",
    ),
    nonceAge: gauge(
      'keeper_nonce_age_seconds',
      'Time since the chain last mined a transaction of this keeper while some wait; 0 while none waits.',
    ),
    hasRole: gauge('keeper_has_role', '1 while the vault has appointed the account as a keeper.'),
    coinBalance: gauge('keeper_coin_balance', "Native coin of the keeper's account, in whole coins."),
    coinReserve: gauge(
      'keeper_coin_reserve',
      'Native coin that the next 50 transactions may cost, in whole coins: an alert below it, no quotes below a fifth.',
    ),
  };
}

/** Metrics of the price signers. */
function signerMetricsOf(registers: Registry[]) {
  return {
    priceSignerAnswering: new Gauge({
      name: 'keeper_price_signer_answering',
      help: '1 while the price signer is ready to attest, by its host and port.',
      labelNames: ['signer'],
      registers,
    }),
    requiredSignatures: new Gauge({
      name: 'keeper_required_signatures',
      help: 'Signatures that an order requires now: the threshold of the vault, or all but one in an alarm, if more.',
      registers,
    }),
  };
}

/** Metrics of failing or hanging items of tasks. */
function itemMetricsOf(registers: Registry[]): Pick<KeeperMetrics, 'itemFailures' | 'failingItems'> {
  return {
    itemFailures: new Counter({
      name: 'keeper_item_failures_total',
      help: 'Items of a task that failed on their own, by task and kind of failure.',
      labelNames: ['name', 'kind'],
      registers,
    }),
    failingItems: new Gauge({
      name: 'keeper_failing_items',
      help: 'Failed or hanging items of a task, retried at growing intervals: an alert when it persists.',
      labelNames: ['name'],
      registers,
    }),
  };
}

/** Metrics of debts and of due ones. */
function debtMetricsOf(registers: Registry[]) {
  return {
    unwindAlerts: new Counter({
      name: 'keeper_unwind_alerts_total',
      help: 'Due debts that can neither be repaid by a sale nor liquidated: a delay may cost the pool money.',
      registers,
    }),
    followedDebts: new Gauge({
      name: 'keeper_followed_debts',
      help: 'Positions with debt whose market is watched.',
      registers,
    }),
    dueDebts: new Gauge({
      name: 'keeper_due_debts',
      help: 'Followed debts that are due now, by reason: liquidation, hard_exit, unwind.',
      labelNames: ['reason'],
      registers,
    }),
    unsellableDebts: new Gauge({
      name: 'keeper_unsellable_debts',
      help: 'Due debts whose tokens are too few for any sale: they are repaid by the settlement of their market.',
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
    shared: sharedMetrics(registry),
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
    ...chainMetricsOf(registers),
    orphanedTransactions: gauge(
      'keeper_orphaned_transactions',
      'Unfinished transactions of keys that no keeper uses: another keeper completes them.',
    ),
    heldShares: gauge('keeper_market_shares', 'Market shares of this keeper.'),
    shareCount: gauge('keeper_market_share_count', 'Market shares of all keepers together, as this one works with.'),
    feeCeiling: counter(
      'keeper_fee_ceiling_total',
      'Gas prices above the fee ceiling of the keeper: transactions wait.',
    ),
    ...venueMetricsOf(registers),
    ...signerMetricsOf(registers),
    ...exitMetricsOf(registers),
    ...grantMetricsOf(registers),
    ...debtMetricsOf(registers),
    ...positionMetricsOf(registers),
    ...itemMetricsOf(registers),
    strangePayouts: counter(
      'keeper_strange_payouts_total',
      'Payout vectors of neither a won nor a void market: the oracle is stopped until an operator resumes it.',
    ),
    unknownQuotes: gauge(
      'keeper_unknown_quotes',
      'Active positions without a stored quote: followed with the defaults of the policy.',
    ),
    unlistedPositions: gauge(
      'keeper_unlisted_positions',
      'Active positions in an unlisted market: they can be closed and settled, but no debt is watched.',
    ),
    frozenPositions: gauge(
      'keeper_frozen_positions',
      'Positions that are left alone until an operator decides: an alert while it is above 0.',
    ),
    failedProjections: counter(
      'keeper_failed_projections_total',
      'Positions frozen because they could not be folded from their events: an alert.',
    ),
  };
}
