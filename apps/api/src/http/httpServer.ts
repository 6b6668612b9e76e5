import { createServer, type Server } from 'node:http';
import { requestsWebSocket } from '@core/runtime';
import type { Express } from 'express';
import type { ProcessLimits } from '../processLimits.ts';
import { ConnectionGate } from './connectionGate.ts';
import { isProxyOf } from './remoteAddress.ts';
import { RequestTurns } from './requestTurns.ts';

/** Interval at which the deadlines of headers and requests are checked. */
const deadlineCheckMs = 1_000;

/** Build the server in front of the application: bounded connections, one request of each at a time, deadlines. */
export function httpServer(
  app: Express,
  limits: ProcessLimits,
): { readonly server: Server; readonly gate: ConnectionGate; readonly drain: () => Promise<void> } {
  const server = createServer({
    keepAliveTimeout: limits.keepAliveMs,
    headersTimeout: limits.headersMs,
    requestTimeout: Math.max(limits.requestMs, limits.headersMs),
    connectionsCheckingInterval: deadlineCheckMs,
    shouldUpgradeCallback: requestsWebSocket,
  });
  const gate = new ConnectionGate({ limits, isProxy: isProxyOf(app) });
  const turns = new RequestTurns({ handle: app, gate, limits });
  gate.attach(server);
  turns.attach(server);
  server.on('upgrade', (request) => {
    // A pending answer would be written between the frames.
    if (turns.isBusy(request.socket)) request.socket.destroy();
    else gate.leave(request.socket);
  });
  return { server, gate, drain: () => turns.drain(server) };
}
