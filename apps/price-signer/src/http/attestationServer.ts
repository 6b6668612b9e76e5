import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Listening, listen, type Operations, operationsAnswerOf, sendAnswer } from '@core/runtime';
import {
  type AttestationAnswer,
  type AttestationFailure,
  AttestationFormatError,
  type AttestationRefusal,
  type AttestationRequest,
  attestationPath,
  type CountersignatureAnswer,
  type CountersignatureRequest,
  countersignaturePath,
  decodeAttestationRequest,
  decodeCountersignatureRequest,
  encodeAttestationAnswer,
  encodeCountersignatureAnswer,
  encodeUnsigned,
  type WireAnswer,
} from '@core/vault';
import type { Logger } from 'pino';
import type { Address } from 'viem';
import { isAuthorized } from './bearerSecret.ts';
import type { SignatureCounts, SignerMetrics } from './signerMetrics.ts';

export interface AttestationServerOptions {
  readonly port: number;
  readonly bearerSecret: string;
  /** Shown with the readiness: a keeper that collects signatures knows by it whose this one is. */
  readonly address: Address;
  readonly attest: (request: AttestationRequest) => Promise<AttestationAnswer>;
  readonly countersign: (asked: CountersignatureRequest) => Promise<CountersignatureAnswer>;
  /** False while the chain or the feed is out of reach. */
  readonly isReady: () => boolean;
  readonly metrics: SignerMetrics;
  readonly logger: Logger;
}

const bodyLimitBytes = 4096;

/**
 * Serves `POST /attestations` and `POST /countersignatures` on 127.0.0.1 only: 200 with what was signed, 400 for a body
 * that is no request, 401 without the secret, 409 with the reason when the signer does not consent, 503 when the world
 * failed and the same request may be repeated. `GET /healthz`, `/readyz` and `/metrics` need no secret.
 */
export function startAttestationServer(options: AttestationServerOptions): Promise<Listening> {
  const server = createServer((request, response) => void serve(options, request, response));
  return listen(server, { port: options.port });
}

function operationsOf({ metrics, isReady, address }: AttestationServerOptions): Operations {
  const readiness = () => ({ isReady: isReady(), detail: { status: isReady() ? 'ready' : 'not_ready', address } });
  return { registry: metrics.registry, readiness };
}

async function serve(
  options: AttestationServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const operational = await operationsAnswerOf(operationsOf(options), request);
    if (operational !== null) {
      sendAnswer(response, operational);
      return;
    }
    send(response, await answer(options, request));
  } catch (error) {
    options.logger.error({ err: error }, 'attestation failed');
    send(response, failure('unavailable'));
  }
}

async function answer(options: AttestationServerOptions, request: IncomingMessage): Promise<WireAnswer> {
  const route = request.method === 'POST' ? routes.get(request.url ?? '') : undefined;
  if (route === undefined) return failure('not_found');
  // The secret is checked before a byte of the body is read.
  if (!isAuthorized(request.headers.authorization, options.bearerSecret)) return failure('unauthorized');
  const body = await readJson(request);
  try {
    return await route(options, body);
  } catch (error) {
    if (error instanceof AttestationFormatError) return failure('invalid_request');
    throw error;
  }
}

type Route = (options: AttestationServerOptions, body: unknown) => Promise<WireAnswer>;

const attested: Route = async (options, body) => {
  const request = decodeAttestationRequest(body);
  const result = await options.attest(request);
  const answered = encodeAttestationAnswer(result);
  note(options, { what: 'attestation', counts: options.metrics.attestations, request, result, answered });
  return answered;
};

const countersigned: Route = async (options, body) => {
  const asked = decodeCountersignatureRequest(body);
  const { request } = asked;
  const result = await options.countersign(asked);
  const answered = encodeCountersignatureAnswer(result);
  note(options, { what: 'countersignature', counts: options.metrics.countersignatures, request, result, answered });
  return answered;
};

const routes: ReadonlyMap<string, Route> = new Map([
  [attestationPath, attested],
  [countersignaturePath, countersigned],
]);

/** Counts and logs what was decided. */
function note(
  { logger }: AttestationServerOptions,
  decided: {
    readonly what: string;
    readonly counts: SignatureCounts;
    readonly request: AttestationRequest;
    readonly result: { readonly kind: 'signed' } | AttestationRefusal;
    readonly answered: WireAnswer;
  },
): void {
  const { what, counts, request, result, answered } = decided;
  const { positionKey, purpose } = request;
  if (result.kind === 'refused') {
    counts.refused(purpose, result.code);
    logger.info({ positionKey, purpose, code: result.code }, `${what} refused`);
  } else {
    counts.signed(purpose);
    logger.info({ positionKey, purpose, ...answered.body }, `${what} signed`);
  }
}

/** The body as JSON; undefined, which is no request, when it is too long or no JSON. */
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

function failure(code: AttestationFailure['code']): WireAnswer {
  return encodeUnsigned({ kind: 'failed', code });
}

function send(response: ServerResponse, { status, body }: WireAnswer): void {
  sendAnswer(response, { status, contentType: 'application/json', body: JSON.stringify(body) });
}
