import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type AttestationRequest, attestationRequestSchema } from './attestationRequest.ts';
import { presentAttestation, type SignedAttestation } from './attestationResponse.ts';
import { isAuthorized } from './bearerSecret.ts';
import type { SignerMetrics } from './signerMetrics.ts';

/** A refusal: its code is what the keeper dispatches on. */
export interface AttestationRefusal {
  readonly kind: 'refused';
  readonly code: string;
}

export type AttestationAnswer = ({ readonly kind: 'signed' } & SignedAttestation) | AttestationRefusal;

export interface AttestationServerOptions {
  readonly port: number;
  readonly bearerSecret: string;
  readonly attest: (request: AttestationRequest) => Promise<AttestationAnswer>;
  /** False while the chain or the feed is out of reach. */
  readonly isReady: () => boolean;
  readonly metrics: SignerMetrics;
  readonly logger: Logger;
}

const bodyLimitBytes = 2048;

/**
 * Serves `POST /attestations` on 127.0.0.1 only: 200 with the signed attestation, 400 for a body that is none, 401
 * without the secret, 409 with the reason when the signer does not consent, 503 when the world failed and the same
 * request may be repeated. `GET /healthz`, `/readyz` and
 * `/metrics` need no secret.
 */
export async function startAttestationServer(
  options: AttestationServerOptions,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void serve(options, request, response));
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

async function serve(
  options: AttestationServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.method === 'GET' && request.url === '/metrics') {
      const { registry } = options.metrics;
      response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
      return;
    }
    const { status, body } = await answer(options, request);
    send(response, status, body);
  } catch (error) {
    options.logger.error({ err: error }, 'attestation failed');
    send(response, 503, failure('unavailable'));
  }
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

async function answer(options: AttestationServerOptions, request: IncomingMessage): Promise<Answer> {
  const route = `${request.method} ${request.url}`;
  if (route === 'GET /healthz') return { status: 200, body: { status: 'ok' } };
  if (route === 'GET /readyz') {
    const isReady = options.isReady();
    return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'not_ready' } };
  }
  if (route !== 'POST /attestations') return { status: 404, body: failure('not_found') };
  // The secret is checked before a byte of the body is read.
  if (!isAuthorized(request.headers.authorization, options.bearerSecret)) {
    return { status: 401, body: failure('unauthorized') };
  }
  const parsed = attestationRequestSchema.safeParse(await readJson(request));
  if (!parsed.success) return { status: 400, body: failure('invalid_request') };
  return attested(options, parsed.data);
}

async function attested(options: AttestationServerOptions, request: AttestationRequest): Promise<Answer> {
  const { positionKey, purpose } = request;
  const result = await options.attest(request);
  if (result.kind === 'refused') {
    options.metrics.refused(purpose, result.code);
    options.logger.info({ positionKey, purpose, code: result.code }, 'attestation refused');
    return { status: 409, body: failure(result.code) };
  }
  options.metrics.signed(purpose);
  const body = presentAttestation(result);
  options.logger.info({ positionKey, purpose, ...body }, 'attestation signed');
  return { status: 200, body };
}

/** The body as JSON; undefined, which no schema accepts, when it is too long or no JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let byteLength = 0;
  for await (const piece of request) {
    byteLength += (piece as Buffer).length;
    // What is too long is read to its end, so that the answer reaches the sender, but not kept.
    if (byteLength <= bodyLimitBytes) pieces.push(piece as Buffer);
  }
  if (byteLength > bodyLimitBytes) return undefined;
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function failure(code: string) {
  return { error: { code } };
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
