import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of positions whose steps fail or hang. */
export function positionMetricsOf(registers: Registry[]) {
  return {
    positionFailures: new Counter({
      name: 'keeper_position_failures_total',
      help: 'Steps of positions that failed, by kind of failure: an alert unless the kind is retryable or lease_lost.',
      labelNames: ['kind'],
      registers,
    }),
    failingPositions: new Gauge({
      name: 'keeper_failing_positions',
      help: 'Positions whose last step failed, retried at growing intervals: an alert when it persists.',
      registers,
    }),
    refusedCalls: new Gauge({
      name: 'keeper_refused_calls',
      help: 'Calls of positions that the vault refused at least seven times in a row: an alert when it persists.',
      registers,
    }),
    overdueSteps: new Gauge({
      name: 'keeper_overdue_steps',
      help: 'Running steps that exceeded their slot: an alert when it persists.',
      registers,
    }),
  };
}
