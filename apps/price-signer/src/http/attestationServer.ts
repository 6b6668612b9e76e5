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
  decodeGrantBatchCountersignatureRequest,
  decodeGrantBatchRequest,
  decodeGrantCountersignatureRequest,
  decodeGrantRequest,
  encodeAttestationAnswer,
  encodeCountersignatureAnswer,
  encodeGrantAnswer,
  encodeGrantBatchAnswer,
  encodeUnsigned,
  type GrantAnswer,
  type GrantBatchAnswer,
  type GrantBatchCountersignatureRequest,
  type GrantBatchRequest,
  type GrantCountersignatureRequest,
  type GrantRequest,
  grantBatchCountersignaturePath,
  grantBatchPath,
  grantCountersignaturePath,
  grantPath,
  type WireAnswer,
} from '@core/attestation';
import { boundedServer, type Listening, listen, type Operations, operationsAnswerOf, sendAnswer } from '@core/runtime';
import { inRequestSpan } from '@core/tracing';
import type { Logger } from 'pino';
import type { Address, Hex } from 'viem';
import type { BatchOutcome } from '../attestation/grantBatch.ts';
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
  readonly grantBatch: (request: GrantBatchRequest) => Promise<BatchOutcome<GrantBatchAnswer>>;
  readonly countersignGrantBatch: (
    asked: GrantBatchCountersignatureRequest,
  ) => Promise<BatchOutcome<CountersignatureAnswer>>;
  /** False while the chain or the feed is unreachable. */
  readonly isReady: () => boolean;
  /** Nodes of the chain, returned with the readiness. */
  readonly nodes: () => object;
  readonly metrics: SignerMetrics;
  readonly logger: Logger;
}

const bodyLimitBytes = 4096;
/** Thirty-two members of a request with their risk terms, each below a kilobyte, and the batch of another signer. */
const batchBodyLimitBytes = 65_536;
/**
 * Below the keeper's timeout of five seconds: a later answer reaches no keeper, and a hanging request frees its slot.
 */
const answerMs = 4_500;
/** Requests decided concurrently: several keepers send sixteen positions each. */
const maxRequests = 64;

/**
 * Serve `POST /attestations` and `/countersignatures` for orders, `/grants` and `/grant-countersignatures` for grants,
 * and `/grant-batches` and `/grant-batch-countersignatures` for several, on loopback or on `host`. It answers 200 with
 * the signature, 400 for an invalid body, 401 without the secret, and 409 with the reason of a refusal. 503 means that
 * a dependency failed and the request may be repeated. `GET /healthz`, `/readyz` and `/metrics` need no secret.
 */
export function startAttestationServer(options: AttestationServerOptions): Promise<Listening> {
  const slots = new RequestSlots(maxRequests);
  const server = boundedServer((request, response) => void serve(options, slots, { request, response }));
  return listen(server, options);
}

function operationsOf({ metrics, isReady, address, nodes }: AttestationServerOptions): Operations {
  const statusOf = () => (isReady() ? 'ready' : 'not_ready');
  const readiness = () => ({ isReady: isReady(), detail: { status: statusOf(), address, nodes: nodes() } });
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
  const body = await readJson(request, route.bodyLimitBytes);
  try {
    const decide = () =>
      inRequestSpan(request.headers, { name: `POST ${request.url}` }, () => route.decide(options, body));
    return (await slots.take(decide, answerMs)) ?? failure('unavailable');
  } catch (error) {
    if (error instanceof AttestationFormatError) return failure('invalid_request');
    throw error;
  }
}

type Decide = (options: AttestationServerOptions, body: unknown) => Promise<WireAnswer>;

interface Route {
  readonly decide: Decide;
  readonly bodyLimitBytes: number;
}

const attested: Decide = async (options, body) => {
  const request = decodeAttestationRequest(body);
  const result = await options.attest(request);
  const answered = encodeAttestationAnswer(result);
  note(options, { what: 'attestation', counts: options.metrics.attestations, request, result, answered });
  return answered;
};

