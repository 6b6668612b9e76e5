import { Gauge, Histogram, type Registry } from 'prom-client';

/** Build the metrics of forced sales: their duration, and the exit time of quotes. */
export function exitMetricsOf(registers: Registry[]) {
  const labelNames = ['category'] as const;
  return {
    exitSeconds: new Histogram({
      name: 'keeper_exit_seconds',
      help: 'Time from the poll that finds a debt due until the index has its repayment, by category.',
      labelNames,
      // The steps by which the policy adjusts the exit time.
      buckets: [1, 2, 3, 5, 7.5, 10, 15, 20, 30, 60],
      registers,
    }),
    exitP95Seconds: new Gauge({
      name: 'keeper_exit_p95_seconds',
      help: '95th percentile of the same over the last day, of all keepers.',
      labelNames,
      registers,
    }),
    saleAge: new Gauge({
      name: 'keeper_oldest_sale_seconds',
      help: 'Age of the oldest sale that has not ended, by kind: debt (due, of this keeper), close (of a user at any price, of all).',
      labelNames: ['kind'],
      registers,
    }),
    policyExitSeconds: new Gauge({
      name: 'keeper_policy_exit_seconds',
      help: 'Exit time that determines the leverage of quotes.',
      labelNames,
      registers,
    }),
  };
}
