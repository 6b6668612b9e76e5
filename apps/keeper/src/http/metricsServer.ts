import { createServer, type ServerResponse } from 'node:http';
import { isHealthy } from '../loop.ts';
import type { KeeperPorts } from '../ports.ts';

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** `/metrics` (Prometheus), `/healthz` (the process answers), `/readyz` (no task is silent), on loopback only. */
export function startMetricsServer(ports: KeeperPorts, port: number): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url === '/metrics') {
      ports.metrics.registry.metrics().then(
        (text) => send(response, { status: 200, type: ports.metrics.registry.contentType, body: text }),
        () => sendJson(response, 500, { status: 'failed' }),
      );
    } else if (request.url === '/healthz') {
      sendJson(response, 200, { status: 'ok' });
    } else if (request.url === '/readyz') {
      const silent = ports.health().filter((task) => !isHealthy(task));
      sendJson(response, silent.length === 0 ? 200 : 503, { silent: silent.map(({ name }) => name) });
    } else {
      sendJson(response, 404, { status: 'not_found' });
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const boundPort = typeof address === 'object' && address !== null ? address.port : port;
      resolve({
        url: `http://127.0.0.1:${boundPort}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, { status, type: 'application/json', body: JSON.stringify(body) });
}

function send(
  response: ServerResponse,
  answer: { readonly status: number; readonly type: string; readonly body: string },
): void {
  response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
}
