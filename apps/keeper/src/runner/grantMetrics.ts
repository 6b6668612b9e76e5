import { Counter, Histogram, type Registry } from 'prom-client';

/** Build the metrics of ended grants. */
export function grantMetricsOf(registers: Registry[]) {
  return {
    endedGrants: new Counter({
      name: 'keeper_ended_grants_total',
      help: 'Grants that ended, by outcome: filled, part, unfilled, or withdrawn before their time without a fill.',
      labelNames: ['purpose', 'category', 'outcome'] as const,
      registers,
    }),
    fillSeconds: new Histogram({
      name: 'keeper_fill_seconds',
      help: 'Time of the chain from the authorisation of a grant to its last fill, for grants that were filled.',
      labelNames: ['purpose', 'category'] as const,
      buckets: [1, 2, 3, 4, 6, 8, 10, 12, 16, 20],
      registers,
    }),
  };
}
