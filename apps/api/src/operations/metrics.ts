import { createServer, type Server } from 'node:http';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestObserver } from '../http/createApp.ts';

/** What the service counts about itself. */
export interface Metrics extends RequestObserver {
  readonly registry: Registry;
  /** Serves `/metrics` on its own port of the loopback address; 0 takes a free one. */
  listen(port: number): Promise<Server>;
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
  signer.set({ implementation: facts.signerImplementation }, 1);
  return {
    registry,
    finished({ route, status, code, durationMs }) {
      durations.observe({ route, status }, durationMs / 1_000);
      if (code !== null) refusals.inc({ route, code });
    },
    listen: (port) => listen(registry, port),
  };
}

function listen(registry: Registry, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