const countersigned: Decide = async (options, body) => {
  const countersignature = decodeCountersignatureRequest(body);
  const { request } = countersignature;
  const result = await options.countersign(countersignature);
  const answered = encodeCountersignatureAnswer(result);
  note(options, { what: 'countersignature', counts: options.metrics.countersignatures, request, result, answered });
  return answered;
};

const granted: Decide = async (options, body) => {
  const request = decodeGrantRequest(body);
  const result = await options.grant(request);
  const answered = encodeGrantAnswer(result);
  note(options, { what: 'grant', counts: options.metrics.attestations, request, result, answered });
  return answered;
};

const grantCountersigned: Decide = async (options, body) => {
  const countersignature = decodeGrantCountersignatureRequest(body);
  const { request } = countersignature;
  const result = await options.countersignGrant(countersignature);
  const answered = encodeCountersignatureAnswer(result);
  const counts = options.metrics.countersignatures;
  note(options, { what: 'grant countersignature', counts, request, result, answered });
  return answered;
};

const batchGranted: Decide = async (options, body) => {
  const request = decodeGrantBatchRequest(body);
  const outcome = await options.grantBatch(request);
  const answered = encodeGrantBatchAnswer(outcome.answer);
  const members = outcome.answer.kind === 'signed' ? outcome.answer.batch.members : [];
  const counts = options.metrics.attestations;
  noteBatch(options, { what: 'grant batch', counts, purpose: request.purpose, outcome, members, answered });
  return answered;
};

const batchCountersigned: Decide = async (options, body) => {
  const countersignature = decodeGrantBatchCountersignatureRequest(body);
  const outcome = await options.countersignGrantBatch(countersignature);
  const answered = encodeCountersignatureAnswer(outcome.answer);
  const { request, batch } = countersignature;
  const members = outcome.answer.kind === 'signed' ? batch.members : [];
  const counts = options.metrics.countersignatures;
  noteBatch(options, {
    what: 'grant batch countersignature',
    counts,
    purpose: request.purpose,
    outcome,
    members,
    answered,
  });
  return answered;
};

const routes: ReadonlyMap<string, Route> = new Map([
  [attestationPath, { decide: attested, bodyLimitBytes }],
  [countersignaturePath, { decide: countersigned, bodyLimitBytes }],
  [grantPath, { decide: granted, bodyLimitBytes }],
  [grantCountersignaturePath, { decide: grantCountersigned, bodyLimitBytes }],
  [grantBatchPath, { decide: batchGranted, bodyLimitBytes: batchBodyLimitBytes }],
  [grantBatchCountersignaturePath, { decide: batchCountersigned, bodyLimitBytes: batchBodyLimitBytes }],
]);

/** Count each member of a batch, and log each refusal and the signature. */
function noteBatch(
  { logger }: AttestationServerOptions,
  decided: {
    readonly what: string;
    readonly counts: SignatureCounts;
    readonly purpose: GrantBatchRequest['purpose'];
    readonly outcome: Pick<BatchOutcome<unknown>, 'refusals'>;
    /** Members that are signed. */
    readonly members: readonly { readonly positionKey: Hex }[];
    readonly answered: WireAnswer;
  },
): void {
  const { what, counts, purpose, outcome, members, answered } = decided;
  for (const { positionKey, cause } of outcome.refusals) {
    if (cause.kind === 'refused') {
      counts.refused(purpose, cause.code);
      logger.info({ positionKey, purpose, code: cause.code }, `member of ${what} refused`);
    } else {
      logger.error({ err: cause.error, positionKey, purpose }, `member of ${what} failed`);
    }
  }
  if (members.length === 0) return;
  for (const _ of members) counts.signed(purpose);
  const positionKeys = members.map(({ positionKey }) => positionKey);
  logger.info({ positionKeys, purpose, ...answered.body }, `${what} signed`);
}

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
async function readJson(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  const pieces: Buffer[] = [];
  let byteLength = 0;
  const received: AsyncIterable<Buffer> = request;
  for await (const piece of received) {
    byteLength += piece.length;
    // A long body is read to its end, so that the answer reaches the sender, but is not stored.
    if (byteLength <= limitBytes) pieces.push(piece);
  }
  if (byteLength > limitBytes) return undefined;
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
