import { Fault } from '@core/errors';
import { traceHeaders } from '@core/tracing';
import { type Address, getAddress } from 'viem';
import { type AttestationAnswer, decodeAttestationAnswer } from './attestationAnswer.ts';
import { type AttestationRequest, encodeAttestationRequest } from './attestationRequest.ts';
import {
  type CountersignatureAnswer,
  type CountersignatureRequest,
  decodeCountersignatureAnswer,
  encodeCountersignatureRequest,
} from './countersignature.ts';
import {
  decodeGrantAnswer,
  encodeGrantCountersignatureRequest,
  encodeGrantRequest,
  type GrantAnswer,
  type GrantCountersignatureRequest,
  type GrantRequest,
} from './grant.ts';
import {
  decodeGrantBatchAnswer,
  encodeGrantBatchCountersignatureRequest,
  encodeGrantBatchRequest,
  type GrantBatchAnswer,
  type GrantBatchCountersignatureRequest,
  type GrantBatchRequest,
} from './grantBatch.ts';
import type { AttestationFailure, ReceivedAnswer } from './unsignedAnswer.ts';
import { AttestationFormatError, readHex } from './wireFields.ts';

/** Client of one price signer. */
export interface AttestationSource {
  /**
   * Request consent for one position, purpose and size.
   *
   * @throws Fault, retryable, when there is no decision: the signer is unreachable, failed, or violated the protocol.
   */
  attest(request: AttestationRequest): Promise<AttestationAnswer>;
  /**
   * Request a signature under the terms of another signer.
   *
   * @throws Fault, retryable, when there is no decision.
   */
  countersign(request: CountersignatureRequest): Promise<CountersignatureAnswer>;
  /**
   * Request consent to a grant.
   *
   * @throws Fault, retryable, when there is no decision.
   */
  grant(request: GrantRequest): Promise<GrantAnswer>;
  /**
   * Request a signature under the grant of another signer.
   *
   * @throws Fault, retryable, when there is no decision.
   */
  countersignGrant(request: GrantCountersignatureRequest): Promise<CountersignatureAnswer>;
  /**
   * Request one consent to the grants of several sales of one token. A member that is refused is left out of it.
   *
   * @throws Fault, retryable, when there is no decision.
   */
  grantBatch(request: GrantBatchRequest): Promise<GrantBatchAnswer>;
  /**
   * Request a signature under the batch of another signer.
   *
   * @throws Fault, retryable, when there is no decision.
   */
  countersignGrantBatch(request: GrantBatchCountersignatureRequest): Promise<CountersignatureAnswer>;
  /** Return the signer's address when it responds and can attest; null otherwise. */
  readyAddress(): Promise<Address | null>;
}

const requestTimeoutMs = 5_000;
/** Timeout of the readiness check, which runs every second. */
const readinessTimeoutMs = 1_000;

/** Path of attestations below the signer's origin. */
export const attestationPath = '/attestations';
export const countersignaturePath = '/countersignatures';
export const grantPath = '/grants';
export const grantCountersignaturePath = '/grant-countersignatures';
export const grantBatchPath = '/grant-batches';
export const grantBatchCountersignaturePath = '/grant-batch-countersignatures';

/** HTTP exchange of one request and its complete response; throws when there is no response in time. */
export type HttpExchange = (question: {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}) => Promise<{ readonly status: number; readonly text: string }>;

const fetchExchange: HttpExchange = async ({ url, timeoutMs, ...init }) => {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  return { status: response.status, text: await response.text() };
};

/** Create a client over the signer's loopback HTTP. It uses `fetch` unless the caller supplies another exchange. */
export function httpAttestationSource({
  url,
  secret,
  exchange = fetchExchange,
}: {
  readonly url: string;
  readonly secret: string;
  readonly exchange?: HttpExchange;
}): AttestationSource {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const post = async (path: string, asked: object): Promise<ReceivedAnswer> => {
    const request = { url: `${url}${path}`, method: 'POST', headers: { ...headers, ...traceHeaders() } } as const;
    const question = { ...request, body: JSON.stringify(asked) };
    const { status, text } = await exchange({ ...question, timeoutMs: requestTimeoutMs }).catch((cause: unknown) => {
      throw signerFault('the price signer does not answer', cause);
    });
    if (status >= 300 && status < 400) {
      throw signerFault(`${url} redirects (${status}): set the address of the price signer itself`, null);
    }
    return { status, body: jsonIn(text) };
  };
  return {
    async attest(request) {
      return decided(await post(attestationPath, encodeAttestationRequest(request)), decodeAttestationAnswer);
    },
    async countersign(request) {
      const answer = await post(countersignaturePath, encodeCountersignatureRequest(request));
      return decided(answer, decodeCountersignatureAnswer);
    },
    async grant(request) {
      return decided(await post(grantPath, encodeGrantRequest(request)), decodeGrantAnswer);
    },
    async countersignGrant(request) {
      const answer = await post(grantCountersignaturePath, encodeGrantCountersignatureRequest(request));
      return decided(answer, decodeCountersignatureAnswer);
    },
    async grantBatch(request) {
      return decided(await post(grantBatchPath, encodeGrantBatchRequest(request)), decodeGrantBatchAnswer);
    },
    async countersignGrantBatch(request) {
      const answer = await post(grantBatchCountersignaturePath, encodeGrantBatchCountersignatureRequest(request));
      return decided(answer, decodeCountersignatureAnswer);
    },
    async readyAddress() {
      const question = { url: `${url}/readyz`, method: 'GET', timeoutMs: readinessTimeoutMs } as const;
      const answer = await exchange(question).catch(() => null);
      return answer?.status === 200 ? readyAddressIn(jsonIn(answer.text)) : null;
    },
  };
}

/** Parse JSON; null for any other text, which is no answer of a signer. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Return the address in a readiness response, whatever else it shows; null in any other text. */
function readyAddressIn(body: unknown): Address | null {
  if (typeof body !== 'object' || body === null || !('address' in body)) return null;
  try {
    return getAddress(readHex('address', body.address, 20));
  } catch (error) {
    if (error instanceof AttestationFormatError) return null;
    throw error;
  }
}

function decided<Answer extends { readonly kind: string }>(
  answer: ReceivedAnswer,
  decode: (answer: ReceivedAnswer) => Answer | AttestationFailure,
): Answer {
  const decoded = decodedOf(answer, decode);
  if (isFailure(decoded)) throw signerFault(`the price signer answered ${answer.status}`, null);
  return decoded;
}

function isFailure(answer: { readonly kind: string }): answer is AttestationFailure {
  return answer.kind === 'failed';
}

function decodedOf<Answer>(answer: ReceivedAnswer, decode: (answer: ReceivedAnswer) => Answer): Answer {
  try {
    return decode(answer);
  } catch (cause) {
    if (!(cause instanceof AttestationFormatError)) throw cause;
    throw signerFault(`the price signer answered ${answer.status}`, cause);
  }
}

function signerFault(message: string, cause: unknown): Fault {
  return new Fault({ origin: 'signer', kind: 'retryable', message, cause });
}
