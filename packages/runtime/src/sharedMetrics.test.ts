import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { sharedMetrics } from './sharedMetrics.ts';

test('shared metrics: requests, signatures and the pool are counted, the process and its event loop too', async () => {
  const registry = new Registry();
  const { onVenueRequest, onSignature, watchPool } = sharedMetrics(registry);
  watchPool(() => ({ openCount: 5, idleCount: 2, waitingCount: 1, database: 'unwritable', isRedisReachable: null }));
  onVenueRequest({ endpoint: 'books', outcome: 'ok', durationMs: 40 });
  onVenueRequest({ endpoint: 'orders', outcome: 'rate_limited', durationMs: 700 });
  onSignature({ isSigned: true, durationMs: 0.2 });
  onSignature({ isSigned: false, durationMs: 2_900 });
  const text = await registry.metrics();
  for (const line of [
    'venue_request_seconds_bucket{le="0.05",endpoint="books",outcome="ok"} 1',
    'venue_request_seconds_count{endpoint="orders",outcome="rate_limited"} 1',
    'signing_seconds_bucket{le="0.0005",outcome="ok"} 1',
    'signing_seconds_count{outcome="failed"} 1',
    'database_connections{state="idle"} 2',
    'database_connections{state="busy"} 3',
    'database_waiting_queries 1',
    'database_reachable 1',
    'database_writable 0',
    'redis_reachable Nan',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  expect(text).toMatch(/^process_cpu_seconds_total /m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
});
