import { type NodeHealth, watchNodes, watchProcess } from '@core/runtime';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Figures of a filler, in the text form that Prometheus reads. */
export interface FillerMetrics {
  readonly registry: Registry;
  readonly liveGrants: Gauge;
  readonly decisions: Counter<'result'>;
  readonly fills: Counter<'purpose' | 'way' | 'outcome'>;
  readonly refusedFills: Counter<'reason'>;
  readonly pathShare: Histogram<'purpose'>;
  readonly usdc: Gauge;
  readonly unsold: Gauge;
  readonly unfinished: Gauge<'kind'>;
  readonly failures: Counter<'task'>;
  readonly isStopped: Gauge;
  readonly isUnwritable: Gauge;
  readonly difference: Gauge;
  readonly stuckMarkets: Gauge;
}

/** @param nodes State of the nodes that the filler reads. */
export function createFillerMetrics(nodes: Pick<NodeHealth, 'state'>): FillerMetrics {
  const registry = new Registry();
  watchProcess(registry);
  watchNodes(registry, nodes);
  const registers = [registry];
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  return {
    registry,
    liveGrants: gauge('filler_live_grants', 'Grants of the vault that may be filled now.'),
    decisions: new Counter({
      name: 'filler_decisions_total',
      help: 'Decisions about live grants: fill, wait, float_too_small, mark_far, over, no_book, doubted, or failed.',
      labelNames: ['result'],
      registers,
    }),
    fills: new Counter({
      name: 'filler_fills_total',
      help: 'Fills that were tried, by purpose, way and outcome: filled, lost, not_bought, refused, failed.',
      labelNames: ['purpose', 'way', 'outcome'],
      registers,
    }),
    refusedFills: new Counter({
      name: 'filler_refused_calls_total',
      help: "Fills that the vault refused, by the contract's error; left_out for one of several.",
      labelNames: ['reason'],
      registers,
    }),
    pathShare: new Histogram({
      name: 'filler_path_share',
      help: 'Share of the price path that had passed at a fill: 0 at the start price, 1 at the limit.',
      labelNames: ['purpose'],
      buckets: [0, 0.1, 0.25, 0.5, 0.75, 1],
      registers,
    }),
    usdc: gauge('filler_usdc_units', 'USDC of the account, in units of 0.000001 USD.'),
    unsold: gauge(
      'filler_unsold_usdc_units',
      'Worth of tokens that wait to be sold, at the best bid: an alert when it persists.',
    ),
    unfinished: new Gauge({
      name: 'filler_unfinished',
      help: 'Transactions and orders whose end is not known: an alert when one persists.',
      labelNames: ['kind'],
      registers,
    }),
    failures: new Counter({
      name: 'filler_task_failures_total',
      help: 'Runs of a task that ended with a fault of chain or venue.',
      labelNames: ['task'],
      registers,
    }),
    difference: gauge(
      'filler_accounts_difference_usdc_units',
      'USDC on chain less the USDC of the accounts: an alert when it is not 0.',
    ),
    stuckMarkets: gauge(
      'filler_stuck_markets',
      'Markets in which bids did not take what they showed: no opening is filled there.',
    ),
    isStopped: gauge('filler_stopped', '1 while the stop file exists: nothing new is filled.'),
    isUnwritable: gauge(
      'filler_journal_unwritable',
      '1 while the disk takes no line of the journal: nothing new is filled.',
    ),
  };
}
