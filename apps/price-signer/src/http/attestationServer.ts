import type { IncomingMessage, ServerResponse } from 'node:http';
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
  decodeGrantCountersignatureRequest,
  decodeGrantRequest,
  encodeAttestationAnswer,
  encodeCountersignatureAnswer,
  encodeGrantAnswer,
  encodeUnsigned,
  type GrantAnswer,
  type GrantCountersignatureRequest,
  type GrantRequest,
  grantCountersignaturePath,
  grantPath,
  type WireAnswer,
} from '@core/attestation';
import { boundedServer, type Listening, listen, type Operations, operationsAnswerOf, sendAnswer } from '@core/runtime';
import { inRequestSpan } from '@core/tracing';
import type { Logger } from 'pino';
import type { Address } from 'viem';
import { isAuthorized } from './bearerSecret.ts';
import { RequestSlots } from './requestSlots.ts';
import type { SignatureCounts, SignerMetrics } from './signerMetrics.ts';

export interface AttestationServerOptions {
  /** Loopback when absent. */
  readonly host?: string;
  readonly port: number;
  readonly bearerSecret: string;
  /** Returned with the readiness: a keeper that collects signatures identifies the signer by it. */
  readonly address: Address;
  readonly attest: (request: AttestationRequest) => Promise<AttestationAnswer>;
  readonly countersign: (asked: CountersignatureRequest) => Promise<CountersignatureAnswer>;
  readonly grant: (request: GrantRequest) => Promise<GrantAnswer>;
  readonly countersignGrant: (asked: GrantCountersignatureRequest) => Promise<CountersignatureAnswer>;
  /** False while the chain or the feed is unreachable. */
  readonly isReady: () => boolean;
  readonly metrics: SignerMetrics;
  readonly logger: Logger;
}

const bodyLimitBytes = 4096;
/**
 * Below the keeper's timeout of five seconds: a later answer reaches no keeper, and a hanging request frees its slot.
 */
const answerMs = 4_500;
/** Requests decided concurrently: several keepers send sixteen positions each. */
const maxRequests = 64;

/**
 * Serve `POST /attestations` and `/countersignatures`, and `POST /grants` and `/grant-countersignatures` for grants, on
 * loopback or on `host`. It answers 200 with the signature, 400 for an invalid body, 401 without the secret, and 409
 * with the reason of a refusal. 503 means that a dependency failed and the request may be repeated. `GET /healthz`,
 * `/readyz` and `/metrics` need no secret.
 */
export function startAttestationServer(options: AttestationServerOptions): Promise<Listening> {
  const slots = new RequestSlots(maxRequests);
  const server = boundedServer((request, response) => void serve(options, slots, { request, response }));
  return listen(server, options);
}

function operationsOf({ metrics, isReady, address }: AttestationServerOptions): Operations {
  const readiness = () => ({ isReady: isReady(), detail: { status: isReady() ? 'ready' : 'not_ready', address } });
  return { registry: metrics.registry, readiness };
}

async function serve(
  options: AttestationServerOptions,
  slots: RequestSlots,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  try {
    const operational = await operationsAnswerOf(operationsOf(options), request);
    if (operational !== null) {
      sendAnswer(response, operational);
      return;
    }
    send(response, await answer(options, slots, request));
  } catch (error) {
    options.logger.error({ err: error }, 'attestation failed');
    send(response, failure('unavailable'));
  }
}

async function answer(
  options: AttestationServerOptions,
  slots: RequestSlots,
  request: IncomingMessage,
): Promise<WireAnswer> {
  const route = request.method === 'POST' ? routes.get(request.url ?? '') : undefined;
  if (route === undefined) return failure('not_found');
  // The secret is checked before a byte of the body is read.
  if (!isAuthorized(request.headers.authorization, options.bearerSecret)) return failure('unauthorized');
  const body = await readJson(request);
  try {
    const decide = () => inRequestSpan(request.headers, { name: `POST ${request.url}` }, () => route(options, body));
    return (await slots.take(decide, answerMs)) ?? failure('unavailable');
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
  const countersignature = decodeCountersignatureRequest(body);
  const { request } = countersignature;
  const result = await options.countersign(countersignature);
  const answered = encodeCountersignatureAnswer(result);
  note(options, { what: 'countersignature', counts: options.metrics.countersignatures, request, result, answered });
  return answered;
};

const granted: Route = async (options, body) => {
  const request = decodeGrantRequest(body);
  const result = await options.grant(request);
  const answered = encodeGrantAnswer(result);
  note(options, { what: 'grant', counts: options.metrics.attestations, request, result, answered });
  return answered;
};

const grantCountersigned: Route = async (options, body) => {
  const countersignature = decodeGrantCountersignatureRequest(body);
  const { request } = countersignature;
  const result = await options.countersignGrant(countersignature);
  const answered = encodeCountersignatureAnswer(result);
  const counts = options.metrics.countersignatures;
  note(options, { what: 'grant countersignature', counts, request, result, answered });
  return answered;
};

const routes: ReadonlyMap<string, Route> = new Map([
  [attestationPath, attested],
  [countersignaturePath, countersigned],
  [grantPath, granted],
  [grantCountersignaturePath, grantCountersigned],
]);

/** Count and log a decision. */
function note(
  { logger }: AttestationServerOptions,
  decided: {
    readonly what: string;
    readonly counts: SignatureCounts;
    readonly request: Pick<AttestationRequest, 'positionKey' | 'purpose'>;
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

/** Read the body as JSON; undefined, which is not a request, when it is too long or not JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let byteLength = 0;
  const received: AsyncIterable<Buffer> = request;
  for await (const piece of received) {
    byteLength += piece.length;
    // A long body is read to its end, so that the answer reaches the sender, but is not stored.
    if (byteLength <= bodyLimitBytes) pieces.push(piece);
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
